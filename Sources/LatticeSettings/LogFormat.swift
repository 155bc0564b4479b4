/// How a line of the log is written.
package enum LogFormat: String, CaseIterable {
    case text
    case json
}

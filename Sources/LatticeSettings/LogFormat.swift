package enum LogFormat: String, CaseIterable {
    case text
    case json
}

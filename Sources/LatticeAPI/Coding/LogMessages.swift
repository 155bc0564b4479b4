/// Messages for people who read logs. Fronts make their own sentences of the values.
package enum LogMessages {
    private static let charactersMax = 300

    package static func message(_ error: RequestError) -> String {
        if case .other(_, let message) = error { return message }
        return String("\(error.code.rawValue): \(error)".prefix(charactersMax))
    }

    package static func message(_ notice: Notice) -> String {
        switch notice {
        case .failed(let error): message(error)
        case .other(_, _, let message): message
        default: String("\(notice.code): \(notice)".prefix(charactersMax))
        }
    }
}

import LatticeAPI

/// Error codes of refused requests: those of JSON-RPC 2.0 (section 5.1), and one of our own.
enum ControlCode: Int, Codable {
    /// Not JSON, or not UTF-8.
    case parseError = -32_700
    /// JSON, but not a request.
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    /// The node refused; `data` has its error.
    case refused = 1
}

/// The member `error` of a response.
package struct ControlError: Error, Codable {
    let code: ControlCode
    /// For people who read logs.
    let message: String
    /// Only if the node refused.
    private let data: CodedRefusal?

    init(_ code: ControlCode, _ message: String) {
        self.code = code
        self.message = message
        data = nil
    }

    init(_ error: RequestError) {
        code = .refused
        message = LogMessages.message(error)
        data = CodedRefusal(error, message: nil)
    }

    /// The error for callers that know no code of this protocol.
    var requestError: RequestError { data?.error(message) ?? .other(code: .invalid, message: message) }
}

import LatticeAPI

/// Why a request was not carried out, as numbers: those of JSON-RPC 2.0 (section 5.1), and one of its own.
enum ControlCode: Int, Codable {
    /// No JSON, or not UTF-8.
    case parseError = -32_700
    /// JSON, and no request.
    case invalidRequest = -32_600
    case methodNotFound = -32_601
    case invalidParams = -32_602
    /// The node did not do it: `data` says why.
    case refused = 1
}

/// The member `error` of an answer.
package struct ControlError: Error, Codable {
    let code: ControlCode
    let message: String
    /// Of what the node refused.
    let data: RequestError?

    init(_ code: ControlCode, _ message: String) {
        self.code = code
        self.message = message
        data = nil
    }

    init(_ error: RequestError) {
        code = .refused
        message = error.description
        data = error
    }

    /// For whoever asks by a type that has no code of this protocol.
    var requestError: RequestError { data ?? RequestError(.invalid, message) }
}

/// An error on a control socket: its code, and the values that a sentence needs.
package struct CodedRefusal: Codable {
    private let code: String
    /// `nil` if another version of this program has values of its own.
    private let values: RequestError?
    /// For people who read logs; `nil` if it stands beside.
    private let message: String?

    /// - Parameter message: `nil` if it stands beside.
    package init(_ error: RequestError, message: String?) {
        (code, values, self.message) = (error.code.rawValue, error, message)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        code = try fields.decode(String.self, forKey: .code)
        message = try fields.decodeIfPresent(String.self, forKey: .message)
        do {
            values = try fields.decodeIfPresent(RequestError.self, forKey: .values)
        } catch {
            values = nil  // The code and the message are enough.
        }
    }

    /// - Parameter beside: the message that stands beside it.
    package func error(_ beside: String = "") -> RequestError {
        values ?? .other(code: RequestError.Code(rawValue: code) ?? .other, message: message ?? beside)
    }
}

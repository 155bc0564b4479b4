package import LatticeAPI
import LatticeCore

package struct HTTPCall: Sendable {
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
        /// Lists the allowed methods (RFC 9110, section 9.3.7); no route has it.
        case options = "OPTIONS"

        /// Whether it changes nothing (RFC 9110, section 9.2.1).
        package var isSafe: Bool { self == .get || self == .options }
    }

    package let method: Method
    /// Percent-decoded segments: an encoded `/` separates nothing.
    package let path: [String]
    package let query: [String: String]
    /// Names in lower case; headers of the same name are joined to one list.
    package let headers: [String: String]
    package var body: [UInt8]
    /// The address of the client, or its network for IPv6; empty if it is not known.
    package var address = ""
    /// The upload that holds the body, if the route takes a file.
    package var upload: UploadID?

    package init(
        _ method: Method, path: [String], query: [String: String] = [:], headers: [String: String] = [:],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// - Parameter target: the path with its query, as in the first line of a request. `OPTIONS *` refers to the server
    ///   and has no path.
    /// - Throws: `HTTPProblem` if it is malformed.
    package init(
        _ method: Method, target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) throws(HTTPProblem) {
        let unreadable = HTTPProblem(
            400, "badRequest", "The address of the request cannot be read. Encode it as UTF-8 with percent signs.")
        if method == .options, target == "*" {
            self.init(method, path: [], headers: headers, body: body)
            return
        }
        guard target.hasPrefix("/") else { throw unreadable }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for piece in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = PercentText.decoded(piece) else { throw unreadable }
            path.append(text)
        }
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&").prefix(Self.fieldsMax) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentText.decoded(sides[0], plusIsBlank: true),
                let value = PercentText.decoded(sides.count > 1 ? sides[1] : "", plusIsBlank: true)
            else { throw unreadable }
            guard query.updateValue(value, forKey: name) == nil else {
                throw HTTPProblem(400, "badRequest", "A parameter was given twice. Give each of them once.")
            }
        }
        self.init(method, path: path, query: query, headers: headers, body: body)
    }

    /// Limit on query fields; no route has a quarter of them.
    private static let fieldsMax = 32
}

/// What is answered. Headers that every answer has are added by the server.
package struct HTTPReply: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A file of the page, which is lent and not copied.
        case file(PageFile)
        /// Events from now on.
        case stream(StreamWish)
    }

    package var status: Int
    package var type: String?
    /// By names in small letters.
    package var headers: [String: String] = [:]
    package var body: Body

    package init(_ status: Int, type: String? = nil, headers: [String: String] = [:], body: Body = .bytes([])) {
        self.status = status
        self.type = type
        self.headers = headers
        self.body = body
    }

    package static func json(_ json: JSON, _ status: Int = 200, type: String = "application/json") -> HTTPReply {
        HTTPReply(status, type: type, body: .bytes(json.bytes))
    }

    /// Made just now, and where it is to be found.
    package static func made(_ json: JSON, at location: String) -> HTTPReply {
        var reply = HTTPReply.json(json, 201)
        reply.headers["location"] = location
        return reply
    }
}

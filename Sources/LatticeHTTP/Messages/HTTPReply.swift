package import LatticeCore

/// A response. The server adds the headers that all responses have.
package struct HTTPReply: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// A file of the page, which is not copied.
        case file(PageFile)
        /// A file that somebody shared.
        case pieces(FilePieces)
        /// Events from now on.
        case stream(StreamWish)
    }

    package var status: Int
    package var type: String?
    /// Names in lower case.
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

    /// 201 Created, with the location of the new resource.
    package static func made(_ json: JSON, at location: String) -> HTTPReply {
        var reply = HTTPReply.json(json, 201)
        reply.headers["location"] = location
        return reply
    }
}

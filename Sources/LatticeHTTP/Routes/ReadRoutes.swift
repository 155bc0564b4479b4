import LatticeAPI
import LatticeCore

/// How far the owner has read, in all their programs.
enum ReadRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/unread", .person,
            RouteFacts(
                "unread", "Joined rooms and private conversations in which something is unread.",
                JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("Unread")))))
        ) { desk, _ throws(HTTPProblem) in
            .json(["items": .list(try await desk.perform(ListUnread()).conversations.map(\.json))])
        },
        Route(
            .put, "/v1/unread", .person,
            RouteFacts(
                "markRead",
                "Moves your read position in a room, or in the private messages with a peer, forward: up to the line with the id in "
                    + "`up_to`, or past everything that has arrived.",
                body: JSONSchema.object(
                    ("room?", JSONSchema.text), ("peer?", JSONSchema.text), ("up_to?", JSONSchema.id)),
                JSONSchema.named("Unread")), mark),
    ]

    private struct Mark: Decodable {
        let room: String?
        let peer: String?
        let upTo: String?
    }

    private static let mark: Route.Handler = { desk, call throws(HTTPProblem) in
        let body = try call.body(Mark.self)
        let conversation: ConversationName
        switch (body.room, body.peer) {
        case (let room?, nil): conversation = .room(try name(room))
        case (nil, let peer?): conversation = .peer(PeerReference(peer))
        case (nil, nil), (_?, _?): throw .invalid(HTTPProblem.Fault("room", "room or peer must be there, and not both"))
        }
        let upTo = try body.upTo.map { (text) throws(HTTPProblem) in try RouteCall.line(text, "up_to") }
        return .json(try await desk.perform(MarkRead(conversation, upTo: upTo)).json)
    }

    private static func name(_ text: String) throws(HTTPProblem) -> RoomName {
        do throws(NameError) {
            return try RoomName(text)
        } catch {
            throw .invalid(HTTPProblem.Fault("room", error.description))
        }
    }
}

extension UnreadCount {
    var json: JSON {
        var fields: [(String, JSON)]
        switch conversation {
        case .room(let room): fields = [("room", .text(room.text))]
        case .peer(let peer): fields = [("peer", .text(peer.text))]
        }
        fields += [("lines", .integer(lines)), ("mentions", .integer(mentions)), ("more", .flag(isMore))]
        return .object(fields)
    }

    static let schema = JSONSchema.object(
        ("room?", JSONSchema.text), ("peer?", JSONSchema.id), ("lines", JSONSchema.integer(0...linesMax)),
        ("mentions", JSONSchema.integer(0...linesMax)), ("more", JSONSchema.flag))
}

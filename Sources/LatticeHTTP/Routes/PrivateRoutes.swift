import LatticeAPI
import LatticeCore

/// Private messages and private rooms, which only those read for whom they are.
enum PrivateRoutes {
    private static let messagesUsual = 50

    static let all: [Route] = [
        Route(
            .get, "/v1/conversations", .person,
            RouteFacts(
                "conversations", "The last message of each of your private conversations, newest first; 1,000 at most.",
                list)
        ) { desk, _ throws(HTTPProblem) in
            .json(items(try await desk.perform(ListConversations()).messages))
        },
        Route(
            .get, "/v1/people/{id}/messages", .person,
            RouteFacts(
                "privateMessages", "The latest private messages between you and a person, oldest first.",
                parameters: [
                    .init(
                        name: "limit", schema: JSONSchema.integer(PostLimit.pageSizeRange),
                        about: "How many; \(messagesUsual) if absent.")
                ], list)
        ) { desk, call throws(HTTPProblem) in
            let limit = try call.limit(or: messagesUsual)
            return .json(items(try await desk.perform(ListPrivateMessages(person(call), limit: limit)).messages))
        },
        Route(
            .post, "/v1/people/{id}/messages", .person,
            RouteFacts(
                "tell",
                "Sends a private message, which only you two can read. It waits while they are away. `reply_to` is the id of the message that "
                    + "it answers.",
                body: JSONSchema.object(
                    ("text", JSONSchema.text), ("style?", JSONSchema.one(of: "says", "acts")),
                    ("reply_to?", JSONSchema.id)),
                status: 201, JSONSchema.named("PrivateMessage")), tell),
        Route(
            .post, "/v1/rooms", .person,
            RouteFacts(
                "createRoom",
                "Makes a private room that only its members can read; with a `key`, enters the room of that key.",
                body: JSONSchema.object(("name", JSONSchema.text), ("key?", JSONSchema.text)), status: 201,
                JSONSchema.named("Room")), create),
        Route(
            .get, "/v1/rooms/{name}/key", .person,
            RouteFacts(
                "roomKey", "The key of a private room. Anybody with this key can read the room.",
                JSONSchema.object(("key", JSONSchema.text)))
        ) { desk, call throws(HTTPProblem) in
            var reply = HTTPReply.json(["key": .text(try await desk.perform(ShowRoomKey(try call.room())).key)])
            reply.headers["cache-control"] = "no-store"
            return reply
        },
        Route(
            .post, "/v1/rooms/{name}/invitations", .person,
            RouteFacts(
                name: "inviteToRoom", summary: "Sends a person the key of a private room.",
                body: JSONSchema.object(("person", JSONSchema.text)),
                answers: [.init(status: 204, about: "The key is on its way.", schemas: [])])
        ) { desk, call throws(HTTPProblem) in
            let guest = PeerReference(try call.body(Guest.self).person)
            _ = try await desk.perform(InviteToRoom(guest, name: nil, try call.room()))
            return HTTPReply(204)
        },
    ]

    private static let list = JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("PrivateMessage"))))

    private struct Message: Decodable {
        let text: String
        let style: String?
        let replyTo: String?
    }

    private struct Room: Decodable {
        let name: String
        let key: String?
    }

    private struct Guest: Decodable {
        let person: String
    }

    private static func items(_ messages: [PrivateMessage]) -> JSON { ["items": .list(messages.map(\.json))] }

    private static func person(_ call: RouteCall) -> PeerReference { PeerReference(call.value("id")) }

    private static let tell: Route.Handler = { desk, call throws(HTTPProblem) in
        let message = try call.body(Message.self)
        guard let style = SpeechStyle(rawValue: message.style ?? SpeechStyle.says.rawValue) else {
            throw .invalid(HTTPProblem.Fault("style", "style must be says or acts"))
        }
        let replyTo = try message.replyTo.map { (text) throws(HTTPProblem) in try RouteCall.line(text, "reply_to") }
        let said = try await desk.perform(
            SendPrivateMessage(person(call), message.text, style: style, replyTo: replyTo))
        return .made(said.json, at: "/v1/people/\(said.peer.hex)/messages")
    }

    private static let create: Route.Handler = { desk, call throws(HTTPProblem) in
        let body = try call.body(Room.self)
        let name = try RouteCall.room(body.name)
        if let key = body.key {
            let entered = try await desk.perform(EnterPrivateRoom(name, key: TypedKey(key)))
            guard entered.members != nil else { throw .notFound("No private room \(name.text) has this key.") }
        } else {
            _ = try await desk.perform(CreatePrivateRoom(name))
        }
        if let seat = call.seat { await desk.visitors?.changed(seat, name, isIn: true) }
        return .made(
            try await RoomRoutes.room(name, desk), at: "/v1/rooms/\(PercentText.encoded(name.text.dropFirst()))")
    }
}

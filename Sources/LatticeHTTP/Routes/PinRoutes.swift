import LatticeAPI
import LatticeCore

/// What is pinned in a room.
enum PinRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/rooms/{name}/pins", .anybody,
            RouteFacts(
                "pins", "What people pinned in a room: the newest three, of each person one.", RoomPins.schema), list),
        Route(
            .put, "/v1/rooms/{name}/pins", .owner,
            RouteFacts(
                "pin",
                "Pins a line of the room, or a text of at most 300 bytes, in place of what you pinned there before.",
                body: JSONSchema.object(("line?", JSONSchema.id), ("text?", JSONSchema.text)), RoomPins.schema), pin),
        Route(
            .delete, "/v1/rooms/{name}/pins", .owner,
            RouteFacts("unpin", "Takes back what you pinned in a room.", RoomPins.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(SetPin(.nothing, in: try call.room())).json)
        },
    ]

    private struct Body: Decodable {
        let line: String?
        let text: String?
    }

    private static let list: Route.Handler = { desk, call throws(HTTPProblem) in
        let room = try call.room()
        // As in its list of messages, the existence of a private room is private, too.
        if !call.isOwner, try await desk.me().privateRooms.contains(room) {
            return .json(RoomPins(room, []).json)
        }
        return .json(try await desk.perform(ListPins(room)).json)
    }

    private static let pin: Route.Handler = { desk, call throws(HTTPProblem) in
        let (room, body) = (try call.room(), try call.body(Body.self))
        let pinned: SetPin.Pinned
        switch (body.line, body.text) {
        case (let line?, nil): pinned = .line(try RouteCall.line(line, "line"))
        case (nil, let text?): pinned = .text(text)
        default: throw .invalid(HTTPProblem.Fault("text", "give either a line or a text"))
        }
        return .json(try await desk.perform(SetPin(pinned, in: room)).json)
    }
}

extension RoomPins {
    fileprivate var json: JSON { ["items": .list(pins.map(\.json))] }

    fileprivate static let schema = JSONSchema.object(
        (
            "items",
            JSONSchema.list(
                JSONSchema.object(
                    (
                        "by",
                        JSONSchema.object(("id", JSONSchema.id), ("short", JSONSchema.text), ("name", JSONSchema.text))
                    ), ("at", JSONSchema.date), ("text", JSONSchema.text), ("line?", JSONSchema.named("Message"))))
        ))
}

extension RoomPin {
    fileprivate var json: JSON {
        .object(
            [("by", by.json), ("at", at.json), ("text", .text(text))] + (line.map { [("line", $0.json)] } ?? []))
    }
}

extension PinChange {
    var json: JSON {
        .object([("room", .text(room.text)), ("by", by.json)] + (pin.map { [("pin", $0.json)] } ?? []))
    }
}

extension RoomEvent.Person {
    fileprivate var json: JSON {
        ["id": .text(id.hex), "short": .text(id.short), "name": .text(name?.text ?? id.short)]
    }
}

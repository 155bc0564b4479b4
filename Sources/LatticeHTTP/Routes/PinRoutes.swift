import LatticeAPI
import LatticeCore

/// The pins of a room.
enum PinRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/rooms/{name}/pins", .anybody,
            RouteFacts(
                "pins", "The newest three pins of a room, at most one for each person.", RoomPins.schema), list),
        Route(
            .put, "/v1/rooms/{name}/pins", .person,
            RouteFacts(
                "pin",
                "Pins a line of the room, or a text of at most 300 bytes. It replaces your earlier pin in that room.",
                body: JSONSchema.object(("line?", JSONSchema.id), ("text?", JSONSchema.text)), RoomPins.schema), pin),
        Route(
            .delete, "/v1/rooms/{name}/pins", .person,
            RouteFacts("unpin", "Removes your pin from a room.", RoomPins.schema)
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
        // As with its messages, only the owner learns that a private room exists.
        if !call.isPerson, try await desk.me().privateRooms.contains(room) {
            return .json(RoomPins(room, []).json)
        }
        let pins = try await desk.perform(ListPins(room))
        return .json((call.isPerson || !pins.isPrivate ? pins : RoomPins(room, [])).json)
    }

    private static let pin: Route.Handler = { desk, call throws(HTTPProblem) in
        let (room, body) = (try call.room(), try call.body(Body.self))
        let pinned: SetPin.Pinned
        switch (body.line, body.text) {
        case (let line?, nil): pinned = .line(try RouteCall.line(line, "line"))
        case (nil, let text?): pinned = .text(text)
        default: throw .invalid(HTTPProblem.Fault("text", "give either a line or a text"))
        }
        do throws(RequestError) {
            return .json(try await desk.node.perform(SetPin(pinned, in: room)).json)
        } catch {
            throw problem(error)
        }
    }

    private static func problem(_ error: RequestError) -> HTTPProblem {
        let problem = HTTPProblem(error)
        return switch error {
        case .unknownLine: HTTPProblem(problem.status, problem.code, "This room has no such line.")
        case .lineDeleted:
            HTTPProblem(problem.status, problem.code, "This line was deleted by its author; pin another line.")
        default: problem
        }
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
    var json: JSON {
        ["id": .text(id.hex), "short": .text(id.short), "name": .text(name?.text ?? id.short)]
    }
}

import LatticeAPI
import LatticeCore

/// What may cross bridges to other networks.
enum CrossingRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/bridge", .person,
            RouteFacts(
                "crossing",
                "What of yours may cross bridges to other networks. Nothing does unless you have allowed it.",
                Crossing.schema)
        ) { desk, _ throws(HTTPProblem) in .json(try await desk.perform(ShowCrossing()).json) },
        Route(
            .put, "/v1/bridge", .person,
            RouteFacts(
                "setCrossing",
                "Allows that posts, your profile, private messages, and lines of the named public rooms cross bridges; or that nothing does.",
                body: JSONSchema.object(
                    ("allows", JSONSchema.flag),
                    ("rooms?", ["anyOf": [JSONSchema.list(JSONSchema.text), ["type": "null"]]])), Crossing.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(SetCrossing(rooms: try call.body(Body.self).names())).json)
        },
        Route(
            .get, "/v1/bridge/status", .owner,
            RouteFacts(
                "bridgeStatus", "How the programs that copy records between this node and brokers are doing.",
                ShowBridges.Reply.schema)
        ) { desk, _ throws(HTTPProblem) in .json(try await desk.perform(ShowBridges()).json) },
    ]

    private struct Body: Decodable {
        let allows: Bool
        let rooms: [String]?

        func names() throws(HTTPProblem) -> [RoomName]? {
            guard allows || rooms?.isEmpty ?? true else {
                throw .invalid(HTTPProblem.Fault("rooms", "name rooms only if you allow that something crosses"))
            }
            var names: [RoomName] = []
            for room in rooms ?? [] { names.append(try RouteCall.room(room, "rooms")) }
            return allows ? names : nil
        }
    }
}

extension Crossing {
    fileprivate var json: JSON {
        [
            "allows": .flag(allows), "rooms": .list(rooms.map { .text($0.text) }), "at": at?.json,
            "until": until?.json,
        ]
    }

    fileprivate static let schema = JSONSchema.object(
        ("allows", JSONSchema.flag), ("rooms", JSONSchema.list(JSONSchema.text)), ("at?", JSONSchema.date),
        ("until?", JSONSchema.date))
}

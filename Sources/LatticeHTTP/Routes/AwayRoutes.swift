import LatticeAPI
import LatticeCore

/// Being away: others see it, and only urgent messages ring.
enum AwayRoutes {
    static let all: [Route] = [
        Route(
            .put, "/v1/away", .person,
            RouteFacts(
                "setAway", "Marks you as away. The text gives the reason: at most 200 bytes, may be empty.",
                body: JSONSchema.object(("text?", ["anyOf": [JSONSchema.text, ["type": "null"]]])), SetAway.Reply.schema
            )
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(SetAway(try call.body(Body.self).text ?? "")).json)
        },
        Route(
            .delete, "/v1/away", .person,
            RouteFacts(
                "endAway", "Marks you as back, and returns how many notifications came while you were away.",
                SetAway.Reply.schema)
        ) { desk, _ throws(HTTPProblem) in .json(try await desk.perform(SetAway(nil)).json) },
    ]

    private struct Body: Decodable {
        let text: String?
    }
}

extension SetAway.Reply {
    fileprivate var json: JSON { ["away": .text(text), "missed": .integer(missed)] }

    fileprivate static let schema = JSONSchema.object(("away?", JSONSchema.text), ("missed", JSONSchema.integer))
}

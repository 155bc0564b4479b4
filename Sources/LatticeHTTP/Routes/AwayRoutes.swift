import LatticeAPI
import LatticeCore

/// Being away: others see it, and programs do not ring.
enum AwayRoutes {
    static let all: [Route] = [
        Route(
            .put, "/v1/away", .owner,
            RouteFacts(
                "setAway", "Says that you are away, and why in at most 200 bytes; the text may be empty.",
                body: JSONSchema.object(("text?", JSONSchema.text)), SetAway.Reply.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(SetAway(try call.body(Body.self).text ?? "")).json)
        },
        Route(
            .delete, "/v1/away", .owner,
            RouteFacts(
                "endAway", "Says that you are back, and tells how many notifications came while you were away.",
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

/// Live events (Server-Sent Events, WHATWG HTML section 9.2).
enum StreamRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/stream", .anybody,
            RouteFacts(
                name: "stream",
                summary:
                    "A stream of events (Server-Sent Events). Send `Last-Event-ID` to resume after a lost connection.",
                parameters: [
                    .init(
                        name: "last_event_id", schema: JSONSchema.text,
                        about: "The same as the header, for clients that cannot set it.")
                ],
                answers: [
                    .init(
                        status: 200, about: "A stream that stays open until the program ends.",
                        schemas: [(type: "text/event-stream", schema: JSONSchema.text)])
                ])
        ) { desk, call throws(HTTPProblem) in
            let after = call.call.headers["last-event-id"] ?? call.query("last_event_id")
            var reply = HTTPReply(200, type: "text/event-stream")
            reply.headers["cache-control"] = "no-store"
            reply.body = .stream(StreamWish(hub: desk.hub, isPrivate: call.isPerson, after: after))
            return reply
        }
    ]
}

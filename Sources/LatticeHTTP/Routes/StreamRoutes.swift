/// What happens, as it happens (Server-Sent Events, WHATWG HTML section 9.2).
enum StreamRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/stream", .anybody,
            RouteFacts(
                name: "stream",
                summary: "Events from now on; a stream that was lost goes on where it was, by `Last-Event-ID`.",
                parameters: [
                    .init(
                        name: "last_event_id", schema: Schema.text, about: "As the header, for whoever cannot set it.")
                ],
                answers: [
                    .init(
                        status: 200, about: "A stream that ends with the program.",
                        schemas: [(type: "text/event-stream", schema: Schema.text)])
                ])
        ) { _, call throws(HTTPProblem) in
            let after = call.call.headers["last-event-id"] ?? call.query("last_event_id")
            var reply = HTTPReply(200, type: "text/event-stream")
            reply.headers["cache-control"] = "no-store"
            reply.body = .stream(StreamWish(isOwner: call.isOwner, after: after))
            return reply
        }
    ]
}

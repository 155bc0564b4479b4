import LatticeAPI
import LatticeCore

/// What is urgent, until the owner dismisses it.
enum UrgentRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/urgent", .person,
            RouteFacts(
                "urgent", "Urgent lines and posts of the last 24 hours that you have not dismissed, newest first.",
                ListUrgent.Reply.schema)
        ) { desk, _ throws(HTTPProblem) in .json(try await desk.perform(ListUrgent()).json) },
        Route(
            .post, "/v1/urgent/dismissed", .person,
            RouteFacts(
                "dismissUrgent", "Dismisses one of them, or without a record all, in all your programs.",
                body: JSONSchema.object(("record?", ["anyOf": [JSONSchema.id, ["type": "null"]]])),
                DismissUrgent.Reply.schema), dismiss),
    ]

    private struct Dismissal: Decodable {
        let record: String?
    }

    private static let dismiss: Route.Handler = { desk, call throws(HTTPProblem) in
        let body = try call.body(Dismissal.self)
        let record = try body.record.map { (text) throws(HTTPProblem) in try RouteCall.line(text, "record") }
        return .json(try await desk.perform(DismissUrgent(record)).json)
    }
}

extension ListUrgent.Reply {
    fileprivate var json: JSON { ["items": .list(notifications.map(\.json))] }

    fileprivate static let schema = JSONSchema.object(("items", JSONSchema.list(JSONSchema.named("Notification"))))
}

extension DismissUrgent.Reply {
    fileprivate var json: JSON { ["records": .list(records.map { .text($0.hex) })] }

    fileprivate static let schema = JSONSchema.object(("records", JSONSchema.list(JSONSchema.id)))
}

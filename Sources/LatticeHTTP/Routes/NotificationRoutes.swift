import LatticeAPI

/// What others did that concerns the owner.
enum NotificationRoutes {
    static let all: [Route] = [
        Route(
            .get, "/v1/notifications", .person,
            RouteFacts(
                "notifications", "What others did that concerns you, newest first, and how much of it is new.",
                parameters: .paged, NotificationPage.schema)
        ) { desk, call throws(HTTPProblem) in
            .json(try await desk.perform(ListNotifications(try call.page())).json)
        },
        Route(
            .post, "/v1/notifications/seen", .person,
            RouteFacts(
                "notificationsSeen", "Nothing that is there now is new any more, in all your programs.",
                NotificationPage.schema)
        ) { desk, _ throws(HTTPProblem) in
            _ = try await desk.perform(MarkNotificationsSeen())
            return .json(try await desk.perform(ListNotifications()).json)
        },
        Route(
            .get, "/v1/notifications/switches", .person,
            RouteFacts(
                "notificationSwitches", "The kinds of notifications that are off.", SwitchNotifications.Reply.schema)
        ) { desk, _ throws(HTTPProblem) in .json(try await desk.perform(SwitchNotifications()).json) },
        Route(
            .put, "/v1/notifications/switches", .person,
            RouteFacts(
                "switchNotifications", "Turns kinds of notifications on or off.",
                body: JSONSchema.object(("kinds", JSONSchema.list(NotificationKind.schema)), ("on", JSONSchema.flag)),
                SwitchNotifications.Reply.schema), switched),
    ]

    private struct Switch: Decodable {
        let kinds: [String]
        let on: Bool
    }

    private static let switched: Route.Handler = { desk, call throws(HTTPProblem) in
        let body = try call.body(Switch.self)
        var kinds: [NotificationKind] = []
        for word in body.kinds {
            guard let kind = NotificationKind(rawValue: word) else {
                let words = NotificationKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid(HTTPProblem.Fault("kinds", "kinds has a word that is none of \(words)"))
            }
            kinds.append(kind)
        }
        return .json(try await desk.perform(SwitchNotifications(kinds, isOn: body.on)).json)
    }
}

import LatticeAPI

enum NotificationHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDesk(ListNotifications.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.notifications(request.page, at: now)
        }
        table.onDesk(SwitchNotifications.self, .personas) { desk, request, _ throws(RequestError) in
            try await desk.reader.switchNotifications(request)
        }
        registerUrgent(in: &table)
        table.onPersona(
            MarkNotificationsSeen.self,
            { node, persona, _ throws(RequestError) in
                let hasMoved = try await persona.storedArchive().reader.markNotificationsSeen()
                if hasMoved { node.notifier.deliver([.notificationsSeen], in: persona.visit, for: node) }
                return Done()
            },
            withoutNode: { store, _ throws(RequestError) in
                _ = try await store.archive.reader.markNotificationsSeen()
                return Done()
            })
    }

    private static func registerUrgent(in table: inout HandlerTable) {
        table.onPersona(
            ListUrgent.self,
            { node, persona, _ throws(RequestError) in
                let reader = try persona.storedArchive().reader
                let marks = persona.contactMarks
                return .init(
                    try await reader.urgent(at: node.clock.now, unheard: marks.unheard, muted: marks.muted))
            },
            withoutNode: { store, _ throws(RequestError) in
                let (marks, now) = (try store.contactMarks(), await store.time())
                return .init(
                    try await store.archive.reader.urgent(at: now, unheard: marks.unheard, muted: marks.muted))
            })
        table.onPersona(
            DismissUrgent.self,
            { node, persona, request throws(RequestError) in
                let dismissed = try await persona.storedArchive().reader.dismissUrgent(request.record)
                if !dismissed.isEmpty {
                    node.notifier.deliver([.urgentDismissed(dismissed)], in: persona.visit, for: node)
                }
                return .init(dismissed)
            },
            withoutNode: { store, request throws(RequestError) in
                .init(try await store.archive.reader.dismissUrgent(request.record))
            })
    }
}

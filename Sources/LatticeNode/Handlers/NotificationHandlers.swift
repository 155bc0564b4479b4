import LatticeAPI

enum NotificationHandlers {
    static func register(in table: inout HandlerTable) {
        table.onDesk(ListNotifications.self, .personas) { desk, request, now throws(RequestError) in
            try await desk.reader.notifications(request.page, at: now)
        }
        table.onDesk(SwitchNotifications.self, .personas) { desk, request, _ throws(RequestError) in
            try await desk.reader.switchNotifications(request)
        }
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
}

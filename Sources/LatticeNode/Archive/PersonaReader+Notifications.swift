import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// What others did that concerns a persona.
extension PersonaReader {
    func notifications(_ request: PageRequest, at now: WallTime) async throws(RequestError) -> NotificationPage {
        let limit = try checked(limit: request.limit)
        let before = try request.after.map { (cursor) throws(RequestError) in try Mark(cursor, .time) }
        let (found, next) = try await stored { () throws(StoreError) in
            try await store.notifications.newest(at: now, limit: limit, before: before?.time)
        }
        let newest = try await newest(at: now)
        return NotificationPage(
            notifications: try await infos(found, at: now), newCount: newest.count { $0.isNew },
            next: next.map { Mark(date: $0.date, seq: $0.seq).cursor(.time) })
    }

    /// Notes what concerns this persona, and finds it and what the records did among the newest.
    ///
    /// - Parameter fresh: lines that may not be stored yet.
    /// - Returns: the oldest first.
    func note(
        _ news: [NewNotification], and records: Set<RecordID>, fresh: [RecordID: Message], at now: WallTime
    ) async throws(RequestError) -> [NotificationInfo] {
        var added: Set<RecordID> = records
        if !news.isEmpty {
            let noted = try await stored { () throws(StoreError) in try await store.notifications.note(news) }
            added.formUnion(noted.map(\.subject))
        }
        guard !added.isEmpty else { return [] }
        return try await newest(at: now, fresh).filter { $0.isNew && added.contains($0.record) }.reversed()
    }

    /// - Returns: whether anything had not been seen.
    func markNotificationsSeen() async throws(RequestError) -> Bool {
        try await stored { () throws(StoreError) in try await store.notifications.markSeen() }
    }

    /// The last urgent message of each author, newest first; then, if there are fewer than `ListUrgent.shownMax`, earlier ones.
    /// So one author cannot push out the others.
    ///
    /// - Parameters:
    ///   - unheard: people whom the persona ignores or blocks.
    ///   - muted: rooms.
    func urgent(
        at now: WallTime, unheard: Set<PeerID>, muted: Set<RoomName>
    ) async throws(RequestError) -> [NotificationInfo] {
        let found = try await stored { () throws(StoreError) in try await store.notifications.urgent(at: now) }
        let all = try await infos(found, at: now).filter { one in
            !unheard.contains(one.by.id) && !(one.room.map { muted.contains($0) } ?? false)
        }
        var authors: Set<PeerID> = []
        let newest = all.filter { authors.insert($0.by.id).inserted }
        let ids = Set(newest.map(\.record))
        return Array((newest + all.filter { !ids.contains($0.record) }).prefix(ListUrgent.shownMax))
    }

    func dismissUrgent(_ record: RecordID?) async throws(RequestError) -> [RecordID] {
        try await stored { () throws(StoreError) in try await store.notifications.dismissUrgent(record) }
    }

    func switchNotifications(_ request: SwitchNotifications) async throws(RequestError) -> SwitchNotifications.Reply {
        let off = try await stored { () throws(StoreError) in
            if !request.kinds.isEmpty {
                try await store.notifications.turn(Set(request.kinds.map(\.stored)), on: request.isOn)
            }
            return try await store.notifications.off()
        }
        return .init(off: NotificationKind.allCases.filter { off.contains($0.stored) })
    }

    private func newest(
        at now: WallTime, _ fresh: [RecordID: Message] = [:]
    ) async throws(RequestError) -> [NotificationInfo] {
        let found = try await stored { () throws(StoreError) in
            try await store.notifications.newest(at: now, limit: NotificationPage.newMax).notifications
        }
        return try await infos(found, at: now, fresh)
    }

    /// Without those of blocked people, and of lines that are gone.
    private func infos(
        _ found: [StoredNotification], at now: WallTime, _ fresh: [RecordID: Message] = [:]
    ) async throws(RequestError) -> [NotificationInfo] {
        let blocked = store.blockedAuthors
        let shown = found.filter { !blocked.contains($0.by.peer) }
        let lines = try await lines(of: shown, at: now).merging(fresh) { stored, _ in stored }
        let deleted = try await deletedMessages(among: shown)
        let viewer = try await viewer()
        var infos: [NotificationInfo] = []
        for (one, by) in zip(shown, self.infos(shown.map(\.by))) {
            let line = lines[one.record]
            guard one.room == nil || line.map(one.holds) == true, !deleted.contains(one.record) else { continue }
            let shorts = try await shorts([one.item, one.comment].compactMap(\.self))
            var info = NotificationInfo(
                record: one.record, kind: NotificationKind(one.kind), by: by, at: one.date, isNew: one.isNew,
                room: one.room, text: line.flatMap { LineReference($0).text }, emoji: one.emoji,
                item: one.item.map { viewer.info($0, short: shorts[0]) },
                comment: one.comment.map { viewer.info($0, short: shorts[shorts.count - 1]) })
            if info.by.name == nil, one.kind != .reaction { info.by.name = line?.name.text }
            infos.append(info)
        }
        return infos
    }

    private func lines(
        of found: [StoredNotification], at now: WallTime
    ) async throws(RequestError) -> [RecordID: Message] {
        let lines = found.filter { $0.room != nil }
        let open = Array(Set(lines.filter { !$0.isPrivateRoom }.map(\.record)))
        let sealed = Array(Set(lines.filter(\.isPrivateRoom).map(\.record)))
        var all: [Message] = []
        if !open.isEmpty {
            let stored = try await stored { () throws(StoreError) in try await store.history.lines(open, at: now) }
            all += try await messages(stored, at: now)
        }
        if !sealed.isEmpty {
            let stored = try await stored { () throws(StoreError) in try await store.rooms.lines(sealed) }
            all += stored.map { Message($0, me: me) }
        }
        return Dictionary(all.map { ($0.record, $0) }) { first, _ in first }
    }

    private func deletedMessages(among found: [StoredNotification]) async throws(RequestError) -> Set<RecordID> {
        let ids = found.filter { $0.kind == .privateMessage }.map(\.record)
        guard !ids.isEmpty else { return [] }
        let messages = try await stored { () throws(StoreError) in try await store.messages.lines(ids) }
        return Set(messages.filter(\.isDeleted).compactMap(\.record))
    }
}

extension StoredNotification {
    /// Whether the line is still there, and its emoji still given.
    fileprivate func holds(_ line: Message) -> Bool {
        guard !line.isDeleted else { return false }
        guard kind == .reaction else { return true }
        return line.reactions.contains { $0.emoji == emoji && $0.by.contains(by.peer) }
    }
}

extension NotificationKind {
    fileprivate var stored: StoredNotification.Kind {
        switch self {
        case .mention: .mention
        case .privateMessage: .privateMessage
        case .reply: .reply
        case .reaction: .reaction
        case .comment: .comment
        case .like: .like
        case .follow: .follow
        case .attendance: .attendance
        case .post: .post
        case .urgent: .urgent
        }
    }

    fileprivate init(_ kind: StoredNotification.Kind) {
        guard let own = Self.allCases.first(where: { $0.stored == kind }) else {
            preconditionFailure("every stored kind is one of these")
        }
        self = own
    }
}

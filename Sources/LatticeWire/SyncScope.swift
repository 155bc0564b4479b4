package import LatticeCore

/// Which records are reconciled together: a group of kinds, or the chat lines of one room.
///
/// The kind alone decides the group, so that peers with different limits agree on it.
package struct SyncScope: Hashable, Comparable, Sendable {
    package enum Group: UInt64, CaseIterable, Hashable, Comparable, Sendable {
        /// Lines in rooms.
        case chat = 1
        /// Posts, comments, events, places, files and private messages.
        case posts = 2
        /// Profiles, likes, follows, attendances, prekeys, residences, reactions, pins, cards, words about crossing: of
        /// these only the newest is kept.
        case people = 3
        /// Edits and deletions.
        case changes = 4
        /// Kinds unknown to this version.
        case other = 5

        package static func < (left: Group, right: Group) -> Bool {
            left.rawValue < right.rawValue
        }

        /// - Returns: `nil` for a presence, which is not kept.
        package init?(of kind: RecordKind) {
            switch kind {
            case .presence: return nil
            case .chat: self = .chat
            case .post, .comment, .event, .place, .sealed, .manifest: self = .posts
            case .profile, .like, .follow, .attendance, .prekeys, .residence, .reaction, .pin, .card,
                .crossing:
                self = .people
            case .edit, .deletion: self = .changes
            default: self = .other
            }
        }
    }

    package let group: Group
    /// The topic of one room; `nil` for the whole group, and with every group but chat.
    package let room: [UInt8]?

    package init(_ group: Group, room: [UInt8]? = nil) {
        precondition(room == nil || group == .chat, "only the chat group has rooms")
        precondition((room?.count ?? 0) <= Record.topicBytesMax, "a room is a topic")
        self.group = group
        self.room = room
    }

    package static func < (left: SyncScope, right: SyncScope) -> Bool {
        guard left.group == right.group else { return left.group < right.group }
        return (left.room ?? []).lexicographicallyPrecedes(right.room ?? [])
    }
}

/// What a peer's store keeps. Only what both sides keep is reconciled: otherwise one side would send the other again
/// and again what it has evicted.
///
/// `keeping := count:varint (group:varint since:8)* hasRooms:1 (count:varint (topic:bytes)*)?`; unknown groups are skipped.
package struct Keeping: Hashable, Sendable {
    package static let groupsMax = 16
    package static let roomsMax = 64

    package struct Entry: Hashable, Sendable {
        package let group: SyncScope.Group
        /// Older records are not kept.
        package let since: HybridTime

        package init(_ group: SyncScope.Group, since: HybridTime) {
            self.group = group
            self.since = since
        }
    }

    /// In ascending order of groups; a missing group is not kept.
    package let entries: [Entry]
    /// The rooms whose chat is kept, ascending; `nil` for all rooms.
    package let rooms: [[UInt8]]?

    /// - Parameters:
    ///   - entries: at most one of each group, in any order.
    ///   - rooms: at most 64, each a topic.
    package init(_ entries: [Entry], rooms: [[UInt8]]? = nil) {
        let sorted = entries.sorted { $0.group < $1.group }
        precondition(zip(sorted, sorted.dropFirst()).allSatisfy { $0.group < $1.group }, "a group stands here once")
        precondition((rooms?.count ?? 0) <= Self.roomsMax, "a peer keeps at most 64 rooms")
        self.entries = sorted
        self.rooms = rooms?.sorted { $0.lexicographicallyPrecedes($1) }
    }

    package static let everything = Keeping(
        SyncScope.Group.allCases.map { Entry($0, since: HybridTime(rawValue: 0)) })

    package func since(_ group: SyncScope.Group) -> HybridTime? {
        entries.first { $0.group == group }?.since
    }

    /// What both keep, ascending: each scope with the later of the two dates.
    package func overlap(with other: Keeping) -> [(scope: SyncScope, since: HybridTime)] {
        var common: [(scope: SyncScope, since: HybridTime)] = []
        for entry in entries {
            guard let theirs = other.since(entry.group) else { continue }
            let since = max(entry.since, theirs)
            switch (entry.group, rooms, other.rooms) {
            case (.chat, let rooms?, let others?):
                for room in rooms where others.contains(room) { common.append((SyncScope(.chat, room: room), since)) }
            case (.chat, let rooms?, nil), (.chat, nil, let rooms?):
                for room in rooms { common.append((SyncScope(.chat, room: room), since)) }
            default: common.append((SyncScope(entry.group), since))
            }
        }
        return common
    }
}

import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Which records of others this machine keeps.
extension Archive {
    func retention() async throws(RequestError) -> RetentionRule {
        RetentionRule(try await stored { () throws(StoreError) in try await store.upkeep.retention() })
    }

    /// - Returns: the rule in effect.
    func setRetention(_ rule: RetentionRule) async throws(RequestError) -> RetentionRule {
        let wanted = StoredRetention(rule)
        try await stored { () throws(StoreError) in try await store.upkeep.setRetention(wanted) }
        return try await retention()
    }
}

extension RetentionRule {
    fileprivate init(_ rule: StoredRetention) {
        let groups = rule.groups.map { groups in
            Set(Group.allCases.filter { groups.contains(SyncScope.Group($0)) })
        }
        // Skips a topic that is not a room's name; it was not set here.
        let rooms = rule.rooms?.compactMap { topic in
            Result { try RoomName(String(decoding: topic, as: UTF8.self)) }.success
        }
        self.init(groups: groups, rooms: rooms, days: rule.days)
    }
}

extension StoredRetention {
    /// Edits and deletions are kept with the records they belong to.
    fileprivate init(_ rule: RetentionRule) {
        self.init(
            groups: rule.groups.map { Set($0.map(SyncScope.Group.init)).union([.changes]) },
            rooms: rule.rooms?.map { Array($0.text.utf8) }, days: rule.days)
    }
}

extension SyncScope.Group {
    fileprivate init(_ group: RetentionRule.Group) {
        self =
            switch group {
            case .chat: .chat
            case .posts: .posts
            case .people: .people
            }
    }
}

extension Result {
    fileprivate var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}

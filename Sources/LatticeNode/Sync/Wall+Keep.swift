import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Which records of others this machine keeps.
extension Wall {
    func keepRule() async throws(RequestError) -> LatticeAPI.KeepRule {
        LatticeAPI.KeepRule(try await stored { () throws(StoreError) in try await store.upkeep.keepRule() })
    }

    /// - Returns: the rule in effect.
    func setKeepRule(_ rule: LatticeAPI.KeepRule) async throws(RequestError) -> LatticeAPI.KeepRule {
        let wanted = LatticeStore.KeepRule(rule)
        try await stored { () throws(StoreError) in try await store.upkeep.setKeepRule(wanted) }
        return try await keepRule()
    }
}

extension LatticeAPI.KeepRule {
    fileprivate init(_ rule: LatticeStore.KeepRule) {
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

extension LatticeStore.KeepRule {
    /// Edits and deletions are kept with the records they belong to.
    fileprivate init(_ rule: LatticeAPI.KeepRule) {
        self.init(
            groups: rule.groups.map { Set($0.map(SyncScope.Group.init)).union([.changes]) },
            rooms: rule.rooms?.map { Array($0.text.utf8) }, days: rule.days)
    }
}

extension SyncScope.Group {
    fileprivate init(_ group: LatticeAPI.KeepRule.Group) {
        self =
            switch group {
            case .chat: .chat
            case .wall: .wall
            case .people: .people
            }
    }
}

extension Result {
    fileprivate var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}

import GRDB
import LatticeCore
package import LatticeWire

/// What somebody chooses to keep of what others say; their own is always kept.
package struct KeepRule: Hashable, Sendable {
    package static let roomsMax = Keeping.roomsMax
    /// The longest lifetime: more days leave nothing out.
    package static let daysMax = 365

    /// `nil` for all.
    package var groups: Set<SyncScope.Group>?
    /// Topics, of which the chat is kept; `nil` for all.
    package var rooms: [[UInt8]]?
    /// How old strangers' things may be. What those write whom one follows may be older.
    package var days: Int?

    /// - Parameters:
    ///   - rooms: at most 64, each a topic.
    ///   - days: 1–365.
    package init(groups: Set<SyncScope.Group>? = nil, rooms: [[UInt8]]? = nil, days: Int? = nil) {
        precondition((rooms?.count ?? 0) <= Self.roomsMax, "at most 64 rooms are chosen")
        precondition(rooms?.allSatisfy { $0.count <= LatticeWire.Record.topicBytesMax } ?? true, "a room is a topic")
        precondition(days.map { 1...Self.daysMax ~= $0 } ?? true, "one day to a year")
        self.groups = groups
        self.rooms = rooms
        self.days = days
    }

    /// Everything.
    package static let everything = KeepRule()

    // MARK: Judging

    /// Of others: that it is of a group or room that is not kept.
    func leavesOut(_ row: RecordRow) -> Bool {
        guard let group = SyncScope.Group(of: row.kind) else { return true }
        // It may be for the owner, which cannot be seen yet.
        if row.kind == .sealed { return false }
        if let groups, !groups.contains(group) { return true }
        guard group == .chat, let rooms else { return false }
        return !rooms.contains(row.topic)
    }

    /// What strangers said before it is not kept, by the date that a row is aged by.
    func since(at now: Int64) -> Int64? {
        days.map { now - Int64($0) * 86_400_000 }
    }

    // MARK: In the file

    /// Three fields, `-` for all: numbers of groups, topics in hexadecimal, days.
    private var text: String {
        let groups = groups.map { $0.sorted().map { "\($0.rawValue)" }.joined(separator: ",") }
        // An empty topic is a topic, so each has a dot before it.
        let rooms = rooms.map { $0.map { "." + Hex.string($0) }.joined(separator: ",") }
        return [groups, rooms, days.map { "\($0)" }].map { $0 ?? "-" }.joined(separator: ";")
    }

    /// What does not read as a rule leaves nothing out: rather too much is kept than too little.
    private static func read(_ text: String) -> KeepRule {
        let fields = text.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.count == 3 else { return .everything }
        let groups = fields[0].split(separator: ",").compactMap { UInt64($0).flatMap(SyncScope.Group.init(rawValue:)) }
        let rooms = fields[1].split(separator: ",").compactMap { Hex.bytes($0.dropFirst()) }
        guard rooms.count <= roomsMax, rooms.allSatisfy({ $0.count <= LatticeWire.Record.topicBytesMax }) else {
            return .everything
        }
        return KeepRule(
            groups: fields[0] == "-" ? nil : Set(groups), rooms: fields[1] == "-" ? nil : rooms,
            days: Int(fields[2]).flatMap { 1...daysMax ~= $0 ? $0 : nil })
    }

    static func stored(in database: Database) throws -> KeepRule {
        try Settings.value(.keep, in: database).map(read) ?? .everything
    }

    func store(in database: Database) throws {
        try Settings.set(.keep, self == .everything ? nil : text, in: database)
        try Settings.set(.swept, groups == nil && rooms == nil ? nil : "0", in: database)
        try Settings.set(.aged, nil, in: database)
    }
}

extension Store {
    package func keepRule() async throws(StoreError) -> KeepRule {
        try await read { try KeepRule.stored(in: $0) }
    }

    /// What is outside goes bit by bit, with what expires.
    package func setKeepRule(_ rule: KeepRule) async throws(StoreError) {
        try await writer.commit { transaction in
            try rule.store(in: transaction.database)
            transaction.state.rule = rule
        }
    }
}

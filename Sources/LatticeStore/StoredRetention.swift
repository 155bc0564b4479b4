import GRDB
import LatticeCore
package import LatticeWire

/// Which records of others a person chooses to keep; own records are always kept.
package struct StoredRetention: Hashable, Sendable {
    package static let roomsMax = Keeping.roomsMax
    /// The longest lifetime: more days exclude nothing.
    package static let daysMax = 365

    /// `nil` is all groups.
    package var groups: Set<SyncScope.Group>?
    /// Topics of rooms whose chat is kept; `nil` is all.
    package var rooms: [[UInt8]]?
    /// Age limit for strangers' records. Followed people's may be older.
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

    package static let everything = StoredRetention()

    /// Whether another person's record belongs to a group or room that is not kept.
    func leavesOut(_ row: RecordRow) -> Bool {
        guard let group = SyncScope.Group(of: row.kind) else { return true }
        // It may be for the owner, which is not known before it is opened.
        if row.kind == .sealed { return false }
        if let groups, !groups.contains(group) { return true }
        guard group == .chat, let rooms else { return false }
        return !rooms.contains(row.topic)
    }

    /// Strangers' records from before this are not kept; compares the date by which a row ages.
    func since(at now: Int64) -> Int64? {
        days.map { now - Int64($0) * 86_400_000 }
    }

    /// Three fields, `-` for all: numbers of groups, topics in hexadecimal, days.
    private var text: String {
        let groups = groups.map { $0.sorted().map { "\($0.rawValue)" }.joined(separator: ",") }
        // An empty topic is valid, so each topic has a dot before it.
        let rooms = rooms.map { $0.map { "." + Hex.string($0) }.joined(separator: ",") }
        return [groups, rooms, days.map { "\($0)" }].map { $0 ?? "-" }.joined(separator: ";")
    }

    /// An unreadable rule excludes nothing: keeping too much is better than keeping too little.
    private static func read(_ text: String) -> StoredRetention {
        let fields = text.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.count == 3 else { return .everything }
        let groups = fields[0].split(separator: ",").compactMap { UInt64($0).flatMap(SyncScope.Group.init(rawValue:)) }
        let rooms = fields[1].split(separator: ",").compactMap { Hex.bytes($0.dropFirst()) }
        guard rooms.count <= roomsMax, rooms.allSatisfy({ $0.count <= LatticeWire.Record.topicBytesMax }) else {
            return .everything
        }
        return StoredRetention(
            groups: fields[0] == "-" ? nil : Set(groups), rooms: fields[1] == "-" ? nil : rooms,
            days: Int(fields[2]).flatMap { 1...daysMax ~= $0 ? $0 : nil })
    }

    static func stored(in database: Database) throws -> StoredRetention {
        try StoredSettings.value(.keep, in: database).map(read) ?? .everything
    }

    func store(in database: Database) throws {
        try StoredSettings.set(.keep, self == .everything ? nil : text, in: database)
        try StoredSettings.set(.swept, groups == nil && rooms == nil ? nil : "0", in: database)
        try StoredSettings.set(.aged, nil, in: database)
    }
}

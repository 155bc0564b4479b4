/// What a record says, by number. One table; a number is never used twice.
package struct RecordKind: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// A line said in a room: `ChatLine`.
    package static let chat = RecordKind(rawValue: 1)
    /// Who is here under which name and in which rooms: `Presence`. Only an author's newest counts.
    package static let presence = RecordKind(rawValue: 2)

    package static func < (left: RecordKind, right: RecordKind) -> Bool {
        left.rawValue < right.rawValue
    }
}

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
    /// Who somebody is: `ProfileBody`. Only an author's newest counts.
    package static let profile = RecordKind(rawValue: 3)
    /// Something left at a place: `PostBody`.
    package static let post = RecordKind(rawValue: 4)
    /// Something said about a post or an event, which the topic names: `CommentBody`.
    package static let comment = RecordKind(rawValue: 5)
    /// That somebody likes what the topic names, or does no more: `Statement`. Only an author's newest of a topic counts.
    package static let like = RecordKind(rawValue: 6)
    /// That somebody follows the peer that the topic names, or does no more: `Statement`. Only the newest counts.
    package static let follow = RecordKind(rawValue: 7)
    /// Something that takes place: `EventBody`.
    package static let event = RecordKind(rawValue: 8)
    /// That somebody comes to the event that the topic names, or does not: `Statement`. Only the newest counts.
    package static let attendance = RecordKind(rawValue: 9)
    /// The body of a post, comment or event of the same author, which the topic names, as it is to be from now on.
    package static let edit = RecordKind(rawValue: 10)
    /// Takes back what the topic names; the body is empty.
    package static let deletion = RecordKind(rawValue: 11)
    /// A letter that only one person can open: `SealedBody`. The topic is empty, so that nobody sees for whom it is.
    package static let sealed = RecordKind(rawValue: 12)
    /// The keys with which to seal for its author: `PrekeysBody`. Only an author's newest counts.
    package static let prekeys = RecordKind(rawValue: 13)
    /// That its author speaks through the node that the topic names: `ResidenceBody`. Only the newest of both counts.
    package static let residence = RecordKind(rawValue: 14)

    /// Whether an author's newest record of this kind and topic stands for all that came before it.
    package var isReplaceable: Bool {
        switch self {
        case .presence, .profile, .like, .follow, .attendance, .prekeys, .residence: true
        default: false
        }
    }

    package static func < (left: RecordKind, right: RecordKind) -> Bool {
        left.rawValue < right.rawValue
    }
}

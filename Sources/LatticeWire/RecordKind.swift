/// The kind of a record. This is the only table of kinds; a number is never reused.
package struct RecordKind: Hashable, Comparable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// A line said in a room: `ChatLine`.
    package static let chat = RecordKind(rawValue: 1)
    /// That a peer is here, its name and its rooms: `Presence`. Only an author's newest counts.
    package static let presence = RecordKind(rawValue: 2)
    /// A person's profile: `ProfileBody`. Only an author's newest counts.
    package static let profile = RecordKind(rawValue: 3)
    /// A post at a place: `PostBody`.
    package static let post = RecordKind(rawValue: 4)
    /// A comment on the post or event in the topic: `CommentBody`.
    package static let comment = RecordKind(rawValue: 5)
    /// That the author likes the record in the topic, or no longer does: `Statement`. Only an author's newest per topic
    /// counts.
    package static let like = RecordKind(rawValue: 6)
    /// That the author follows the peer in the topic, or no longer does: `Statement`. Only the newest counts.
    package static let follow = RecordKind(rawValue: 7)
    /// An event: `EventBody`.
    package static let event = RecordKind(rawValue: 8)
    /// That the author attends the event in the topic, or does not: `Statement`. Only the newest counts.
    package static let attendance = RecordKind(rawValue: 9)
    /// A new body for the author's own chat line, post, comment, event or place in the topic.
    package static let edit = RecordKind(rawValue: 10)
    /// Deletes the record in the topic; the body is empty.
    package static let deletion = RecordKind(rawValue: 11)
    /// A private message that only one person can open: `SealedBody`. The topic is empty, so that nobody sees for whom
    /// it is.
    package static let sealed = RecordKind(rawValue: 12)
    /// Keys for sealing private messages to the author: `PrekeysBody`. Only an author's newest counts.
    package static let prekeys = RecordKind(rawValue: 13)
    /// That the author is a persona of the node in the topic: `ResidenceBody`. Only the newest per author and topic
    /// counts.
    package static let residence = RecordKind(rawValue: 14)
    /// The author's reaction to the record that its topic names, with the emoji in the topic, too: `ReactionTopic` and
    /// `Statement`. Only the newest per author and topic counts, so that each emoji is given and taken back by itself.
    package static let reaction = RecordKind(rawValue: 15)
    /// A file: `ManifestBody`.
    package static let manifest = RecordKind(rawValue: 16)
    /// A place that has a name: `PlaceBody`. The topic is empty, or the id of the place that it is part of.
    package static let place = RecordKind(rawValue: 17)
    /// A pin of the room in the topic, or its removal: `PinBody`. Only the newest per author and topic counts.
    package static let pin = RecordKind(rawValue: 18)
    /// What a person says about the mesh, and its defaults: `MeshCardBody`. Only an author's newest counts.
    package static let card = RecordKind(rawValue: 19)
    /// What of its author's may cross bridges: `CrossingBody`. Only an author's newest counts.
    package static let crossing = RecordKind(rawValue: 20)

    /// Whether an author's newest record of this kind and topic replaces all earlier ones.
    package var isReplaceable: Bool {
        switch self {
        case .presence, .profile, .like, .follow, .attendance, .prekeys, .residence, .reaction, .pin, .card,
            .crossing:
            true
        default: false
        }
    }

    package static func < (left: RecordKind, right: RecordKind) -> Bool {
        left.rawValue < right.rawValue
    }
}

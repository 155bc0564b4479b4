package import LatticeCore
package import LatticeWire

/// A post, comment or event as it is now: edits applied, reactions counted. Nothing is withheld here.
package struct StoredItem: Hashable, Sendable {
    package enum State: Int, Hashable, Sendable {
        case shown = 0
        case deletedByAuthor = 1
        /// A comment, by the author of what it is about.
        case deletedByParentAuthor = 2
    }

    /// The order in which records came here.
    package let seq: Int64
    package let id: RecordID
    /// `post`, `comment` or `event`.
    package let kind: RecordKind
    package let author: PeerID
    /// The author's name as in the record, or as in their profile where there is one.
    package let authorName: String
    package let authorColour: Colour?
    package let date: WallTime
    package let expires: WallTime
    package let state: State
    package let parent: RecordID?
    package let title: String
    package let text: String
    /// A post's place by name, an event's address.
    package let placeName: String
    package let place: Place?
    package let starts: WallTime?
    package let ends: WallTime?
    package let edited: WallTime?
    package let likes: Int
    package let comments: Int
    package let attendees: Int
    package let isLikedByOwner: Bool
    package let isAttendedByOwner: Bool
    /// Own, and nobody has confirmed it yet.
    package let isWaiting: Bool
}

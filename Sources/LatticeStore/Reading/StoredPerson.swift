package import LatticeCore
package import LatticeWire

/// What is known of somebody.
package struct StoredPerson: Hashable, Sendable {
    package let peer: PeerID
    /// From the profile, else from their newest post; `nil` until one came.
    package let name: String?
    package let about: String
    package let colour: Colour?
    package let isFollowedByOwner: Bool
    package let posts: Int
    package let followers: Int
    package let following: Int
}

/// What somebody did to what is the owner's.
package struct StoredActivity: Hashable, Sendable {
    package let seq: Int64
    package let record: RecordID
    /// `comment`, `like`, `follow` or `attendance`.
    package let kind: RecordKind
    package let by: StoredPerson
    package let date: WallTime
    /// What it was done to; `nil` for a follow.
    package let item: StoredItem?
    /// A comment itself.
    package let comment: StoredItem?

    /// Where a page ends that ends with this.
    package var mark: TimeMark { TimeMark(date: date, seq: seq) }
}

package import LatticeCore
package import LatticeWire

package struct StoredPerson: Hashable, Sendable {
    package let peer: PeerID
    /// From the profile, otherwise from their newest post; `nil` if there is neither.
    package let name: String?
    package let about: String
    package let colour: Colour?
    package let isFollowedByOwner: Bool
    package let posts: Int
    package let followers: Int
    package let following: Int
}

/// Something another person did to the owner or an item of theirs.
package struct StoredActivity: Hashable, Sendable {
    package let seq: Int64
    package let record: RecordID
    /// `comment`, `like`, `follow` or `attendance`.
    package let kind: RecordKind
    package let by: StoredPerson
    package let date: WallTime
    /// The item it was done to; `nil` for a follow.
    package let item: StoredItem?
    package let comment: StoredItem?
}

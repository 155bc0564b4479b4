package import LatticeCore

package struct StoredPerson: Hashable, Sendable {
    package let peer: PeerID
    /// From the profile, otherwise from their newest post; `nil` if there is neither.
    package let name: String?
    package let about: String
    package let colour: Colour?
    package let photo: StoredPhoto?
    package let isFollowedByOwner: Bool
    package let posts: Int
    package let followers: Int
    package let following: Int
}

package import LatticeCore

/// What happened in or around a room and concerns one person alone. Told to those who come through a node that several people use: their
/// front has lines and words of its own for it. Whoever runs the node is told by a `Notice`.
package struct RoomEvent: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        /// `by` is in a private room now.
        case came
        /// `by` left a private room for good.
        case left
        /// `by` sent `others` the key of a private room.
        case invited
        /// `by` made a new key for a private room, which all have but `others`.
        case removed
        /// `by` invites this person to a private room. Comes once in a visit for each invitation that waits.
        case invitation
        /// `by` speaks in a private room with an older key and does not read what is said there now. Told once of each person.
        case oldKey
        /// A line that this person said in a public room goes out and is not kept here, for a `reason`.
        case notKept
    }

    /// Somebody, as they are called as far as that is known.
    package struct Person: Hashable, Sendable, Codable {
        package let id: PeerID
        package let name: PeerName?

        package init(_ id: PeerID, _ name: PeerName?) {
            (self.id, self.name) = (id, name)
        }
    }

    package let kind: Kind
    package let room: RoomName
    package let by: Person
    package let others: [Person]
    /// One sentence that says what to do; of `notKept` alone.
    package let reason: String?

    package init(_ kind: Kind, _ room: RoomName, by: Person, others: [Person] = [], reason: String? = nil) {
        (self.kind, self.room, self.by, self.others, self.reason) = (kind, room, by, others, reason)
    }
}

package import LatticeCore

/// Something in or around a room that concerns one person. Sent to visitors of a shared node, whose front has its own lines
/// and words for it. The node's owner gets a `Notice` instead.
package struct RoomEvent: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case came
        case left
        /// `by` sent `others` the key of a private room.
        case invited
        /// `by` made a new key for a private room, which everybody but `others` has.
        case removed
        /// `by` invites this person to a private room. Sent once a visit for each pending invitation.
        case invitation
        /// `by` speaks in a private room with an older key and cannot read the room now. Sent once for each person.
        case oldKey
        /// A line that this person said in a public room is sent but not stored here, for a `reason`.
        case notKept
    }

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
    /// Only for `notKept`.
    package let reason: StoreFault?

    package init(_ kind: Kind, _ room: RoomName, by: Person, others: [Person] = [], reason: StoreFault? = nil) {
        (self.kind, self.room, self.by, self.others, self.reason) = (kind, room, by, others, reason)
    }
}

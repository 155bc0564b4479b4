package import LatticeCore

/// What may be asked of rooms that only their members read. Each case names its `RoomAnswer`.
package enum RoomRequest: Hashable, Sendable {
    /// Which rooms are private here. Answer: `rooms`.
    case list
    /// Enters a private room: with a key the one of that key, without one a room that is held here or that one is invited to.
    /// Answer: `entered`; of no room where none is held and nobody invited.
    case enter(RoomName, key: TypedKey?)
    /// Makes a room with a new key. Answer: `entered`.
    case create(RoomName)
    /// The present key as text. Answer: `key`.
    case key(RoomName)
    /// Sends somebody the key; they come in if they like. Answer: `done`.
    case invite(PeerID, name: PeerName?, RoomName)
    /// Makes a new key and sends it to all but one. Answer: `done`.
    case remove(PeerID, RoomName)
    /// Answer: `members`.
    case members(RoomName)
    /// Leaves for good: the key and what was said are deleted here. Answer: `done`.
    case forget(RoomName)
}

/// What a front gets for a `RoomRequest`.
package enum RoomAnswer: Hashable, Sendable {
    case done
    case rooms([RoomName])
    /// Those who are known to be in it; `nil` if there is no such room.
    case entered([RoomMember]?)
    case key(String)
    case members([RoomMember])
}

/// Somebody in a private room, or invited to it.
package struct RoomMember: Hashable, Sendable, Codable {
    package enum State: String, Hashable, Sendable, Codable {
        /// In the room, and in the mesh right now.
        case here
        /// In the room, and not to be reached right now.
        case away
        /// Was sent the key, and was not heard in the room yet.
        case invited
    }

    package let id: PeerID
    /// As somebody in the room told last.
    package let name: PeerName?
    package let state: State

    package init(id: PeerID, name: PeerName?, state: State) {
        self.id = id
        self.name = name
        self.state = state
    }
}

/// A key as somebody typed it. It describes itself as nothing, so that no log has it.
package struct TypedKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package let bytes: [UInt8]

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var description: String { "a key" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

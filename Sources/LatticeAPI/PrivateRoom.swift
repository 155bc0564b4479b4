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

/// A key or password as somebody typed it, on its way to whoever makes a secret of it. It describes itself as nothing, so that no log has
/// it, and its bytes are overwritten when nobody has it any more. What it was made of is its maker's to wipe: a `String` cannot be.
package struct TypedKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let storage: TypedBytes

    /// Not to be kept: whoever keeps them has a copy that nobody overwrites.
    package var bytes: [UInt8] { storage.bytes }

    package init(_ text: String) {
        storage = TypedBytes(text.utf8)
    }

    package init(_ bytes: some Collection<UInt8>) {
        storage = TypedBytes(bytes)
    }

    /// Of bytes that nobody needs afterwards: they are overwritten, as far as nobody else has them.
    package init(wiping bytes: inout [UInt8]) {
        self.init(bytes)
        for index in bytes.indices { bytes[index] = 0 }
    }

    package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    package var description: String { "a key" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Bytes that are overwritten in the end.
// Safety: they are written when it is made and when it ends, and at no other time.
private final class TypedBytes: @unchecked Sendable {
    private(set) var bytes: [UInt8]

    /// A copy of its own, whoever else has these.
    init(_ bytes: some Collection<UInt8>) {
        var own: [UInt8] = []
        own.reserveCapacity(bytes.count)
        for byte in bytes { own.append(byte) }
        self.bytes = own
    }

    deinit {
        for index in bytes.indices { bytes[index] = 0 }
    }
}

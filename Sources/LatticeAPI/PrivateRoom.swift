package import LatticeCore

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

/// As text: a program that may use a node's socket belongs to the person who typed it.
extension TypedKey: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: bytes, as: UTF8.self))
    }
}

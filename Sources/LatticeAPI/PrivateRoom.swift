package import LatticeCore

package struct RoomMember: Hashable, Sendable, Codable {
    package enum State: String, Hashable, Sendable, Codable {
        /// In the room and reachable now.
        case here
        /// In the room and not reachable now.
        case away
        /// Has been sent the key and has not spoken in the room yet.
        case invited
    }

    package let id: PeerID
    /// The last name that a member of the room reported.
    package let name: PeerName?
    package let state: State

    package init(id: PeerID, name: PeerName?, state: State) {
        self.id = id
        self.name = name
        self.state = state
    }
}

/// A key or password as typed, before a secret is made of it. Its description hides it from logs, and its
/// bytes are overwritten when it is released. The maker wipes what it was made of: a `String` cannot be wiped.
package struct TypedKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let storage: TypedBytes

    /// Do not store these: nobody overwrites a copy.
    package var bytes: [UInt8] { storage.bytes }

    package init(_ text: String) {
        storage = TypedBytes(text.utf8)
    }

    package init(_ bytes: some Collection<UInt8>) {
        storage = TypedBytes(bytes)
    }

    /// Copies the bytes and overwrites the caller's; other copies of those remain.
    package init(wiping bytes: inout [UInt8]) {
        self.init(bytes)
        for index in bytes.indices { bytes[index] = 0 }
    }

    package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    package var description: String { "a key" }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Bytes that are overwritten on release.
// Safety: they are written when it is made and when it ends, and at no other time.
private final class TypedBytes: @unchecked Sendable {
    private(set) var bytes: [UInt8]

    /// Copies the bytes, even if others share their storage.
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

/// Encoded as plain text: a program that may use a node's socket belongs to the person who typed it.
extension TypedKey: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: bytes, as: UTF8.self))
    }
}

package import LatticeCore

/// What each side tells of itself inside the handshake (the payload of Noise messages 2 and 3).
///
/// `introduction := key:32 signature:64 instance:8 clock:8 port:varint capabilities:varint name:bytes`, and whatever
/// follows is skipped: a later version may say more.
package struct Introduction: Hashable, Sendable {
    package static let bytesMax = 1_024
    /// What the signature covers before the X25519 static key of the handshake.
    package static let signatureContext = Array("lattice noise static key v1".utf8)

    package let peer: PeerID
    /// Ed25519 over `signatureContext` ‖ the X25519 static key: binds the identity to this session.
    package let signature: [UInt8]
    /// Drawn anew by every start of the program; tells a peer that was restarted from one that dials twice.
    package let instance: UInt64
    /// The wall clock of the sender, for telling people about skewed clocks and for nothing else.
    package let clock: WallTime
    /// The port on which the sender listens; 0 when it does not.
    package let port: UInt16
    /// Bits that say more of the sender; those that are not known are skipped.
    package let capabilities: UInt64
    /// The sender is a command that runs for a moment: fronts do not announce it.
    package static let briefCapability: UInt64 = 1
    package let name: PeerName

    package init(
        peer: PeerID, signature: [UInt8], instance: UInt64, clock: WallTime, port: UInt16, capabilities: UInt64,
        name: PeerName
    ) {
        precondition(signature.count == Record.signatureBytes, "an Ed25519 signature has 64 bytes")
        self.peer = peer
        self.signature = signature
        self.instance = instance
        self.clock = clock
        self.port = port
        self.capabilities = capabilities
        self.name = name
    }

    package var isBrief: Bool { capabilities & Self.briefCapability != 0 }

    package init(decoding bytes: ArraySlice<UInt8>) throws(WireError) {
        guard bytes.count <= Self.bytesMax else {
            throw .tooLong(field: "introduction", bytes: bytes.count, bytesMax: Self.bytesMax)
        }
        var reader = ByteReader(bytes)
        guard let key = Bytes32(try reader.fixed(32, "peer key")) else { throw .truncated(field: "peer key") }
        let signature = Array(try reader.fixed(Record.signatureBytes, "peer signature"))
        let instance = try reader.integer(bytes: 8, "instance")
        let clock = try reader.integer(bytes: 8, "clock")
        guard let port = UInt16(exactly: try reader.varint("port")) else { throw .outOfRange(field: "port") }
        let capabilities = try reader.varint("capabilities")
        let name = try reader.peerName("peer name")
        self.init(
            peer: PeerID(key), signature: signature, instance: instance,
            clock: WallTime(milliseconds: Int64(clamping: clock)), port: port, capabilities: capabilities, name: name
        )
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(reserving: 192)
        writer.fixed(peer.key)
        writer.fixed(signature)
        writer.integer(instance, bytes: 8)
        writer.integer(UInt64(clamping: clock.milliseconds), bytes: 8)
        writer.varint(UInt64(port))
        writer.varint(capabilities)
        writer.text(name.text)
        return writer.bytes
    }
}

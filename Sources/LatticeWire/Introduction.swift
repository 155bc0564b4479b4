package import LatticeCore

/// What each side says about itself in the handshake (the payload of Noise messages 2 and 3).
///
/// `introduction := key:32 signature:64 instance:8 clock:8 port:varint capabilities:varint name:bytes`; anything after
/// that is ignored, for later versions.
package struct Introduction: Hashable, Sendable {
    package static let bytesMax = 1_024
    /// What the signature covers before the X25519 static key of the handshake.
    package static let signatureContext = Array("lattice noise static key v1".utf8)

    package let peer: PeerID
    /// Ed25519 over `signatureContext` ‖ the X25519 static key: binds the identity to this session.
    package let signature: [UInt8]
    /// Random for each start of the program: distinguishes a restarted peer from one that dials twice.
    package let instance: UInt64
    /// The sender's wall clock, used only to warn people about skewed clocks.
    package let clock: WallTime
    /// The port that the sender listens on; 0 if it does not listen.
    package let port: UInt16
    /// Flags about the sender; unknown ones are ignored.
    package let capabilities: UInt64
    /// The sender is a command that runs briefly: fronts do not announce it.
    package static let briefCapability: UInt64 = 1
    /// The sender exchanges blobs.
    package static let blobsCapability: UInt64 = 2
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

    package var exchangesBlobs: Bool { capabilities & Self.blobsCapability != 0 }
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

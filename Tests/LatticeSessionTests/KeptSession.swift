import Foundation
import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

/// A session as it was recorded once: the keys of both sides, and every byte that either sent.
struct KeptSession: Codable, Equatable {
    /// One of the two; keys in hexadecimal.
    struct Side: Codable, Equatable {
        var seed: String
        var staticKey: String
        var ephemeralKey: String
        var name: String
        var instance: UInt64
        var clockMilliseconds: Int64
        var port: UInt16
        var capabilities: UInt64
    }

    enum Role: String, Codable {
        case initiator
        case responder
    }

    /// What one side said at once, after the handshake.
    struct Turn: Codable, Equatable {
        var by: Role
        /// Before they were sealed, in hexadecimal: frames, or the messages of a stream.
        var said: [String]
        /// What the other side takes out of it: no frame of an unknown type, and what seals with the next key.
        var heard: [String]
        /// As it went over the wire.
        var bytes: String
    }

    /// Whether it is a stream over relays rather than a link.
    var isStream: Bool
    /// The passphrase of a closed mesh.
    var passphrase: String?
    var mesh: String
    var rekeyIntervalMessages: UInt64
    var initiator: Side
    var responder: Side
    /// With their length prefixes.
    var handshake: [String]
    /// A stream does not tell it.
    var handshakeHash: String?
    var turns: [Turn]

    /// The same, by today's code: it reads what was recorded, and writes anew what it would have said.
    ///
    /// With an empty `handshake`, nothing having been recorded, each side reads what the other writes.
    func replayed() throws -> KeptSession {
        var replay = self
        let meshKey = try meshKey()
        var left = try handshake(.initiator, meshKey)
        var right = try handshake(.responder, meshKey)
        let recorded = try handshake.map(Self.bytes)
        func kept(_ index: Int, or written: [UInt8]) throws -> ArraySlice<UInt8> {
            try withoutPrefix(recorded.isEmpty ? written : recorded[index])[...]
        }
        let first = try begin(&left)
        let second = try answer(of: &right, to: try kept(0, or: first))
        let third = try answer(of: &left, to: try kept(1, or: second))
        try expectNoAnswer(of: &right, to: try kept(2, or: third))
        replay.handshake = [first, second, third].map { Hex.string($0) }
        if isStream {
            var mine = left.finishEndToEnd()
            var theirs = right.finishEndToEnd()
            replay.turns = try turns.map {
                $0.by == .initiator
                    ? try $0.replayed(from: &mine, to: &theirs) : try $0.replayed(from: &theirs, to: &mine)
            }
        } else {
            var mine = left.finish()
            var theirs = right.finish()
            let (here, there) = (mine.handshakeHash, theirs.handshakeHash)
            #expect(here == there)
            let (responder, initiator) = (mine.peer, theirs.peer)
            #expect(try responder == introduction(.responder) && initiator == introduction(.initiator))
            replay.handshakeHash = Hex.string(here.bytes)
            replay.turns = try turns.map {
                $0.by == .initiator
                    ? try $0.replayed(by: &mine.sealer, to: &theirs.opener)
                    : try $0.replayed(by: &theirs.sealer, to: &mine.opener)
            }
        }
        return replay
    }

    /// All frames that were heard, in their order.
    func framesHeard() throws -> [Frame] {
        try turns.flatMap(\.heard).flatMap { try Frame.decode(message: Self.bytes($0)[...]) }
    }

    /// From what a person types.
    private func meshKey() throws -> MeshKey? {
        let mesh = try MeshName(mesh)
        return try passphrase.map { try MeshKey(passphrase: SecretBytes(copying: Array($0.utf8)), mesh: mesh) }
    }

    private func handshake(_ role: Role, _ meshKey: MeshKey?) throws -> Handshake {
        let side = role == .initiator ? initiator : responder
        return Handshake(
            role: role == .initiator ? .initiator : .responder, me: try identity(side, meshKey),
            introduction: try introduction(role),
            ephemeralKey: AgreementKey(secret: SecretBytes(copying: try Self.bytes(side.ephemeralKey))),
            prologue: isStream ? EndToEndSession.prologue : Handshake.prologue,
            rekeyIntervalMessages: rekeyIntervalMessages)
    }

    private func introduction(_ role: Role) throws -> Introduction {
        let side = role == .initiator ? initiator : responder
        return try identity(side).introduction(
            name: try PeerName(side.name), instance: side.instance,
            clock: WallTime(milliseconds: side.clockMilliseconds), port: side.port, capabilities: side.capabilities)
    }

    private func identity(_ side: Side, _ meshKey: MeshKey? = nil) throws -> SessionIdentity {
        let identity = Identity(seed: SecretBytes(copying: try Self.bytes(side.seed)))
        let staticKey = AgreementKey(secret: SecretBytes(copying: try Self.bytes(side.staticKey)))
        return SessionIdentity(
            peer: identity.peer, staticKey: staticKey,
            signature: identity.sign(context: Introduction.signatureContext, staticKey.publicKey.bytes),
            meshKey: meshKey)
    }

    static func bytes(_ hex: String) throws -> [UInt8] { try #require(Hex.bytes(hex)) }
}

extension KeptSession.Turn {
    fileprivate func replayed(by sealer: inout Sealer, to opener: inout Opener) throws -> Self {
        var replay = self
        let sealed = sealer.seal(try said.map(KeptSession.bytes))
        replay.bytes = Hex.string(sealed)
        replay.heard = []
        for message in try split(bytes.isEmpty ? sealed : try KeptSession.bytes(bytes)) {
            replay.heard += try opener.open(message[...]).map { Hex.string($0.bytes) }
        }
        return replay
    }

    /// The messages of a stream stand alone: what carries them knows where they end.
    fileprivate func replayed(from sender: inout EndToEndSession, to receiver: inout EndToEndSession) throws -> Self {
        var replay = self
        #expect(said.count == 1)
        let sealed = sender.seal(try KeptSession.bytes(said[0]))
        replay.bytes = Hex.string(sealed)
        replay.heard = [
            Hex.string(try receiver.open(bytes.isEmpty ? sealed[...] : try KeptSession.bytes(bytes)[...]))
        ]
        return replay
    }
}

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeSession
import LatticeWire
import Testing

@testable import LatticeNode

/// What a hostile neighbour sends, and what a test reads from its victim.
enum Speech {
    static func line(
        _ text: String, by identity: Identity, secondsAgo: Int64 = 0, lifetimeSeconds: UInt32 = 7 * 86_400
    ) throws -> VerifiedRecord {
        let date = WallTime(milliseconds: Clocks.machine().milliseconds - secondsAgo * 1_000)
        return identity.sign(
            Record(
                kind: .chat, author: identity.peer, created: HybridTime(wallTime: date),
                lifetimeSeconds: lifetimeSeconds,
                topic: Array("#lobby".utf8), body: ChatLine(style: .says, name: ChatRig.name, text: text).body))
    }

    static func presence(
        by identity: Identity, named name: String, secondsAgo: Int64 = 0
    ) throws -> VerifiedRecord {
        let presence = Presence(isHere: true, name: try PeerName(name), rooms: [])
        let date = WallTime(milliseconds: Clocks.machine().milliseconds - secondsAgo * 1_000)
        return identity.sign(
            Record(
                kind: .presence, author: identity.peer, created: HybridTime(wallTime: date),
                lifetimeSeconds: presence.lifetimeSeconds, topic: [], body: presence.body))
    }

    /// A record of any kind, said just now and for a day.
    static func record(
        _ kind: RecordKind, by identity: Identity, topic: [UInt8] = [], _ body: [UInt8]
    ) -> VerifiedRecord {
        identity.sign(
            Record(
                kind: kind, author: identity.peer, created: HybridTime(wallTime: Clocks.machine()),
                lifetimeSeconds: 86_400, topic: topic, body: body))
    }

    /// A line under somebody's key that they did not sign.
    static func forged(_ text: String, as victim: Identity) throws -> SignedRecord {
        let liar = Identity.generate()
        return SignedRecord(
            try line(text, by: victim).record, signature: try line(text, by: liar).signed.signature)
    }
}

extension Stranger {
    func say(_ record: VerifiedRecord, timeToLive: UInt8 = 4, hops: UInt8 = 1) {
        say(.record(RecordFrame(timeToLive: timeToLive, hops: hops, signed: record.signed)))
    }

    /// Records that were pushed to it.
    var heardRecords: [RecordFrame] {
        frames.compactMap { if case .record(let carried) = $0 { carried } else { nil } }
    }

    /// The texts of lines it received.
    var heardLines: [String] {
        heardRecords.filter { $0.signed.record.kind == .chat }.compactMap {
            try? ChatLine(decoding: $0.signed.record.body).text
        }
    }
}

extension Chatter {
    /// A neighbour to be, of the mesh that it is in.
    static func stranger(
        named name: String = "stranger", invites: Bool = true, session: SessionIdentity? = nil
    ) async throws -> Stranger {
        try await Stranger(
            mesh: try MeshName("synced"), clock: Clocks.machine(), named: name, invites: invites, session: session)
    }

    var address: PeerAddress {
        get async { PeerAddress(host: "127.0.0.1", port: await node.me.port) }
    }

    func stats() async throws -> NodeStats {
        let stats = try await node.perform(ShowStats())
        return stats
    }

    func peer(_ id: PeerID) async throws -> PeerInfo? {
        let peers = try await node.perform(ListPeers()).peers
        return peers.first { $0.id == id }
    }

    /// The texts of others' lines.
    var heardTexts: [String] { lines.filter { $0.from != home.identity.peer }.map(\.text) }
}

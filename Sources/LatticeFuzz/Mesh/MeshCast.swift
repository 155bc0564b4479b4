import LatticeCore
import LatticeCrypto
import LatticeWire

/// The fixed world of a fuzzed mesh: a few peers with known keys, and records signed by them. Created once.
struct MeshCast: Sendable {
    static let shared = MeshCast()

    /// The first one is the peer whose mesh is fuzzed.
    let peers: [PeerID]
    let records: [VerifiedRecord]
    let name: PeerName
    let mesh: MeshName
    let rooms: [RoomName]

    private static let peersCount: UInt8 = 12
    private static let startMilliseconds: UInt64 = 1_700_000_000_000

    private init() {
        let keys = (1...Self.peersCount).map { seed in
            Identity(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        }
        guard let name = accepted({ try PeerName("bob") }), let mesh = accepted({ try MeshName("test") }),
            let room = accepted({ try RoomName("#park") })
        else { preconditionFailure("these are names") }
        (peers, self.name, self.mesh, rooms) = (keys.map(\.peer), name, mesh, [room])
        var records: [VerifiedRecord] = []
        for (rank, key) in keys.prefix(6).enumerated() {
            let bodies: [(RecordKind, [UInt8])] = [
                (.chat, ChatLine(style: .says, name: name, text: "line \(rank)").body),
                (.presence, Presence(isHere: true, name: name, rooms: [room]).body),
                (.presence, Presence(isHere: false, name: name, rooms: []).body),
                (.chat, [UInt8](repeating: 7, count: 20_000)),
                (RecordKind(rawValue: 900), [1, 2, 3]),
                // Correctly signed, but an invalid presence.
                (.presence, [9]),
            ]
            for (number, (kind, body)) in bodies.enumerated() {
                let created = HybridTime(rawValue: (Self.startMilliseconds + UInt64(number)) << 16)
                let record = Record(
                    kind: kind, author: key.peer, created: created, lifetimeSeconds: 600, topic: Array(room.text.utf8),
                    body: body)
                records.append(key.sign(record))
            }
        }
        self.records = records
    }

    var me: PeerID { peers[0] }
    var others: [PeerID] { Array(peers.dropFirst()) }
    var own: [VerifiedRecord] { records.filter { $0.author == me } }

    /// The address of a peer. Pairs of ranks share an address, as behind one host.
    func address(_ rank: Int) -> PeerAddress {
        PeerAddress(host: "10.0.0.\(rank / 2 + 1)", port: 4_000)
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// One mesh in a test's hands, with a clock it turns itself.
struct Fixture {
    var mesh: Mesh
    var now = Instant.zero
    let me: PeerID
    private var lastDate: UInt64 = 1

    /// - Parameter rank: peers compare as their ranks do.
    init(rank: UInt8 = 100, policy: MeshOptions.Policy = .auto, timeToLive: UInt8 = 32, contacts: [UInt8] = []) throws {
        me = Self.peer(rank)
        var options = MeshOptions(mesh: try MeshName("test"), meshTag: 7)
        options.policy = policy
        options.timeToLive = timeToLive
        options.contacts = Set(contacts.map(Self.peer))
        let presence = Presence(isHere: true, name: try PeerName("me"), rooms: [])
        mesh = Mesh(me: me, presence: presence, options: options, seed: 1)
    }

    static func peer(_ rank: UInt8) -> PeerID {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[0] = rank
        guard let key = Bytes32(bytes) else { preconditionFailure("32 bytes are 32 bytes") }
        return PeerID(key)
    }

    static func address(_ rank: UInt8) -> PeerAddress {
        PeerAddress(host: "10.0.0.\(rank)", port: 4_000)
    }

    static func sighting(_ rank: UInt8, tag: UInt32 = 7, host: String? = nil) -> Sighting {
        Sighting(
            source: .system, peer: peer(rank).prefix, name: "p\(rank)", meshTag: tag,
            address: host.map { PeerAddress(host: $0, port: 4_000) } ?? address(rank))
    }

    mutating func handle(_ event: MeshEvent, after wait: Duration = .zero) -> [MeshEffect] {
        now = now.advanced(by: wait)
        return mesh.handle(event, at: now)
    }

    func opened(_ rank: UInt8, dial: UInt64? = nil, instance: UInt64 = 1) throws -> OpenedLink {
        OpenedLink(
            peer: Self.peer(rank), name: try PeerName("p\(rank)"), instance: instance, address: Self.address(rank),
            dial: dial.map(DialID.init))
    }

    /// Links with a peer that dialled us.
    @discardableResult
    mutating func connect(_ rank: UInt8, on link: UInt64, instance: UInt64 = 1) throws -> [MeshEffect] {
        _ = handle(.linkOpened(LinkID(rawValue: link), try opened(rank, instance: instance)))
        return handle(.received(LinkID(rawValue: link), .invitation(try invitation())))
    }

    func invitation(mesh: String = "test") throws -> Invitation {
        Invitation(mesh: try MeshName(mesh), context: [])
    }

    /// A chat record of whoever has this rank, each with an id of its own.
    mutating func record(by rank: UInt8, kind: RecordKind = .chat, body: [UInt8] = [1]) throws -> VerifiedRecord {
        lastDate += 1
        let record = Record(
            kind: kind, author: Self.peer(rank), created: HybridTime(rawValue: lastDate << 16), lifetimeSeconds: 600,
            topic: [], body: body)
        var id = [UInt8](repeating: rank, count: 32)
        id[1] = UInt8(truncatingIfNeeded: lastDate)
        id[2] = UInt8(truncatingIfNeeded: lastDate >> 8)
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
        return VerifiedRecord(assumingVerified: signed, id: RecordID(try #require(Bytes32(id))))
    }
}

extension LinkID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt64) {
        self.init(rawValue: value)
    }
}

extension [MeshEffect] {
    var dials: [PeerAddress] {
        compactMap { if case .dial(_, let address) = $0 { address } else { nil } }
    }

    var dialIDs: [DialID] {
        compactMap { if case .dial(let dial, _) = $0 { dial } else { nil } }
    }

    var pings: [(nonce: UInt64, link: LinkID)] {
        compactMap { if case .send(.ping(let nonce), let link) = $0 { (nonce, link) } else { nil } }
    }

    var forwarded: [(record: RecordID, links: [LinkID])] {
        compactMap { if case .forward(let record, _, _, _, let links) = $0 { (record.id, links) } else { nil } }
    }

    var refusals: [Refusal] {
        compactMap { if case .send(.refuse(let refusal), _) = $0 { refusal } else { nil } }
    }
}

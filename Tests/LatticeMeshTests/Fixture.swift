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
    init(
        rank: UInt8 = 100, policy: MeshOptions.Policy = .auto, timeToLive: UInt8 = 32, contacts: [UInt8] = [],
        activeMax: Int? = nil, seed: UInt64 = 1
    ) throws {
        me = Self.peer(rank)
        var options = MeshOptions(mesh: try MeshName("test"), meshTag: 7)
        options.policy = policy
        options.timeToLive = timeToLive
        options.activeMax = activeMax ?? options.activeMax
        options.contacts = Set(contacts.map(Self.peer))
        let presence = Presence(isHere: true, name: try PeerName("me"), rooms: [])
        mesh = Mesh(me: me, presence: presence, options: options, seed: seed)
    }

    /// This was refused, and nothing else.
    static func refused(_ reason: RefusalReason, _ count: Int) -> RefusalCounts {
        var counts = RefusalCounts()
        counts.add(reason, count)
        return counts
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
    mutating func connect(
        _ rank: UInt8, on link: UInt64, instance: UInt64 = 1, isUrgent: Bool = false, room: UInt8 = 1
    ) throws -> [MeshEffect] {
        _ = handle(.linkOpened(LinkID(rawValue: link), try opened(rank, instance: instance)))
        return handle(.received(LinkID(rawValue: link), .invitation(try invitation(isUrgent: isUrgent, room: room))))
    }

    /// Links with a peer that we sight and dial: at once only if it has the larger rank.
    @discardableResult
    mutating func dial(_ rank: UInt8, on link: UInt64, room: UInt8 = 1) throws -> [MeshEffect] {
        let dial = try #require(handle(.sighted(Self.sighting(rank))).dialIDs.first)
        _ = handle(.linkOpened(LinkID(rawValue: link), try opened(rank, dial: dial.rawValue)))
        return handle(.received(LinkID(rawValue: link), .accept(room: room)))
    }

    func invitation(mesh: String = "test", isUrgent: Bool = false, room: UInt8 = 1) throws -> Invitation {
        Invitation(mesh: try MeshName(mesh), context: [], isUrgent: isUrgent, room: room)
    }

    /// An `accept` with the free slots that are left when this number is taken, the new link included.
    func accept(placesTaken: Int = 1) -> Frame {
        .accept(room: UInt8(mesh.options.activeMax - placesTaken))
    }

    /// Lets time go by, deadline by deadline; every neighbour answers its pings.
    mutating func pass(_ wait: Duration) -> [MeshEffect] {
        let end = now.advanced(by: wait)
        var effects: [MeshEffect] = []
        while let deadline = mesh.nextDeadline, deadline <= end {
            now = max(now, deadline)
            let woken = handle(.woke)
            effects += woken
            for ping in woken.pings { effects += handle(.received(ping.link, .pong(nonce: ping.nonce))) }
        }
        now = end
        return effects
    }

    static func card(_ rank: UInt8, host: String? = nil) throws -> PeerCard {
        let address = host.map { PeerAddress(host: $0, port: 4_000) } ?? address(rank)
        return try #require(PeerCard(peer: peer(rank), address: address))
    }

    /// A chat record by the peer of this rank, each with an id of its own.
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

    var deliveredCount: Int {
        count { if case .deliver = $0 { true } else { false } }
    }

    /// The links to which something is pushed, those beside the tree apart.
    var pushed: (tree: [LinkID], beside: [LinkID]) {
        reduce(into: ([], [])) { links, effect in
            guard case .forward(_, _, _, let isStray, _, let to) = effect else { return }
            if isStray { links.beside += to } else { links.tree += to }
        }
    }

    /// The pruned links and the origins, `nil` for all origins.
    var prunes: [(origin: PeerID?, link: LinkID)] {
        compactMap { if case .send(.prune(let origin), let link) = $0 { (origin, link) } else { nil } }
    }

    var forwarded: [(record: RecordID, links: [LinkID])] {
        compactMap { if case .forward(let record, _, _, _, _, let links) = $0 { (record.id, links) } else { nil } }
    }

    var grafts: [(ids: [RecordID], link: LinkID)] {
        compactMap { if case .send(.graft(let graft), let link) = $0 { (graft.ids, link) } else { nil } }
    }

    var haves: [(entries: [Have.Entry], link: LinkID)] {
        compactMap { if case .send(.have(let have), let link) = $0 { (have.entries, link) } else { nil } }
    }

    var walks: [(walk: Walk, link: LinkID)] {
        compactMap { if case .send(.walk(let walk), let link) = $0 { (walk, link) } else { nil } }
    }

    var shuffles: [(shuffle: Shuffle, link: LinkID)] {
        compactMap { if case .send(.shuffle(let shuffle), let link) = $0 { (shuffle, link) } else { nil } }
    }

    var closed: [LinkID] {
        compactMap { if case .close(let link, _) = $0 { link } else { nil } }
    }

    var refusals: [Refusal] {
        compactMap { if case .send(.refuse(let refusal), _) = $0 { refusal } else { nil } }
    }
}

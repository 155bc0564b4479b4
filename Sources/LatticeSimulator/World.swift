package import LatticeCore
import LatticeMesh
import LatticeWire

/// A whole mesh of the real `Mesh` in one thread from one seed.
///
/// Connections are ordered and lossless while they live, as TCP is; a cut stops them without a word, a crash breaks them.
package struct World {
    package let topology: Topology
    package let seed: UInt64
    private let timeToLive: UInt8
    private let sabotage: Sabotage
    /// One-way, milliseconds.
    let latency: ClosedRange<Int64>

    var peers: [SimulatedPeer?]
    var connections: [Connection] = []
    var cuts: Set<[Int]> = []
    var queue = EventQueue()
    var generator: SeededGenerator
    private(set) var now = Instant.zero
    private var lastInstance: UInt64 = 0
    var lastLink: UInt64 = 0

    /// Own lines, by whom.
    package private(set) var said: [RecordID: Int] = [:]
    /// Frames that carried a record of a person's, by record.
    package private(set) var recordFrames: [RecordID: Int] = [:]
    package internal(set) var dials = 0
    /// What judges saw during the run; empty is good.
    package private(set) var faults: [String] = []

    struct Connection {
        /// The dialler first.
        let ends: [Int]
        let links: [LinkID]
        var isOpen = true
        /// The time at which the last frame sent to each end arrives: order is kept.
        var arrival: [Instant]
    }

    enum Happening {
        case weather(Weather)
        case event(MeshEvent, peer: Int, instance: UInt64)
        case opened(connection: Int, dial: DialID)
        case woke(peer: Int, instance: UInt64)
    }

    package init(
        _ topology: Topology, seed: UInt64, latency: ClosedRange<Int64> = 1...50,
        timeToLive: UInt8 = RecordFrame.timeToLiveDefault, sabotage: Sabotage = .none
    ) {
        self.sabotage = sabotage
        self.topology = topology
        self.seed = seed
        self.latency = latency
        self.timeToLive = timeToLive
        peers = Array(repeating: nil, count: topology.count)
        generator = SeededGenerator(seed: seed)
    }

    package mutating func plan(_ weather: [Weather]) {
        for event in weather { queue.push(.weather(event), at: Instant(nanoseconds: event.time * 1_000_000)) }
    }

    /// Runs until the clock stands at `milliseconds`.
    package mutating func run(until milliseconds: Int64) {
        let end = Instant(nanoseconds: milliseconds * 1_000_000)
        while let (time, happening) = queue.pop(until: end) {
            now = time
            happen(happening)
        }
        now = end
    }

    // MARK: - What is asked of it afterwards

    package func isUp(_ peer: Int) -> Bool { peers[peer] != nil }

    package func deliveries(of record: RecordID, at peer: Int) -> Int {
        peers[peer]?.delivered[record] ?? 0
    }

    package func connectedCount(of peer: Int) -> Int {
        peers[peer]?.mesh.connectedCount ?? 0
    }

    /// Connections between two peers that both sides still have.
    package func openConnections(_ left: Int, _ right: Int) -> Int {
        connections.count { $0.isOpen && Set($0.ends) == [left, right] }
    }

    package func unconfirmedCount(of peer: Int) -> Int {
        peers[peer]?.mesh.unconfirmedCount ?? 0
    }

    // MARK: - What happens

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .weather(let weather): happen(weather)
        case .event(let event, let peer, let instance):
            guard peers[peer]?.instance == instance else { return }
            handle(event, at: peer)
        case .woke(let peer, let instance):
            guard peers[peer]?.instance == instance else { return }
            handle(.woke, at: peer)
        case .opened(let connection, let dial): opened(connection, dial)
        }
    }

    private mutating func happen(_ weather: Weather) {
        switch weather {
        case .start(let peer, _): start(peer)
        case .sight(let left, let right, let isMutual, _):
            sight(right, by: left)
            if isMutual { sight(left, by: right) }
        case .say(let peer, _): say(peer)
        case .crash(let peer, _): end(peer, as: .broken("killed"))
        case .leave(let peer, _):
            guard peers[peer] != nil else { return }
            handle(.leaving, at: peer)
            end(peer, as: .goodbye(Goodbye(.leaving, "")))
        case .cut(let left, let right, _): cuts.insert([min(left, right), max(left, right)])
        case .mend(let left, let right, _): cuts.remove([min(left, right), max(left, right)])
        }
    }

    private mutating func start(_ peer: Int) {
        guard peers[peer] == nil else { return }
        lastInstance += 1
        peers[peer] = SimulatedPeer(
            index: peer, instance: lastInstance, seed: generator.next(), timeToLive: timeToLive, policy: .auto)
        let presence = Presence(isHere: true, name: SimulatedPeer.name(of: peer), rooms: [])
        handle(.presenceChanged(presence), at: peer)
    }

    private mutating func sight(_ seen: Int, by peer: Int) {
        guard let instance = peers[peer]?.instance, topology.areAdjacent(seen, peer) else { return }
        let sighting = Sighting(
            source: .embedded, peer: SimulatedPeer.id(of: seen).prefix, name: nil, meshTag: 1,
            address: SimulatedPeer.address(of: seen))
        queue.push(.event(.sighted(sighting), peer: peer, instance: instance), at: now.advanced(by: delay()))
    }

    private mutating func say(_ peer: Int) {
        guard let record = sign(.chat, body: Array("line \(said.count)".utf8), by: peer) else { return }
        said[record.id] = peer
        handle(.submitted(record), at: peer)
    }

    /// Nobody lies in here, so the signature is left blank; the id is drawn.
    private mutating func sign(_ kind: RecordKind, body: [UInt8], by peer: Int) -> VerifiedRecord? {
        guard let author = peers[peer] else { return nil }
        let created = peers[peer]?.clock.next(at: WallTime(milliseconds: now.nanoseconds / 1_000_000 + 1))
        let record = Record(
            kind: kind, author: author.id, created: created ?? HybridTime(rawValue: 0), lifetimeSeconds: 600, topic: [],
            body: body)
        var hash: [UInt8] = []
        for _ in 0..<32 { hash.append(UInt8(truncatingIfNeeded: generator.next())) }
        guard let id = Bytes32(hash) else { return nil }
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: Record.signatureBytes))
        return VerifiedRecord(assumingVerified: signed, id: RecordID(id))
    }

    private mutating func end(_ peer: Int, as end: LinkEnd) {
        guard peers[peer] != nil else { return }
        peers[peer] = nil
        for index in connections.indices where connections[index].isOpen && connections[index].ends.contains(peer) {
            let other = connections[index].ends[0] == peer ? 1 : 0
            closeEnd(of: index, at: other, end)
            connections[index].isOpen = false
        }
    }

    // MARK: - One peer's turn

    mutating func handle(_ event: MeshEvent, at peer: Int) {
        guard var effects = peers[peer]?.mesh.handle(event, at: now) else { return }
        sabotage.spoil(&effects, of: event)
        while !effects.isEmpty {
            var next: [MeshEffect] = []
            for effect in effects {
                guard case .announce(let presence) = effect else {
                    carryOut(effect, of: peer)
                    continue
                }
                if let record = sign(.presence, body: presence.body, by: peer) {
                    next += peers[peer]?.mesh.handle(.submitted(record), at: now) ?? []
                }
            }
            effects = next
        }
        if let alarm = peers[peer]?.mesh.nextDeadline, let instance = peers[peer]?.instance {
            queue.push(.woke(peer: peer, instance: instance), at: max(alarm, now))
        }
    }

    private mutating func carryOut(_ effect: MeshEffect, of peer: Int) {
        switch effect {
        case .dial(let dial, let address): self.dial(dial, address, by: peer)
        case .send(let frame, let link): carry([frame], over: link, from: peer)
        case .forward(let record, let timeToLive, let hops, let links):
            if timeToLive > RecordFrame.timeToLiveMax || timeToLive == 0 {
                faults.append("a frame with TTL \(timeToLive)")
            }
            for link in links {
                if said[record.id] != nil { recordFrames[record.id, default: 0] += 1 }
                carry(.heard(link, record, timeToLive: timeToLive, hops: hops), over: link, from: peer)
            }
        case .close(let link, let goodbye): close(link, goodbye, by: peer)
        case .deliver(let record, _):
            peers[peer]?.delivered[record.id, default: 0] += 1
            if deliveries(of: record.id, at: peer) > 1 { faults.append("peer \(peer) was shown \(record.id) twice") }
        case .announce, .stateChanged, .ask, .unreachable, .dialledSelf, .presenceChanged, .probed, .outboxFull: break
        }
    }
}

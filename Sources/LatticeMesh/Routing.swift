import LatticeCore
import LatticeWire

/// Routes to peers, and probes that find out over any number of hops whether a peer is there and by which path.
///
/// A probe goes to the target's own link, else along the route, else to every link as a bounded flood. Each peer
/// accepts it only from the peer that signed last and relays it once. So every stop names the peer that the probe came
/// from, and a path cannot be shortened.
struct Routing: Sendable {
    private struct Row: Sendable {
        var probes = TokenBucket()
        var floods = TokenBucket()
    }

    /// Row `i` belongs to link `i` of `LinkRegister`.
    private var rows: [Row] = []
    private var routes = Routes()
    private var probes = Probes()
    private(set) var refused = RefusalCounts()

    /// Probes that ended here with a path that not everybody in it signed.
    var forgedCount: Int { probes.forgedCount }

    var nextDeadline: Instant? { probes.nextDeadline }

    // MARK: - Links

    mutating func linkOpened() {
        rows.append(Row())
    }

    mutating func linkRemoved(_ id: LinkID, at index: Int) {
        rows.remove(at: index)
        routes.lost(id)
    }

    // MARK: - Routes

    /// A new record of this peer arrived first by this link.
    mutating func learn(_ peer: PeerID, via link: LinkID, at now: Instant) {
        routes.learn(peer, via: link, at: now)
    }

    /// The next hop to a peer, even if its link is gone.
    func next(to peer: PeerID, at now: Instant) -> LinkID? {
        routes.next(to: peer, at: now)
    }

    /// The peer's own link, else the route.
    func way(to peer: PeerID, in register: LinkRegister, at now: Instant) -> (link: LinkID, isRouted: Bool)? {
        if let link = register.connectedLinkID(to: peer) { return (link, false) }
        guard let link = routes.next(to: peer, at: now), register.isConnected(link) else { return nil }
        return (link, true)
    }

    // MARK: - Probes

    mutating func probeWanted(
        _ peer: PeerID, nonce: UInt64, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard peer != facts.me, !facts.blocked.contains(peer), register.connectedCount > 0,
            probes.began(nonce, to: peer, at: now)
        else {
            effects.append(.probed(nonce: nonce, .noRoute))
            return
        }
        let probe = Probe(
            direction: .there, nonce: nonce, from: facts.me, to: peer, timeToLive: RecordFrame.timeToLiveDefault,
            path: [])
        send(probe, givenBy: nil, in: register, at: now, into: &effects)
    }

    mutating func heard(
        _ probe: Probe, by index: Int, in register: LinkRegister, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard rows[index].probes.take(of: MeshLimit.probes, at: now) else { return refused.add(.probes) }
        guard !facts.blocked.contains(probe.from), !facts.blocked.contains(probe.to) else {
            return refused.add(.blocked)
        }
        switch probe.direction {
        case .there: heardQuestion(probe, by: index, in: register, me: facts.me, at: now, into: &effects)
        case .back: heardAnswer(probe, by: index, in: register, me: facts.me, at: now, into: &effects)
        }
    }

    /// A probe that ended here, ours or another peer's, has a path that not everybody in it signed.
    mutating func forged(_ probe: Probe, me: PeerID) {
        probes.forged(probe, isAnswer: probe.direction == .back && probe.from == me)
    }

    /// Ends the probes that were not answered in time.
    mutating func due(at now: Instant, into effects: inout [MeshEffect]) {
        probes.due(at: now, doubting: &routes, into: &effects)
    }

    private mutating func heardQuestion(
        _ probe: Probe, by index: Int, in register: LinkRegister, me: PeerID, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let giver = register.rows[index]
        guard probe.path.first?.peer == probe.from, probe.path.last?.peer == giver.peer else { return }
        guard !probe.hasPassed(me), probe.path.count < Probe.stopsMax else { return }
        // A copy that ends here because of its TTL must not block a copy on a shorter path.
        guard probe.to == me || probe.timeToLive > 1, probes.pass(probe) else { return }
        var next = probe
        if probe.to == me {
            for stop in probe.path { routes.learn(stop.peer, via: giver.id, at: now) }
            next.direction = .back
            next.timeToLive = RecordFrame.timeToLiveDefault
            effects.append(.endorse(next, to: [giver.id]))
            return
        }
        next.timeToLive -= 1
        send(next, givenBy: index, in: register, at: now, into: &effects)
    }

    /// An answer goes back along the probe's path, from each peer to the one before it.
    private mutating func heardAnswer(
        _ probe: Probe, by index: Int, in register: LinkRegister, me: PeerID, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let giver = register.rows[index]
        guard let own = probe.path.firstIndex(where: { $0.peer == me }), own + 1 < probe.path.count,
            probe.path[own + 1].peer == giver.peer
        else { return }
        if probe.from == me {
            guard probes.cameBack(probe, at: now, into: &effects) else { return }
            for stop in probe.path.dropFirst() { routes.prove(stop.peer, via: giver.id, at: now) }
            return
        }
        guard own > 0, probe.timeToLive > 1, probes.hasPassed(probe) else { return }
        guard let link = register.connectedLink(to: probe.path[own - 1].peer)?.id else { return }
        var next = probe
        next.timeToLive -= 1
        effects.append(.send(.probe(next), to: link))
    }

    private mutating func send(
        _ probe: Probe, givenBy giver: Int?, in register: LinkRegister, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        if let link = nextLink(for: probe, in: register, at: now) {
            return effects.append(.endorse(probe, to: [link]))
        }
        if let giver {
            guard rows[giver].floods.take(of: MeshLimit.probeFloods, at: now) else { return refused.add(.probes) }
        }
        let links = register.rows.filter { $0.isConnected && !probe.hasPassed($0.peer) }.map(\.id)
        guard !links.isEmpty else { return }
        var flooded = probe
        flooded.timeToLive = min(probe.timeToLive, MeshLimit.probeFloodHopsMax)
        effects.append(.endorse(flooded, to: links))
    }

    /// The link towards the target: its own if it is a neighbour, else the route; `nil` if that would lead back.
    private func nextLink(for probe: Probe, in register: LinkRegister, at now: Instant) -> LinkID? {
        if let neighbour = register.connectedLink(to: probe.to) { return neighbour.id }
        guard let link = routes.next(to: probe.to, at: now), let next = register[link], next.isConnected,
            !probe.hasPassed(next.peer)
        else { return nil }
        return link
    }
}

extension Probe {
    fileprivate func hasPassed(_ peer: PeerID) -> Bool {
        path.contains { $0.peer == peer }
    }
}

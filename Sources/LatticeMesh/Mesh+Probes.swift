import LatticeCore
import LatticeWire

// Probes: asking a peer over any number of hops whether it is there, and by which way.
//
// A probe goes to the target's own link, else by the route, else to everybody, a bounded flood. Each peer takes it from
// whoever signed last and passes it on once; so every stop says truly by whom it came, and a path cannot be shortened.
extension Mesh {
    mutating func probeWanted(_ peer: PeerID, nonce: UInt64, at now: Instant, into effects: inout [MeshEffect]) {
        guard peer != me, !blocked.contains(peer), neighbours.connectedCount > 0, probes.began(nonce, to: peer, at: now)
        else {
            effects.append(.probed(nonce: nonce, .noRoute))
            return
        }
        let probe = Probe(
            direction: .there, nonce: nonce, from: me, to: peer, timeToLive: RecordFrame.timeToLiveDefault, path: [])
        send(probe, givenBy: nil, at: now, into: &effects)
    }

    mutating func probed(_ probe: Probe, by neighbour: Neighbour, at now: Instant, into effects: inout [MeshEffect]) {
        guard let index = neighbours.index(of: neighbour.id),
            neighbours[at: index].probes.take(of: MeshLimit.probes, at: now)
        else { return refusals.add(.probes) }
        guard !blocked.contains(probe.from), !blocked.contains(probe.to) else { return fairness.refused.byBlock += 1 }
        switch probe.direction {
        case .there: probedThere(probe, by: neighbour, at: now, into: &effects)
        case .back: probedBack(probe, by: neighbour, at: now, into: &effects)
        }
    }

    /// A probe that came to its end, ours or another's, by a path that not everybody in it signed.
    mutating func probeForged(_ probe: Probe) {
        probes.forged(probe, isAnswer: probe.direction == .back && probe.from == me)
    }

    private mutating func probedThere(
        _ probe: Probe, by giver: Neighbour, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard probe.path.first?.peer == probe.from, probe.path.last?.peer == giver.peer else { return }
        guard !probe.hasPassed(me), probe.path.count < Probe.stopsMax else { return }
        // What ends here for its TTL must not stand in the way of a copy that comes by a shorter way.
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
        send(next, givenBy: giver, at: now, into: &effects)
    }

    /// An answer goes the way the probe came, between peers that stand beside each other in its path.
    private mutating func probedBack(
        _ probe: Probe, by giver: Neighbour, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let index = probe.path.firstIndex(where: { $0.peer == me }), index + 1 < probe.path.count,
            probe.path[index + 1].peer == giver.peer
        else { return }
        if probe.from == me {
            guard probes.cameBack(probe, at: now, into: &effects) else { return }
            for stop in probe.path.dropFirst() { routes.prove(stop.peer, via: giver.id, at: now) }
            return
        }
        guard index > 0, probe.timeToLive > 1, probes.hasPassed(probe) else { return }
        guard let link = neighbours.connectedLink(to: probe.path[index - 1].peer)?.id else { return }
        var next = probe
        next.timeToLive -= 1
        effects.append(.send(.probe(next), to: link))
    }

    private mutating func send(
        _ probe: Probe, givenBy giver: Neighbour?, at now: Instant, into effects: inout [MeshEffect]
    ) {
        if let link = nextLink(for: probe, at: now) { return effects.append(.endorse(probe, to: [link])) }
        if let giver {
            guard let index = neighbours.index(of: giver.id),
                neighbours[at: index].probeFloods.take(of: MeshLimit.probeFloods, at: now)
            else { return refusals.add(.probes) }
        }
        let links = neighbours.links.filter { $0.isConnected && !probe.hasPassed($0.peer) }.map(\.id)
        guard !links.isEmpty else { return }
        var flooded = probe
        flooded.timeToLive = min(probe.timeToLive, MeshLimit.probeFloodHopsMax)
        effects.append(.endorse(flooded, to: links))
    }

    /// The link towards the target: its own if it is a neighbour, else the route; `nil` if that would lead back.
    private func nextLink(for probe: Probe, at now: Instant) -> LinkID? {
        if let neighbour = neighbours.connectedLink(to: probe.to) { return neighbour.id }
        guard let link = routes.next(to: probe.to, at: now), let next = neighbours[link], next.isConnected,
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

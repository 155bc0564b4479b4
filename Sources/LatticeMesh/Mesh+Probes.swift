import LatticeCore
import LatticeWire

// Probes: asking a peer over any number of hops whether it is there, and by which way.
extension Mesh {
    mutating func probeWanted(_ peer: PeerID, nonce: UInt64, at now: Instant, into effects: inout [MeshEffect]) {
        guard let link = nextLink(to: peer), probes.began(nonce, to: peer, at: now) else {
            effects.append(.probed(nonce: nonce, .noRoute))
            return
        }
        let probe = Probe(
            direction: .there, nonce: nonce, from: me, to: peer, timeToLive: RecordFrame.timeToLiveDefault, path: [stop]
        )
        effects.append(.send(.probe(probe), to: link))
    }

    mutating func probed(_ probe: Probe, by neighbour: Neighbour, at now: Instant, into effects: inout [MeshEffect]) {
        guard takeProbe(of: neighbour.id, at: now) else { return }
        var next = probe
        switch probe.direction {
        case .there:
            guard !probe.path.contains(where: { $0.peer == me }), probe.path.count < Probe.stopsMax else { return }
            next.path.append(stop)
            if probe.to == me {
                next.direction = .back
                next.timeToLive = RecordFrame.timeToLiveDefault
                effects.append(.send(.probe(next), to: neighbour.id))
                return
            }
            guard let link = nextLink(to: probe.to), link != neighbour.id else { return }
            passOn(next, to: link, into: &effects)
        case .back:
            if probe.from == me { return probes.cameBack(probe, at: now, into: &effects) }
            guard let index = probe.path.firstIndex(where: { $0.peer == me }), index > 0 else { return }
            guard let link = neighbours.connectedLink(to: probe.path[index - 1].peer)?.id else { return }
            passOn(next, to: link, into: &effects)
        }
    }

    private mutating func takeProbe(of link: LinkID, at now: Instant) -> Bool {
        guard let index = neighbours.index(of: link) else { return false }
        return neighbours[at: index].probes.take(of: MeshLimit.probes, at: now)
    }

    private func passOn(_ probe: Probe, to link: LinkID, into effects: inout [MeshEffect]) {
        guard probe.timeToLive > 1 else { return }
        var next = probe
        next.timeToLive -= 1
        effects.append(.send(.probe(next), to: link))
    }

    /// The link towards a peer: its own if it is a neighbour, else the one by which its presence came first.
    private func nextLink(to peer: PeerID) -> LinkID? {
        if let neighbour = neighbours.connectedLink(to: peer) { return neighbour.id }
        guard let via = people[peer]?.via, neighbours[via]?.isConnected == true else { return nil }
        return via
    }

    private var stop: Probe.Stop {
        Probe.Stop(peer: me, name: presence.name, signature: [UInt8](repeating: 0, count: 64))
    }
}

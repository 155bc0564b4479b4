import LatticeCore
import LatticeMesh
import LatticeWire

// Connections from dial to end, as the peers see them.
extension World {
    mutating func dial(_ dial: DialID, _ address: PeerAddress, by peer: Int) {
        dials += 1
        let target = Registry.number(at: address) ?? peer
        story.tell("peer \(peer) dials peer \(target)", at: milliseconds)
        guard target < peers.count, network.adjacency.areAdjacent(peer, target) else {
            return errand(.dialFailed(dial, .noConnection(reason: "no way there")), for: peer, after: 1)
        }
        // TCP and the handshake take three one-way trips until the dialler knows whom it has reached.
        let wait = 3 * network.latency(peer, target) + network.slowness(of: target)
        guard peers[target].isUp, network.passesBothWays(peer, target) else {
            return errand(.dialFailed(dial, .noConnection(reason: "no answer")), for: peer, after: wait)
        }
        schedule.add(Dialling(dialler: life(of: peer), target: target, dial: dial), after: wait)
    }

    mutating func opened(_ dialling: Dialling) {
        guard isLived(dialling.dialler) else { return }
        let (dialler, target) = (dialling.dialler.peer, dialling.target)
        guard peers[target].isUp, network.passesBothWays(dialler, target) else {
            return turn(of: dialler, .dialFailed(dialling.dial, .broken(reason: "the handshake broke")))
        }
        let (near, far) = network.connect(dialler, target, at: milliseconds)
        let here = peers[dialler].opened(at: Registry.address(of: dialler), by: nil)
        let there = peers[target].opened(at: Registry.address(of: target), by: dialling.dial)
        post(.linkOpened(far, here), to: far)
        turn(of: dialler, .linkOpened(near, there))
    }

    mutating func close(_ link: LinkID, _ goodbye: Goodbye, by peer: Int) {
        guard network.close(link, by: peer, goodbye, in: &schedule, using: &generator) else { return }
        tally.add(.goodbye, frames: 1, bytes: Frame.goodbye(goodbye).byteCount)
    }

    mutating func arrived(_ event: MeshEvent, over link: LinkID) {
        guard !network.isGone(link) else { return }
        let peer = network.peer(at: link)
        if case .linkClosed = event {
            network.leave(link)
            stores.closed(link, of: peer)
        }
        guard case .heard(_, let record, let arrival) = event else { return turn(of: peer, event) }
        turn(of: peer, .heard(link, record, judged(arrival, record, on: link)))
    }

    mutating func meet(_ left: Int, _ right: Int, isMutual: Bool) {
        sight(right, by: left)
        if isMutual { sight(left, by: right) }
    }

    /// Multicast does not pass barriers either: only running peers that can be heard are sighted.
    private mutating func sight(_ seen: Int, by peer: Int) {
        guard peers[peer].isUp, peers[seen].isUp, network.adjacency.areAdjacent(seen, peer) else { return }
        guard network.passes(from: seen, to: peer) else { return }
        let sighting = Sighting(
            source: .embedded, peer: peers[seen].id.prefix, name: nil, meshTag: MeshSettings.meshTag,
            address: Registry.address(of: seen))
        errand(.sighted(sighting), for: peer, after: network.latency(peer, seen) + network.slowness(of: peer))
    }

    mutating func give(_ other: Int, to peer: Int) {
        guard peers[peer].isUp else { return }
        let sighting = Sighting(
            source: .given, peer: nil, name: nil, meshTag: nil, address: Registry.address(of: other))
        turn(of: peer, .sighted(sighting))
    }

    mutating func discoverAll() {
        for peer in peers.indices where peers[peer].isUp {
            for other in network.adjacency.neighbours(of: peer) where other < peer {
                meet(peer, other, isMutual: true)
            }
        }
    }
}

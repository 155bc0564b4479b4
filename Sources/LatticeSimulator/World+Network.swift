import LatticeCore
import LatticeMesh
import LatticeWire

// Connections: ordered, lossless while they live, silent when they are cut.
extension World {
    mutating func dial(_ dial: DialID, _ address: PeerAddress, by peer: Int) {
        dials += 1
        guard let instance = peers[peer]?.instance else { return }
        let target = peers.indices.first { SimulatedPeer.address(of: $0) == address }
        let roundTrips = now.advanced(by: delay() * 3)
        guard let target, peers[target] != nil, canReach(peer, target) else {
            return queue.push(.event(.dialFailed(dial, "no answer"), peer: peer, instance: instance), at: roundTrips)
        }
        lastLink += 2
        connections.append(
            Connection(
                ends: [peer, target], links: [LinkID(rawValue: lastLink - 1), LinkID(rawValue: lastLink)],
                arrival: [roundTrips, roundTrips]))
        queue.push(.opened(connection: connections.count - 1, dial: dial), at: roundTrips)
    }

    mutating func opened(_ index: Int, _ dial: DialID) {
        let connection = connections[index]
        let (dialler, target) = (connection.ends[0], connection.ends[1])
        guard connection.isOpen, canReach(dialler, target), let near = peers[dialler], let far = peers[target] else {
            connections[index].isOpen = false
            return handle(.dialFailed(dial, "the handshake broke"), at: dialler)
        }
        peers[dialler]?.links[connection.links[0]] = index
        peers[target]?.links[connection.links[1]] = index
        let there = OpenedLink(
            peer: far.id, name: SimulatedPeer.name(of: target), instance: far.instance,
            address: SimulatedPeer.address(of: target), dial: dial)
        let here = OpenedLink(
            peer: near.id, name: SimulatedPeer.name(of: dialler), instance: near.instance,
            address: SimulatedPeer.address(of: dialler), dial: nil)
        let event = Happening.event(.linkOpened(connection.links[1], here), peer: target, instance: far.instance)
        queue.push(event, at: arrival(on: index, at: 1))
        handle(.linkOpened(connection.links[0], there), at: dialler)
    }

    mutating func carry(_ frames: [Frame], over link: LinkID, from peer: Int) {
        for frame in frames { carry(.received(link, frame), over: link, from: peer) }
    }

    mutating func carry(_ event: MeshEvent, over link: LinkID, from peer: Int) {
        guard let index = peers[peer]?.links[link], connections[index].isOpen else { return }
        let connection = connections[index]
        let other = connection.ends[0] == peer ? 1 : 0
        guard canReach(connection.ends[0], connection.ends[1]), let instance = peers[connection.ends[other]]?.instance
        else { return }
        let there: MeshEvent =
            switch event {
            case .heard(_, let record, let timeToLive, let hops):
                .heard(connection.links[other], record, timeToLive: timeToLive, hops: hops)
            case .received(_, let frame): .received(connection.links[other], frame)
            default: event
            }
        queue.push(
            .event(there, peer: connection.ends[other], instance: instance), at: arrival(on: index, at: other))
    }

    mutating func close(_ link: LinkID, _ goodbye: Goodbye, by peer: Int) {
        guard let index = peers[peer]?.links[link], connections[index].isOpen else { return }
        let other = connections[index].ends[0] == peer ? 1 : 0
        if canReach(connections[index].ends[0], connections[index].ends[1]) {
            closeEnd(of: index, at: other, .goodbye(goodbye))
        } else {
            // The other side hears nothing; its own pings will tell it.
            closeEnd(of: index, at: other, .broken("reset"), after: .seconds(20))
        }
        closeEnd(of: index, at: 1 - other, .left)
        connections[index].isOpen = false
    }

    mutating func closeEnd(of index: Int, at end: Int, _ reason: LinkEnd, after wait: Duration = .zero) {
        let connection = connections[index]
        guard let instance = peers[connection.ends[end]]?.instance else { return }
        let event = MeshEvent.linkClosed(connection.links[end], reason)
        queue.push(
            .event(event, peer: connection.ends[end], instance: instance),
            at: arrival(on: index, at: end).advanced(by: wait))
    }

    private func canReach(_ left: Int, _ right: Int) -> Bool {
        topology.areAdjacent(left, right) && !cuts.contains([min(left, right), max(left, right)])
    }

    mutating func delay() -> Duration {
        .milliseconds(Int64.random(in: latency, using: &generator))
    }

    private mutating func arrival(on index: Int, at end: Int) -> Instant {
        let time = max(now.advanced(by: delay()), connections[index].arrival[end])
        connections[index].arrival[end] = time
        return time
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire

// Connections from dial to end: ordered and lossless while open. Behind a cut, frames wait.
extension World {
    mutating func dial(_ dial: DialID, _ address: PeerAddress, by peer: Int) {
        dials += 1
        let target = Registry.number(at: address) ?? peer
        if isTold { tell("peer \(peer) dials peer \(target)") }
        guard target < peers.count, adjacency.areAdjacent(peer, target) else {
            return errand(.dialFailed(dial, "no way there"), for: peer, after: 1)
        }
        // TCP and the handshake take three one-way trips until the dialler knows whom it has reached.
        let wait = 3 * network.latency(peer, target, seed: seed) + peers[target].slowness
        guard peers[target].isUp, isBothWaysOpen(peer, target) else {
            return errand(.dialFailed(dial, "no answer"), for: peer, after: wait)
        }
        let dialling = Dialling(dialler: peer, instance: peers[peer].instance, target: target, dial: dial)
        queue.push(Entry(.opened, payload: diallings.put(dialling)), at: queue.now + wait)
    }

    mutating func opened(_ dialling: Dialling) {
        let (dialler, target) = (dialling.dialler, dialling.target)
        guard peers[dialler].isUp, peers[dialler].instance == dialling.instance else { return }
        guard peers[target].isUp, isBothWaysOpen(dialler, target) else {
            return turn(of: dialler, .dialFailed(dialling.dial, "the handshake broke"))
        }
        let latency = network.latency(dialler, target, seed: seed)
        connections.append(Connection(dialler: dialler, target: target, latency: latency, at: queue.now))
        openConnections += 1
        openedConnections += 1
        let (near, far) = (
            Connection.link(connections.count - 1, end: 0), Connection.link(connections.count - 1, end: 1)
        )
        peers[dialler].links.append(near)
        peers[target].links.append(far)
        let here = OpenedLink(
            peer: peers[dialler].id, name: peers[dialler].name, instance: peers[dialler].instance,
            address: Registry.address(of: dialler), dial: nil)
        let there = OpenedLink(
            peer: peers[target].id, name: peers[target].name, instance: peers[target].instance,
            address: Registry.address(of: target), dial: dialling.dial)
        post(.linkOpened(far, here), to: far)
        turn(of: dialler, .linkOpened(near, there))
    }

    mutating func close(_ link: LinkID, _ goodbye: Goodbye, by peer: Int) {
        let (index, end) = (link.connection, link.end)
        guard connections.indices.contains(index), connections[index].peer(at: end) == peer else { return }
        guard !connections[index].isEnding(at: end) else { return }
        tally.add(.goodbye, frames: 1, bytes: Frame.goodbye(goodbye).byteCount)
        let other = 1 - end
        // No goodbye passes a cut; the other side's own pings find the link dead.
        if connections[index].isOpen, !connections[index].isEnding(at: other), !isStopped(index, towards: other) {
            tellEnd(index, at: other, .goodbye(goodbye))
        }
        shut(index)
        noticeEnd(index, at: end, .left)
    }

    /// The peer's process has ended: its connections break, or just fall silent behind a cut.
    mutating func breakConnections(of peer: Int, as end: LinkEnd) {
        for link in peers[peer].links {
            let (index, other) = (link.connection, 1 - link.end)
            connections[index].leave(at: link.end)
            if connections[index].isOpen, !connections[index].isEnding(at: other), !isStopped(index, towards: other) {
                tellEnd(index, at: other, end)
            }
            shut(index)
        }
        peers[peer].links.removeAll()
    }

    mutating func arrived(_ event: MeshEvent, over number: Int) {
        let link = LinkID(rawValue: UInt64(number))
        let connection = connections[link.connection]
        guard !connection.isGone(at: link.end) else { return }
        let peer = connection.peer(at: link.end)
        if case .linkClosed = event {
            connections[link.connection].leave(at: link.end)
            peers[peer].links.removeAll { $0 == link }
            if hasStores { desks[peer].closed(link) }
        }
        turn(of: peer, heardPresence(event, over: link))
    }

    /// Sends an event to the receiver's link.
    mutating func post(_ event: MeshEvent, to link: LinkID, isExpendable: Bool = false, track: Int? = nil) {
        let entry = Entry(.letter, subject: Int(link.rawValue), payload: letters.put(event))
        carry(entry, on: link.connection, to: link.end, isExpendable: isExpendable, track: track)
    }

    /// - Returns: whether that end can still send; if not, it is notified that the connection broke.
    mutating func canSend(over link: LinkID, from peer: Int) -> Bool {
        let (index, end) = (link.connection, link.end)
        guard connections.indices.contains(index), connections[index].peer(at: end) == peer else { return false }
        if connections[index].isOpen { return true }
        guard !connections[index].isEnding(at: end), !isStopped(index, towards: 1 - end) else { return false }
        // The other side closed it but could not say so: TCP answers with a reset.
        noticeEnd(index, at: end, .broken("reset"))
        return false
    }

    /// The other side ended it; the notice arrives after everything sent before.
    private mutating func tellEnd(_ index: Int, at end: Int, _ reason: LinkEnd) {
        connections[index].beginEnding(at: end)
        post(.linkClosed(Connection.link(index, end: end), reason), to: Connection.link(index, end: end))
    }

    /// This side's own socket ended it; within a round trip it is closed, whatever passes between the peers.
    private mutating func noticeEnd(_ index: Int, at end: Int, _ reason: LinkEnd) {
        connections[index].beginEnding(at: end)
        let link = Connection.link(index, end: end)
        let entry = Entry(.letter, subject: Int(link.rawValue), payload: letters.put(.linkClosed(link, reason)))
        let time = queue.now + 2 * connections[index].latency
        queue.push(entry, at: connections[index].arrive(at: end, noSoonerThan: time))
    }

    private mutating func shut(_ index: Int) {
        if connections[index].isOpen { openConnections -= 1 }
        connections[index].isOpen = false
    }

    func isStopped(_ index: Int, towards end: Int) -> Bool {
        !barriers.isNone
            && barriers.stops(from: connections[index].peer(at: 1 - end), to: connections[index].peer(at: end))
    }

    private func isBothWaysOpen(_ left: Int, _ right: Int) -> Bool {
        barriers.isNone || (!barriers.stops(from: left, to: right) && !barriers.stops(from: right, to: left))
    }

    mutating func errand(_ event: MeshEvent, for peer: Int, after wait: Int64) {
        let errand = Errand(instance: peers[peer].instance, event: event)
        queue.push(Entry(.errand, subject: peer, payload: errands.put(errand)), at: queue.now + wait)
    }
}

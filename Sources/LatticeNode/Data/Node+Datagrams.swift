package import LatticeCore
package import LatticeLink
import LatticeMesh
import LatticeWire

// Datagrams of this node's program, and those that the mesh moves.
extension Node {
    /// Bytes of a datagram at most.
    package static let datagramBytesMax = DatagramFrame.payloadBytesMax

    /// Sends a datagram to each of these peers, and waits for none of them.
    ///
    /// - Parameter payload: at most `datagramBytesMax` bytes.
    package func sendDatagram(_ payload: [UInt8], to peers: [PeerID]) -> DatagramOutcome {
        precondition(payload.count <= Self.datagramBytesMax, "a longer one is refused where it is given")
        var outcome = DatagramOutcome()
        let before = data.datagrams.counts.droppedWhenFull
        for peer in peers {
            let withoutWay = data.datagrams.counts.droppedWithoutWay
            let now = Clocks.now
            switch ask({ $0.datagramWay(to: peer, at: now) }) {
            case nil: data.datagrams.dropped(.withoutWay)
            case .link: handle(.datagram(.submitted(peer, payload, ageMilliseconds: 0)))
            case .routed:
                if sendSealed(payload, to: peer, ageMilliseconds: 0) { break }
                outcome.waiting.append(peer)
                _ = data.datagrams.wait(payload, for: peer, at: now)
            }
            // Its link may be closing.
            if data.datagrams.counts.droppedWithoutWay > withoutWay { outcome.unreachable.append(peer) }
        }
        outcome.dropped = Int(data.datagrams.counts.droppedWhenFull - before)
        return outcome
    }

    /// A stream of messages to this peer has opened.
    func sendWaiting(to peer: PeerID) {
        for waiting in data.datagrams.takeWaiting(for: peer, at: Clocks.now) {
            _ = sendSealed(waiting.payload, to: peer, ageMilliseconds: waiting.age)
        }
    }

    private func sendSealed(_ payload: [UInt8], to peer: PeerID, ageMilliseconds: UInt32) -> Bool {
        guard let sealed = streams.sealDatagram(payload, to: peer) else { return false }
        handle(
            .datagram(
                .sealed(peer, sequence: sealed.sequence, sealed.octets, ageMilliseconds: ageMilliseconds)))
        return true
    }

    func carryOut(_ effect: DatagramEffect) {
        switch effect {
        case .carry(let frame, let giver, let id):
            let source = DatagramSource(giver: giver, origin: frame.route?.from ?? mesh.me)
            guard let dropped = links[id]?.sendDatagram(frame, from: source) else {
                return data.datagrams.dropped(.withoutWay)
            }
            if dropped > 0 { data.datagrams.droppedWhenFull(dropped) }
        case .received(let frame, let peer):
            let payload = frame.route == nil ? frame.octets : streams.openDatagram(frame, from: peer)
            guard let payload else { return data.datagrams.dropped(.invalid) }
            data.datagrams.received(payload, from: peer)
        case .dropped(let why): data.datagrams.dropped(why)
        }
    }

    package nonisolated func linkTookDatagrams(_ link: Link, _ tally: DatagramTally) {
        data.datagrams.left(tally)
        for _ in 0..<(tally.sent + tally.relayed) { onLoop { $0.meter.metrics.sent(.datagram) } }
    }
}

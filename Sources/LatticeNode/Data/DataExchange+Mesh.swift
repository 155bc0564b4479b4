import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeWire

// From the exchange to the mesh and back.
extension DataExchange {
    /// Gives the mesh as much outgoing data as it has space for, and reports what programs have read.
    func carry(for node: isolated Node) {
        node.handle(readerNews())
        for peer in waiting() { submit(to: peer, for: node) }
    }

    private func submit(to peer: PeerID, for node: isolated Node) {
        let now = Clocks.now
        guard var room = node.ask({ $0.dataRoom(to: peer, at: now) }) else {
            return node.handle(.data(.wayless(peer)))
        }
        // One at a time: each may end the flow, and the rest with it.
        while let messages = take(for: peer, atMost: room) {
            room -= messages.bytes.count
            node.handle(.data(.submitted(peer, messages)))
        }
    }

    func carryOut(_ effect: DataEffect, for node: isolated Node) {
        switch effect {
        case .carry(let frame, let id):
            guard let isSent = node.links.sendData(frame.bytes, to: id) else { return }
            if isSent { node.meter.metrics.sent(frame.type) } else { node.meter.refused(.data) }
        case .received(let origin, let messages): came(messages, from: origin)
        case .moved(let peer, let isConfirmed):
            if isConfirmed { confirmed(to: peer) }
            if isWaiting(for: peer) { submit(to: peer, for: node) }
        case .ended(let peer, let reason): ended(peer, reason)
        }
    }
}

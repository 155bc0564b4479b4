import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeWire

// Data between programs: from the exchange to the mesh and back.
extension Node {
    /// Gives the mesh as much outgoing data as it has space for, and reports what programs have read.
    func carryData() {
        let news = data.news()
        if let isReading = news.isReading { handle(.data(.readingChanged(isReading))) }
        for (origin, bytes) in news.read { handle(.data(.read(origin, bytes: bytes))) }
        for peer in news.waiting { submitData(for: peer) }
    }

    private func submitData(for peer: PeerID) {
        let now = Clocks.now
        guard var room = ask({ $0.dataRoom(to: peer, at: now) }) else { return handle(.data(.wayless(peer))) }
        while let messages = data.take(for: peer, atMost: room) {
            room -= messages.bytes.count
            handle(.data(.submitted(peer, messages)))
        }
    }

    func carryOut(_ effect: DataEffect) {
        switch effect {
        case .carry(let frame, let id):
            guard let link = live[id] else { return }
            // Chat goes first: data can be sent again.
            guard link.waitingBytes < Self.busyBytes, link.send(frame.bytes) else { return refusals.add(.data) }
            metrics.sent(frame.type)
        case .received(let origin, let messages): data.came(messages, from: origin)
        case .moved(let peer, let isConfirmed):
            if isConfirmed { data.confirmed(to: peer) }
            if data.isWaiting(for: peer) { submitData(for: peer) }
        case .ended(let peer, let reason): data.ended(peer, reason)
        }
    }
}

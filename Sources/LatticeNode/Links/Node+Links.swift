package import LatticeCore
package import LatticeLink
import LatticeMesh
package import LatticeWire
import Logging

// Link reports, turned into mesh events. Links run on this actor's event loop.
extension Node: LinkOwner {
    package nonisolated func introduction() -> Introduction {
        onLoop { $0.links.face.introduction() }
    }

    package nonisolated func linkOpened(_ link: Link) {
        onLoop { LinkTable.opened(link, for: $0) }
    }

    package nonisolated func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception {
        onLoop { $0.received(frames, on: link) }
    }

    package nonisolated func linkHasBulkRoom(_ link: Link) {
        onLoop { $0.blobs?.hasRoom(link.id, for: $0) }
    }

    package nonisolated func linkClosed(_ link: Link, _ closure: LinkClosure) {
        onLoop { LinkTable.closed(link, closure, for: $0) }
    }

    package nonisolated func dialFailed(_ dial: DialID, _ end: DialEnd) {
        onLoop { LinkTable.failed(dial, end, for: $0) }
    }

    private func received(_ all: [Frame], on link: Link) -> Reception {
        meter.metrics.received(all)
        let (plain, frames) = all.dividedAtSignature
        // A peer that lets us in announces its people at once. Our admission does not wait for all those signatures.
        if !plain.isEmpty { handle(plain.lazy.map { .received(link.id, $0) }) }
        LinkTable.noteRoundTrip(on: link.id, of: plain, for: self)
        guard !frames.isEmpty else { return .taken }
        guard let judged = arrivals.take(frames, on: link) else { return .later }
        self.judged(judged)
        return judged.fault.map(Reception.faulty) ?? .taken
    }

    func judged(_ judged: Arrivals.Judged) {
        handle(judged.events)
        if !judged.presences.isEmpty { clock.heard(judged.presences, for: self) }
    }
}

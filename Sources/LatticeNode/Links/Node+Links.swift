import LatticeAPI
package import LatticeCore
import LatticeDiscovery
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
        onLoop { $0.opened(link) }
    }

    package nonisolated func linkReceived(_ link: Link, _ frames: [Frame]) -> Reception {
        onLoop { $0.received(frames, on: link) }
    }

    package nonisolated func linkClosed(_ link: Link, _ closure: LinkClosure) {
        onLoop { $0.closed(link, closure) }
    }

    package nonisolated func dialFailed(_ dial: DialID, _ end: DialEnd) {
        onLoop { $0.failed(dial, end) }
    }

    private func received(_ all: [Frame], on link: Link) -> Reception {
        meter.metrics.received(all)
        let (plain, frames) = all.dividedAtSignature
        // A peer that lets us in announces its people at once. Our admission does not wait for all those signatures.
        if !plain.isEmpty { handle(plain.lazy.map { .received(link.id, $0) }) }
        guard !frames.isEmpty else { return .taken }
        guard let judged = arrivals.take(frames, on: link) else { return .later }
        self.judged(judged)
        return judged.fault.map(Reception.faulty) ?? .taken
    }

    func judged(_ judged: Arrivals.Judged) {
        handle(judged.events)
        if !judged.presences.isEmpty { clock.heard(judged.presences, for: self) }
    }

    private func opened(_ link: Link) {
        if let dial = link.dial, let expected = configuration.expected[link.address], expected != link.peer.peer {
            link.close(Goodbye(.refused, "another peer was expected"))
            return failed(dial, .otherPeer)
        }
        links.opened(link)
        network.failures.reached(link)
        let opened = OpenedLink(
            peer: link.peer.peer, name: link.peer.name, instance: link.peer.instance, address: link.listeningAddress,
            dial: link.dial)
        handle(.linkOpened(link.id, opened))
        clock.linked(by: link, for: self)
    }

    private func closed(_ link: Link, _ closure: LinkClosure) {
        if case .fault = closure { meter.refused(.faults) }
        countNeighbours()
        links.closed(link.id)
        waits.resolve(.drained(link.id))
        reconciliation?.closed(link.id)
        server.closed(link.id)
        clock.unlinked(link.peer.peer)
        reconcile.closed(link.peer.peer)
        network.discovery.refresh()
        handle(.linkClosed(link.id, LinkEnd(closure)))
        if links.isEmpty { waits.resolve(.unlinked) }
    }

    private func failed(_ dial: DialID, _ end: DialEnd) {
        logger.debug("dial failed", metadata: ["reason": "\(end)"])
        network.failures.failed(dial, end)
        handle(.dialFailed(dial, end))
    }
}

extension LinkEnd {
    init(_ closure: LinkClosure) {
        switch closure {
        case .goodbye(let goodbye): self = .goodbye(goodbye)
        case .broken(let reason): self = .broken(reason)
        case .fault(let reason): self = .fault(reason)
        }
    }
}

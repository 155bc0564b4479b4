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
        face.introduction()
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

    package nonisolated func dialFailed(_ dial: DialID, _ reason: String) {
        onLoop { $0.failed(dial, reason) }
    }

    private func opened(_ link: Link) {
        if let dial = link.dial, let expected = configuration.expected[link.address], expected != link.peer.peer {
            link.close(Goodbye(.refused, "another peer was expected"))
            return failed(dial, "\(DialEnd.answered)it is not the peer that invited you")
        }
        live[link.id] = link
        misses.reached(link)
        let opened = OpenedLink(
            peer: link.peer.peer, name: link.peer.name, instance: link.peer.instance, address: link.listeningAddress,
            dial: link.dial)
        handle(.linkOpened(link.id, opened))
        clockTold(by: link)
    }

    private func closed(_ link: Link, _ closure: LinkClosure) {
        if case .fault = closure { refusals.add(.faults) }
        countNeighbours()
        live[link.id] = nil
        stalled.remove(link.id)
        busy.remove(link.id)
        reconciliation?.closed(link.id)
        server.closed(link.id)
        judge.opinions.unlinked(link.peer.peer)
        reconcile.closed(link.peer.peer)
        discovery.refresh()
        handle(.linkClosed(link.id, LinkEnd(closure)))
        if live.isEmpty { releaseEmptyWaiters() }
    }

    private func failed(_ dial: DialID, _ reason: String) {
        logger.debug("dial failed", metadata: ["reason": "\(reason)"])
        misses.failed(dial, reason)
        handle(.dialFailed(dial, reason))
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

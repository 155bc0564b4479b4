import LatticeAPI
package import LatticeCore
import LatticeCrypto
import LatticeDiscovery
package import LatticeLink
import LatticeMesh
package import LatticeWire
import Logging

// What the links report, turned into events of the mesh.
extension Node: LinkOwner {
    /// Beyond this people are told; below it clocks of ordinary machines differ.
    private static let clockSkewTold: Duration = .seconds(120)

    package nonisolated func introduction() -> Introduction {
        face.introduction()
    }

    package func linkOpened(_ link: Link) {
        live[link.id] = link
        let opened = OpenedLink(
            peer: link.peer.peer, name: link.peer.name, instance: link.peer.instance, address: link.listeningAddress,
            dial: link.dial)
        handle(.linkOpened(link.id, opened))
        let skew = Duration.milliseconds(link.peer.clock.milliseconds - Clocks.wall.milliseconds)
        if skew > Self.clockSkewTold || skew < .zero - Self.clockSkewTold { tell(.notice(.skew(skew, link.peer.name))) }
    }

    /// Signatures are checked in the link's own task, so that links do not wait for one another's.
    package nonisolated func linkReceived(_ link: Link, _ frames: [Frame]) async throws(LinkFault) {
        var events: [MeshEvent] = []
        events.reserveCapacity(frames.count)
        for frame in frames {
            if case .probe(let probe) = frame, !isTrue(probe) {
                events.append(.probeForged(probe))
                continue
            }
            guard case .record(let carried) = frame else {
                events.append(.received(link.id, frame))
                continue
            }
            do {
                let record = try verifier.verify(carried.signed)
                events.append(
                    .heard(
                        link.id, record, timeToLive: carried.timeToLive, hops: carried.hops, isStray: carried.isStray))
            } catch {
                await handle(events)
                // Every honest peer checks before it passes on, so whoever sends this is at fault itself.
                throw LinkFault("a record with a wrong signature")
            }
        }
        await handle(events)
    }

    /// Whoever a probe is for judges its path, and nobody on the way: an honest neighbour may bring a false one.
    private nonisolated func isTrue(_ probe: Probe) -> Bool {
        let end = probe.direction == .there ? probe.to : probe.from
        guard end == configuration.identity.peer else { return true }
        do {
            try PathVerifier.verify(probe)
            return true
        } catch {
            logger.debug("a probe with a false path", metadata: ["error": "\(error)"])
            return false
        }
    }

    package func linkClosed(_ link: Link, _ closure: LinkClosure) {
        live[link.id] = nil
        stalled.remove(link.id)
        busy.remove(link.id)
        discovery.refresh()
        handle(.linkClosed(link.id, LinkEnd(closure)))
        if live.isEmpty { releaseEmptyWaiters() }
    }

    package func dialFailed(_ dial: DialID, _ reason: String) {
        logger.debug("a dial failed", metadata: ["reason": "\(reason)"])
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

extension Notice {
    fileprivate static func skew(_ skew: Duration, _ name: PeerName) -> Notice {
        let minutes = abs(skew.components.seconds) / 60
        let direction = skew > .zero ? "ahead of" : "behind"
        let text =
            "the clock of \(DisplayText.isolated(name.text)) is \(minutes) min \(direction) this one; "
            + "if yours is wrong ('date' shows it), times shown to others are off"
        return Notice(.problem, code: "clockSkew", text)
    }
}

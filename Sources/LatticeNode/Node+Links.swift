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
    package nonisolated func introduction() -> Introduction {
        face.introduction()
    }

    package func linkOpened(_ link: Link) {
        if let dial = link.dial, let expected = configuration.expected[link.address], expected != link.peer.peer {
            link.close(Goodbye(.refused, "somebody else was expected"))
            return dialFailed(dial, "\(DialEnd.answered)somebody else is there than who invited")
        }
        live[link.id] = link
        let opened = OpenedLink(
            peer: link.peer.peer, name: link.peer.name, instance: link.peer.instance, address: link.listeningAddress,
            dial: link.dial)
        handle(.linkOpened(link.id, opened))
        clockTold(by: link)
    }

    /// Signatures are checked in the link's own task, so that links do not wait for one another's.
    package nonisolated func linkReceived(_ link: Link, _ frames: [Frame]) async throws(LinkFault) {
        metrics.received(frames)
        var events: [MeshEvent] = []
        events.reserveCapacity(frames.count)
        var presences: [VerifiedRecord] = []
        var judged = await verifyRecords(in: frames)[...]
        do {
            for frame in frames {
                switch frame {
                case .probe(let probe) where !isTrue(probe): events.append(.probeForged(probe))
                case .record(let carried):
                    let record = try next(&judged)
                    if record.kind == .presence { presences.append(record) }
                    events.append(
                        .heard(
                            link.id, record, timeToLive: carried.timeToLive, hops: carried.hops,
                            isStray: carried.isStray))
                case .supply(let supply):
                    events.append(.supplied(link.id, try next(&judged), ageSeconds: supply.ageSeconds))
                default: events.append(.received(link.id, frame))
                }
            }
        } catch {
            await received(events, presences)
            // Every honest peer checks before it passes on, so whoever sends this is at fault itself.
            throw LinkFault("a record with a wrong signature")
        }
        await received(events, presences)
    }

    private func received(_ events: [MeshEvent], _ presences: [VerifiedRecord]) {
        handle(events)
        if !presences.isEmpty { clocksTold(by: presences) }
    }

    /// Dozens come at once where much is said, and hundreds where they were asked for: these are checked on all cores.
    private nonisolated func verifyRecords(in frames: [Frame]) async -> [Result<VerifiedRecord, CryptoError>] {
        let records = frames.compactMap { frame -> SignedRecord? in
            switch frame {
            case .record(let carried): carried.signed
            case .supply(let supply): supply.signed
            default: nil
            }
        }
        return records.isEmpty ? [] : await verifier.verifyAll(records)
    }

    private nonisolated func next(
        _ judged: inout ArraySlice<Result<VerifiedRecord, CryptoError>>
    ) throws(CryptoError) -> VerifiedRecord {
        guard let result = judged.popFirst() else { preconditionFailure("every record that came was judged") }
        return try result.get()
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
        if case .fault = closure { refusals.add(.faults) }
        countNeighbours()
        live[link.id] = nil
        stalled.remove(link.id)
        busy.remove(link.id)
        comparisons.closed(link.id)
        supplies[link.id] = nil
        judge.opinions.unlinked(link.peer.peer)
        ledger.closed(link.peer.peer)
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

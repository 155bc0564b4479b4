package import LatticeCore
package import LatticeWire

extension Mesh {
    /// Whether this author is this peer or one of its personas.
    package func isOwn(_ author: PeerID) -> Bool { facts.isOwn(author) }

    /// How far this peer has reconciled with its neighbours.
    package var syncProgress: SyncProgress { antiEntropy.progress.told }

    package func syncNeighbours() -> [SyncNeighbour] { antiEntropy.neighbours }

    /// Own lines waiting for a first neighbour.
    package var waitingCount: Int { broadcast.outbox.waitingCount }

    /// Own lines that no neighbour has confirmed yet, the waiting ones included.
    package var unconfirmedCount: Int { broadcast.outbox.entries.count }

    /// Those of them that are chat lines.
    package var unconfirmedLinesCount: Int { broadcast.outbox.linesCount }

    /// How many of these no neighbour has confirmed yet.
    package func unconfirmedCount(among records: Set<RecordID>) -> Int {
        broadcast.outbox.entries.count { records.contains($0.record.id) }
    }

    /// Whether the outbox has space for another record of `bytes` bytes.
    package func hasOutboxRoom(bytes: Int) -> Bool {
        broadcast.outbox.hasRoom(bytes: bytes, isAlone: register.connectedCount == 0)
    }

    /// Probes that ended here with a path that is not signed by everybody in it.
    package var forgedProbesCount: Int { routing.forgedCount }

    /// Our own presence.
    package var presenceNow: Presence { presences.own }

    /// Whether this peer announced itself as running only briefly.
    package func isBrief(_ peer: PeerID) -> Bool { presences[peer]?.presence.isBrief ?? false }

    /// Whether a connected link leads to this peer.
    package func isNeighbour(_ peer: PeerID) -> Bool { register.connectedLinkID(to: peer) != nil }

    /// Whether this record passed through here, our own included.
    package func hasSeen(_ id: RecordID) -> Bool { broadcast.hasSeen(id) }

    /// Whether speaking should wait: too much is unconfirmed, or we are close to the rate that others accept.
    package func isPaced(at now: Instant) -> Bool {
        broadcast.outbox.isCrowded || quietUntil(at: now) != nil
    }

    package var connectedCount: Int { Set(register.rows.filter(\.isConnected).map(\.peer)).count }

    /// Everybody known, neighbours first, then by hops, then the ones that are only sighted.
    package func peers() -> [PeerView] {
        PeerViews(
            facts: facts, register: register, candidates: overlay.candidates, presences: presences, liveness: liveness
        ).all()
    }

    /// Bytes of messages that may be submitted for this peer until the next event; `nil` if there is no route to it or
    /// it is blocked.
    package func dataRoom(to peer: PeerID, at now: Instant) -> Int? {
        flows.room(to: peer, in: register, routing, facts, at: now)
    }

    // MARK: - Fairness

    /// Records refused since the start, by reason.
    package var refusedCounts: RefusedCounts {
        var counts = fairness.refused
        counts.byBlock += routing.blockedCount
        return counts
    }

    /// Everything refused since the start, records and the rest.
    package var refusalCounts: RefusalCounts {
        var all = refusals
        let records = refusedCounts
        all.add(.origin, records.byOrigin)
        all.add(.link, records.byLink)
        all.add(.backlog, records.byBacklog)
        all.add(.blocked, records.byBlock)
        all.add(.probes, routing.refusedCount)
        all.add(.newcomers, fairness.refusedNewcomersCount)
        all.add(.overlay, overlay.refusedCount)
        all.add(.uninvited, invitations.refusedCount)
        all.add(.tree, broadcast.refusedCount)
        all.add(antiEntropy.refused)
        all.add(flows.refused)
        all.add(.malformed, presences.malformedCount)
        all.add(.dials, overlay.candidates.dialsDelayed)
        return all
    }

    /// Whether records of others are held back for this link.
    package func isBusy(_ link: LinkID) -> Bool { fairness.isBusy(link) }

    /// Records held back for busy links.
    package var backlogCount: Int { fairness.backlogCount }

    /// Since when the oldest held-back record waits; `nil` if nothing waits.
    package var backlogSince: Instant? { fairness.backlogSince }

    /// When we may speak again under the rate that others accept; `nil` if we may now.
    package func quietUntil(at now: Instant) -> Instant? { fairness.quietUntil(at: now) }
}

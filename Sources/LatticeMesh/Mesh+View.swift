package import LatticeCore
package import LatticeWire

extension Mesh {
    /// Whether this author's records are said here.
    package func isOwn(_ author: PeerID) -> Bool { facts.isOwn(author) }

    /// How far this peer has caught up with its neighbours.
    package var syncProgress: SyncProgress { antiEntropy.progress.told }

    package func syncNeighbours() -> [SyncNeighbour] { antiEntropy.neighbours }

    /// Own lines that wait for somebody to come.
    package var waitingCount: Int { broadcast.outbox.waitingCount }

    /// Own lines that no neighbour has confirmed yet, the waiting ones included.
    package var unconfirmedCount: Int { broadcast.outbox.entries.count }

    /// Those of them that are lines of chat.
    package var unconfirmedLinesCount: Int { broadcast.outbox.linesCount }

    /// How many of these no neighbour has confirmed yet.
    package func unconfirmedCount(among records: Set<RecordID>) -> Int {
        broadcast.outbox.entries.count { records.contains($0.record.id) }
    }

    /// Whether one more own record of so many bytes is kept until a neighbour has it.
    package func hasOutboxRoom(bytes: Int) -> Bool {
        broadcast.outbox.hasRoom(bytes: bytes, isAlone: register.connectedCount == 0)
    }

    /// Probes that ended here and whose paths were not true.
    package var forgedProbesCount: Int { routing.forgedCount }

    /// What others see of us.
    package var presenceNow: Presence { presences.own }

    /// Whether it said that it runs for a moment only.
    package func isBrief(_ peer: PeerID) -> Bool { presences[peer]?.presence.isBrief ?? false }

    /// Whether a connected link leads straight to it.
    package func isNeighbour(_ peer: PeerID) -> Bool { register.connectedLinkID(to: peer) != nil }

    /// Whether this record has come by here, our own included.
    package func hasSeen(_ id: RecordID) -> Bool { broadcast.hasSeen(id) }

    /// Whether speaking should wait: too much is unconfirmed, or we have spoken more than others take from one speaker.
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

    /// How many bytes of messages may be submitted for this peer, until something else happens; `nil` if no way there is known, or none
    /// is wanted.
    package func dataRoom(to peer: PeerID, at now: Instant) -> Int? {
        flows.room(to: peer, in: register, routing, facts, at: now)
    }

    // MARK: - Fairness

    /// What was turned down since the start.
    package var refusedCounts: RefusedCounts {
        var counts = fairness.refused
        counts.byBlock += routing.blockedCount
        return counts
    }

    /// What was turned down since the start, records and all else.
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

    /// Whether records of others wait here for this link.
    package func isBusy(_ link: LinkID) -> Bool { fairness.isBusy(link) }

    /// Records that wait for busy links.
    package var backlogCount: Int { fairness.backlogCount }

    /// When the record came that has waited longest for a busy link; `nil` if nothing waits.
    package var backlogSince: Instant? { fairness.backlogSince }

    /// When we may speak again; `nil` if we may now, as far as others go by how much we say.
    package func quietUntil(at now: Instant) -> Instant? { fairness.quietUntil(at: now) }
}

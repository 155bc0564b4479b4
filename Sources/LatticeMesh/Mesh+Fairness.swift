package import LatticeCore
import LatticeWire

extension Mesh {
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

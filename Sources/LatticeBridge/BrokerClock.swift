import LatticeCore

/// How far this machine's clock is from the broker's. A broker dates what it stores; a record that was stored between sending it and
/// the answer shows the difference.
struct BrokerClock {
    private struct Probe {
        let id: RecordID
        let sent: WallTime
        var answered: WallTime?
        var stored: WallTime?
    }

    /// A record that did not come back by then will not.
    private static let waitMax: Int64 = 60_000

    private var probe: Probe?
    /// Negative if this machine is behind; zero within the time that the broker took to answer.
    private(set) var ahead: Duration?

    mutating func sends(_ id: RecordID?, at now: WallTime) {
        let isWaiting = probe.map { abs(now.milliseconds - $0.sent.milliseconds) < Self.waitMax } ?? false
        if !isWaiting { probe = id.map { Probe(id: $0, sent: now) } }
    }

    /// - Parameter outcome: of the record `id`; one that the broker had before tells nothing.
    mutating func answered(_ id: RecordID?, _ outcome: PublishOutcome?, at now: WallTime) {
        guard let waiting = probe, waiting.id == id, waiting.answered == nil else { return }
        guard outcome == .stored else { return probe = nil }
        probe?.answered = now
        judge()
    }

    /// The broker delivered this record.
    ///
    /// - Parameter storedAt: Unix milliseconds.
    mutating func came(_ id: RecordID, storedAt: Int64?) {
        guard probe?.id == id, let storedAt else { return }
        probe?.stored = WallTime(milliseconds: storedAt)
        judge()
    }

    private mutating func judge() {
        guard let probe, let answered = probe.answered, let stored = probe.stored else { return }
        self.probe = nil
        let (late, early) = (stored.milliseconds - answered.milliseconds, probe.sent.milliseconds - stored.milliseconds)
        ahead = .milliseconds(late > 0 ? -late : max(early, 0))
    }
}

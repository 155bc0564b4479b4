import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Reconciliation progress: for people, for neighbours, and for the store.
extension Node {
    /// Five times a second is as fast as a person can read a number.
    private static let progressInterval: Duration = .milliseconds(200)

    var progress: LatticeAPI.SyncProgress {
        let progress = mesh.antiEntropy.progress
        return LatticeAPI.SyncProgress(
            isCaughtUp: progress.isCaughtUp, fetched: progress.fetched, total: progress.fetched + progress.missing,
            peers: progress.peers)
    }

    func syncChanged() {
        isProgressUntold = true
        if mesh.antiEntropy.progress.isCaughtUp { ledger.caughtUp(at: clock.now) }
    }

    /// When to report changed progress; `nil` if nothing changed.
    var progressDeadline: Instant? {
        isProgressUntold ? progressToldAt.map { $0.advanced(by: Self.progressInterval) } ?? .zero : nil
    }

    func tellProgress(at now: Instant) {
        guard let deadline = progressDeadline, deadline <= now else { return }
        isProgressUntold = false
        progressToldAt = now
        tell(.sync(progress))
    }

    // MARK: Neighbours

    func compared() {
        metrics.compared()
        if mesh.antiEntropy.progress.isCaughtUp { ledger.caughtUp(at: clock.now) }
    }

    /// Counts the records exchanged on current links.
    func countNeighbours() {
        let (time, now) = (clock.now, Clocks.now)
        for neighbour in mesh.antiEntropy.neighbours {
            guard let at = neighbour.comparedAt else { continue }
            let date = WallTime(milliseconds: time.milliseconds - at.duration(to: now).wholeMilliseconds)
            ledger.count(neighbour.peer, comparedAt: date, gained: neighbour.gained, given: neighbour.given)
        }
    }

    /// Announces our retention to neighbours, at first and when it changes.
    func tellKeeping(of wall: Wall) async {
        do {
            let now = try await wall.store.keeping(at: clock.now)
            let elapsed = keepingToldAt.map { $0.duration(to: Clocks.now) }
            guard now.isNews(after: keepingTold, toldBefore: elapsed ?? .zero, isFull: isStoreFull) else { return }
            keepingTold = now
            keepingToldAt = Clocks.now
            isStoreFull = false
            handle(.keepingChanged(now))
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
    }

    /// Stores the last comparison with each neighbour, and when we were last caught up.
    func noteComparisons(in wall: Wall) async {
        countNeighbours()
        let notes = ledger.take()
        do {
            for note in notes.peers {
                try await wall.store.noteCompared(
                    with: note.peer, at: note.at, gained: note.gained, given: note.given)
            }
            if let time = notes.caughtUpAt { try await wall.store.set(SyncLedger.caughtUpKey, "\(time.milliseconds)") }
        } catch {
            if !Task.isCancelled { tellOnce(error) }
        }
    }

    func syncStatus() async throws(RequestError) -> SyncStatus {
        guard let wall else { throw .noStore }
        await noteComparisons(in: wall)
        var names: [PeerID: String] = [:]
        for link in live.values { names[link.peer.peer] = link.peer.name.text }
        let connected = mesh.antiEntropy.neighbours.map(\.peer)
        let stored = try await wall.reader.syncStatus(at: clock.now)
        return SyncStatus(
            progress: progress, caughtUpAt: mesh.antiEntropy.progress.isCaughtUp ? clock.now : stored.caughtUpAt,
            groups: stored.groups, peers: stored.peers(connected: connected, names: names))
    }
}

extension Keeping {
    /// A floor that moves with time is announced after this much: comparing what lies between is only wasted work.
    private static let movedMin: Int64 = 3_600_000
    /// A full store evicts something with every record it takes.
    private static let fullInterval: Duration = .seconds(10)

    /// Whether to announce it to neighbours.
    ///
    /// - Parameters:
    ///   - elapsed: time since the last announcement.
    ///   - isFull: whether something was refused since then for lack of space.
    func isNews(after told: Keeping?, toldBefore elapsed: Duration, isFull: Bool) -> Bool {
        guard let told else { return true }
        guard rooms == told.rooms, entries.map(\.group) == told.entries.map(\.group) else { return true }
        return zip(entries, told.entries).contains { now, before in
            // A lower floor is rare, and records above it are wanted.
            if now.since < before.since { return true }
            let moved = now.since.wall.milliseconds - before.since.wall.milliseconds
            return moved >= Self.movedMin || (isFull && moved > 0 && elapsed >= Self.fullInterval)
        }
    }
}

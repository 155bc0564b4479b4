import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What people and neighbours are told of how far comparing has come, and what is remembered of it.
extension Node {
    /// Five times a second is as often as a person reads a number.
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

    /// When what has changed is told; `nil` if nothing has.
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

    /// What went to and fro on links that are there still.
    func countNeighbours() {
        let (time, now) = (clock.now, Clocks.now)
        for neighbour in mesh.antiEntropy.neighbours {
            guard let at = neighbour.comparedAt else { continue }
            let date = WallTime(milliseconds: time.milliseconds - at.duration(to: now).wholeMilliseconds)
            ledger.count(neighbour.peer, comparedAt: date, gained: neighbour.gained, given: neighbour.given)
        }
    }

    /// Neighbours learn what is kept here, at first and when it changes.
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

    /// Writes down with whom was compared, and when all was there.
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
        let stored = try await wall.syncStatus(at: clock.now)
        return SyncStatus(
            progress: progress, caughtUpAt: mesh.antiEntropy.progress.isCaughtUp ? clock.now : stored.caughtUpAt,
            groups: stored.groups, peers: stored.peers(connected: connected, names: names))
    }
}

extension Keeping {
    /// A date that moves on by itself is told when it has moved so far: what lies between is only compared in vain.
    private static let movedMin: Int64 = 3_600_000
    /// A full store lets go of something with everything it takes in.
    private static let fullInterval: Duration = .seconds(10)

    /// Whether neighbours are to know.
    ///
    /// - Parameters:
    ///   - elapsed: since the last time they were told.
    ///   - isFull: whether something was turned away since for want of room.
    func isNews(after told: Keeping?, toldBefore elapsed: Duration, isFull: Bool) -> Bool {
        guard let told else { return true }
        guard rooms == told.rooms, entries.map(\.group) == told.entries.map(\.group) else { return true }
        return zip(entries, told.entries).contains { now, before in
            // Dropped floors are rare, and what lies above them is wanted.
            if now.since < before.since { return true }
            let moved = now.since.wall.milliseconds - before.since.wall.milliseconds
            return moved >= Self.movedMin || (isFull && moved > 0 && elapsed >= Self.fullInterval)
        }
    }
}

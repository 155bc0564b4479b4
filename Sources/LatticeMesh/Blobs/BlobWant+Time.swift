import LatticeCore
import OrderedCollections

// What a blob that is fetched waits for.
extension BlobWant {
    func noteDeadlines(_ note: (Instant?) -> Void) {
        note(seekAt)
        note(pausedUntil)
        note(tellAt)
        note(doubleAt)
        note(idleSince?.advanced(by: idleMax))
        for index in out.values.indices { note(out.values[index].until) }
        // By an index: a copy of each source would take several times as long.
        for index in sources.values.indices {
            note(sources.values[index].restsUntil)
            note(sources.values[index].believedAt)
            if sources.values[index].away == nil {
                note(sources.values[index].heardAt.advanced(by: BlobLimit.unanswered))
            } else if !sources.values[index].owed.isEmpty {
                note(sources.values[index].heardAt.advanced(by: BlobLimit.silence))
            }
        }
    }

    func isDue(at now: Instant) -> Bool {
        var isDue = false
        noteDeadlines { isDue = isDue || $0.map { $0 <= now } ?? false }
        return isDue
    }

    /// The disk took a piece.
    ///
    /// - Returns: whether it was the first one after a pause.
    mutating func goesOn() -> Bool {
        defer { pause = BlobLimit.pauseFirst }
        return pause > BlobLimit.pauseFirst
    }

    /// How many more pieces may be asked for: after a pause one at a time, until one is stored.
    var most: Int { pause > BlobLimit.pauseFirst ? max(0, 1 - owedBy.count - checking.count) : .max }

    /// It is looked for on behalf of others.
    ///
    /// - Parameter hops: over how many more links than one.
    mutating func seeks(hops: UInt8) { (ring, reach) = (Int(hops), max(reach, hops)) }

    /// A blob that is fetched for others goes when they no longer ask, or nobody can give it. Neighbours that ask each
    /// other on behalf of somebody who is gone do not keep it: only who asks further than is asked from here counts.
    ///
    /// - Parameter hops: the most with which a neighbour asks.
    /// - Returns: whether it goes now.
    mutating func letsGo(asked hops: UInt8, at now: Instant) -> Bool {
        guard purpose != .whole else { return false }
        guard let since = idleSince else {
            idleSince = now
            return false
        }
        guard since.advanced(by: idleMax) <= now else { return false }
        let isBusy = purpose == .keeping ? hasSource : hops > reach && !sources.isEmpty
        guard isBusy || !isIdle else { return true }
        (idleSince, isIdle) = (now, !isBusy)
        return false
    }

    /// How long one that is fetched for others is kept up without a source.
    var idleMax: Duration { purpose == .keeping ? BlobLimit.keeping : BlobLimit.seeking }

    /// How long it is waited for an answer before it is looked for again.
    var seekWait: Duration {
        switch ring {
        case 0: .milliseconds(500)
        case 1: .seconds(1)
        case 2: .seconds(2)
        default: min(.seconds(10) * (1 << min(ring - 3, 6)), BlobLimit.seekLast)
        }
    }

    /// Nothing is fetched for a while, because the disk is full or broken.
    mutating func rest(at now: Instant) {
        guard pausedUntil.map({ $0 <= now }) ?? true else { return }
        pausedUntil = now.advanced(by: pause)
        pause = min(pause * 2, BlobLimit.pauseLast)
    }

    /// - Returns: whether the disk is tried again, or idle sources may be asked for what others owe.
    mutating func resumes(at now: Instant) -> Bool {
        var isDue = false
        if let time = pausedUntil, time <= now { (pausedUntil, isDue) = (nil, true) }
        if let time = doubleAt, time <= now { (doubleAt, isDue) = (nil, true) }
        return isDue
    }

    /// A source was silent; what it was asked for may still come.
    ///
    /// - Returns: the pieces that it no longer owes.
    mutating func late(_ link: LinkID, at now: Instant) -> [Int] {
        let numbers = sources[link].map { Array($0.owed.keys) } ?? []
        _ = release(numbers, of: link)
        sources[link]?.wasLate(with: numbers, at: now)
        return numbers
    }
}

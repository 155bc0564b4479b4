import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What is heard and what was fetched is kept.
extension Node {
    private static let retryDelayMin: Duration = .seconds(1)
    private static let retryDelayMax: Duration = .seconds(30)

    /// What was said just now.
    ///
    /// - Returns: whether the store is going to say what it makes of it.
    func keep(_ record: VerifiedRecord) -> Bool {
        guard wall != nil, record.kind != .presence else { return false }
        let hasRoom = keeping.add(KeepQueue.Entry(record: record, origin: .flood, since: Clocks.now))
        if !hasRoom {
            refusals.add(.store)
            logger.debug("record not stored: the quota is used up")
        }
        keepInput.yield()
        return hasRoom
    }

    /// What was asked for. With no room for it, it can be asked for again.
    func keep(_ record: VerifiedRecord, ageSeconds: UInt32) {
        if keeping.add(KeepQueue.Entry(record: record, origin: .supply(ageSeconds: ageSeconds), since: Clocks.now)) {
            metrics.took(record.kind, .fetched)
            keepInput.yield()
        } else {
            handle(.kept([KeptRecord(record.id, .failed)]))
        }
    }

    /// Writes what has come, as much at once as has come meanwhile.
    func keepWhatComes() async {
        guard let wall else { return }
        var delay = Self.retryDelayMin
        for await _ in keepSignals {
            while !keeping.isEmpty {
                let batch = keeping.take()
                noteFresh(in: batch)
                do {
                    let outcomes = try await wall.store.insert(batch.map(\.incoming), at: clock.now)
                    delay = Self.retryDelayMin
                    await kept(batch, outcomes, by: wall)
                } catch {
                    // Where nothing can be kept, people still hear what is said.
                    for entry in batch { judged(entry.record.id, isKnown: false) }
                    let fetched = keeping.putBack(batch)
                    if !fetched.isEmpty { handle(.kept(fetched.map { KeptRecord($0, .failed) })) }
                    if Task.isCancelled { return }
                    tellOnce(error)
                    do {
                        try await Task.sleep(for: delay)
                    } catch {
                        return  // Cancelled: the node ends.
                    }
                    delay = min(delay * 2, Self.retryDelayMax)
                }
            }
        }
    }

    /// What has come and was not written yet, before the node ends.
    func keepTheRest() async {
        guard let wall else { return }
        do {
            while !keeping.isEmpty {
                _ = try await wall.store.insert(keeping.take().map(\.incoming), at: clock.now)
            }
        } catch {
            logger.error("could not store the last records", metadata: ["error": "\(error)"])
        }
    }

    /// These outlive the process now.
    private func kept(_ batch: [KeepQueue.Entry], _ outcomes: [InsertOutcome], by wall: Wall) async {
        keeping.done(batch)
        if keeping.wasFull { tellOfLoss() }
        hasToldOfStore = false
        hasWritten = true
        if outcomes.contains(.evicted) { isStoreFull = true }
        var added: [KeepQueue.Entry] = []
        var told: [KeptRecord] = []
        told.reserveCapacity(batch.count)
        let now = clock.now
        for (entry, outcome) in zip(batch, outcomes) {
            // Whoever was blocked when it was written and is no more is heard again: the same may be kept now.
            let isHeardAgain = outcome == .blocked && !standing.blocked.contains(entry.record.author)
            told.append(KeptRecord(entry.record.id, isHeardAgain ? .failed : KeptRecord.Outcome(outcome)))
            noteRefusal(outcome)
            judged(entry.record.id, isKnown: outcome == .known || outcome == .blocked)
            guard outcome == .added else { continue }
            added.append(entry)
            guard entry.isFetched else { continue }
            fetchedCount += 1
            if entry.record.kind == .residence { hosts.heard(entry.record) }
            dates.heard(entry.record.created, at: now)
        }
        handle(.kept(told))
        reconciliation?.storeChanged()
        noteLetters(in: added)
        for line in lateLines(of: added, at: now) { tellLine(line) }
        // Most of what comes is lines, which change nothing else.
        let others = added.lazy.map(\.record).filter { $0.kind != .chat }
        if !others.isEmpty { await announce(Array(others), on: wall) }
    }

    /// A line that was played again is told once.
    private func judged(_ id: RecordID, isKnown: Bool) {
        if let line = unjudged.removeValue(forKey: id), !isKnown { tellLine(line) }
    }

    private func noteRefusal(_ outcome: InsertOutcome) {
        switch outcome {
        case .evicted: refusals.add(.store)
        case .refused: refusals.add(.malformed)
        case .blocked: refusals.add(.blocked)
        case .added, .known, .superseded, .expired, .expiredByAge, .erased, .ignored: break
        }
    }

    /// What was said before in our rooms and came only now.
    private func lateLines(of entries: [KeepQueue.Entry], at now: WallTime) -> [Message] {
        KeepQueue.late(in: entries).compactMap { entry in
            guard case .supply(let age) = entry.origin else { return nil }
            return message(entry.record, at: entry.record.firstSeen(ageSeconds: age, at: now), hops: nil, isLate: true)
        }
    }

    /// What others left near where one is, and what they did to what is here, is told at once.
    private func announce(_ records: [VerifiedRecord], on wall: Wall) async {
        await tellChanges(by: records, on: wall)
        let items = records.filter { $0.author != mesh.me && ($0.kind == .post || $0.kind == .event) }
        guard !items.isEmpty else { return }
        for item in Wall.placed(items) { tell(.placed(item)) }
        do {
            for item in try await wall.news(items, at: clock.now) { tell(.posted(item)) }
        } catch {
            logger.debug("could not read new posts", metadata: ["error": "\(error)"])
        }
    }

    func tellOnce(_ error: StoreError) {
        guard !hasToldOfStore else { return }
        hasToldOfStore = true
        tell(.notice(Notice(.problem, code: RequestError(error).code.rawValue, error.description)))
    }

    private func tellOfLoss() {
        let lost = keeping.takeLost()
        tell(.notice(Notice(.problem, code: "notKept", "\(lost) received records could not be stored")))
    }
}

extension VerifiedRecord {
    /// The earlier of when its author says it was made and when somebody had it first, as far as that is known.
    func firstSeen(ageSeconds: UInt32 = 0, at now: WallTime) -> WallTime {
        let made = record.created.wall
        guard made > now else { return made }
        let age = Int64(min(ageSeconds, record.lifetimeSeconds)) * 1_000
        return WallTime(milliseconds: now.milliseconds - age)
    }
}

extension KeptRecord.Outcome {
    init(_ outcome: InsertOutcome) {
        switch outcome {
        case .added: self = .added
        case .known: self = .known
        case .expiredByAge: self = .declinedForAge
        case .superseded, .expired, .erased, .ignored, .blocked, .evicted: self = .declined
        case .refused: self = .faulty
        }
    }
}

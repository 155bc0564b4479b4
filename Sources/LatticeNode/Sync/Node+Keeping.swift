import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// What is heard and what was fetched is stored.
extension Node {
    /// Records whose effects on posts and people are still to be read; more are announced as "many".
    private static let addedMax = 4_096

    /// Takes what was said just now.
    ///
    /// - Returns: whether the store is going to say what it makes of it.
    func keep(_ record: VerifiedRecord) -> Bool {
        guard wall != nil, record.kind != .presence else { return false }
        let hasRoom = ingest.add(KeepQueue.Entry(record: record, origin: .flood, since: Clocks.now))
        if !hasRoom {
            refusals.add(.store)
            logger.debug("record not stored: the quota is used up")
        }
        return hasRoom
    }

    /// Takes what was fetched. What there is no room for can be fetched again.
    func keep(_ record: VerifiedRecord, ageSeconds: UInt32) {
        if ingest.add(KeepQueue.Entry(record: record, origin: .supply(ageSeconds: ageSeconds), since: Clocks.now)) {
            metrics.took(record.kind, .fetched)
        } else {
            handle(.kept([KeptRecord(record.id, .failed)]))
        }
    }

    /// Gives the writer what has come, at the end of each turn and when a commit is done.
    func storeWhatCame() {
        guard let store = wall?.store else { return }
        while let (ticket, batch) = ingest.next() {
            noteFresh(in: batch)
            guard store.submit(incoming: batch.map(\.incoming), at: clock.now, ticket: ticket) else {
                return failedToStore(ingest.refused(ticket))
            }
        }
    }

    /// On the writer's thread, after each commit.
    nonisolated func onCommits(of store: Store, _ turn: LoopTurn) {
        store.onCommit { [weak self] committed in
            turn.perform { [weak self] in self?.onLoop { $0.committed(committed) } }
        }
    }

    private func committed(_ committed: Committed) {
        if committed.isFull { isStoreFull = true }
        hasWritten = true
        reconciliation?.storeChanged()
        for (ticket, result) in committed.published { publisher.committed(ticket, result) }
        for (ticket, result) in committed.incoming {
            switch result {
            case .success(let outcomes): stored(ingest.stored(ticket), outcomes)
            case .failure(let error): failed(ticket, error)
            }
        }
        storeWhatCame()
    }

    private func failed(_ ticket: UInt64, _ error: StoreError) {
        let (batch, fetched) = ingest.failed(ticket, at: Clocks.now)
        // Where nothing can be stored, people still hear what is said.
        for entry in batch { judged(entry.record.id, isKnown: false) }
        failedToStore(fetched)
        tellOnce(error)
    }

    private func failedToStore(_ fetched: [RecordID]) {
        if !fetched.isEmpty { handle(.kept(fetched.map { KeptRecord($0, .failed) })) }
    }

    /// What has come and was not given to the writer, before the node ends. What the writer has, it stores before it ends.
    func keepTheRest() async {
        let rest = ingest.takeRest()
        guard let wall, !rest.isEmpty else { return }
        do {
            _ = try await wall.store.insert(rest.map(\.incoming), at: clock.now)
        } catch {
            logger.error("could not store the last records", metadata: ["error": "\(error)"])
        }
    }

    /// These outlive the process now.
    private func stored(_ batch: [KeepQueue.Entry], _ outcomes: [InsertOutcome]) {
        if let lost = ingest.takeLost() { tellOfLoss(lost) }
        hasToldOfStore = false
        var added: [KeepQueue.Entry] = []
        var told: [KeptRecord] = []
        told.reserveCapacity(batch.count)
        let now = clock.now
        for (entry, outcome) in zip(batch, outcomes) {
            // A peer that was blocked when it was written and no longer is, is heard again: the same may be stored now.
            let isHeardAgain = outcome == .blocked && !standing.blocked.contains(entry.record.author)
            told.append(KeptRecord(entry.record.id, isHeardAgain ? .failed : KeptRecord.Outcome(outcome)))
            noteRefusal(outcome)
            judged(entry.record.id, isKnown: outcome == .known || outcome == .blocked)
            guard outcome == .added else { continue }
            added.append(entry)
            guard entry.isFetched else { continue }
            fetchedCount += 1
            if entry.record.kind == .residence { hosts.heard(entry.record) }
            publisher.heard(entry.record.created, at: now)
        }
        handle(.kept(told))
        noteLetters(in: added)
        for line in lateLines(of: added, at: now) { tellLine(line) }
        // Most of what comes is lines, which change nothing else.
        let others = added.lazy.map(\.record).filter { $0.kind != .chat }
        guard !others.isEmpty else { return }
        if addedRecords.count < Self.addedMax { addedRecords += others } else { tell(.changed(.many)) }
        addedInput.yield()
    }

    /// Reads what stored records changed, beside the loop.
    func announceWhatCame() async {
        guard let wall else { return }
        for await _ in addedSignals {
            let records = addedRecords
            addedRecords = []
            await announce(records, on: wall)
        }
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

    private func tellOfLoss(_ lost: Int) {
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

import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

// Stores received and fetched records.
extension Node {
    /// Queues a record that was just written.
    ///
    /// - Returns: whether the store will report its outcome.
    func keep(_ record: VerifiedRecord) -> Bool {
        guard wall != nil, record.kind != .presence else { return false }
        let hasRoom = ingest.add(KeepQueue.Entry(record: record, origin: .flood, since: Clocks.now))
        if !hasRoom {
            refusals.add(.store)
            logger.debug("record not stored: the quota is used up")
        }
        return hasRoom
    }

    /// Queues a fetched record. If there is no space it can be fetched again.
    func keep(_ record: VerifiedRecord, ageSeconds: UInt32) {
        if ingest.add(KeepQueue.Entry(record: record, origin: .supply(ageSeconds: ageSeconds), since: Clocks.now)) {
            metrics.took(record.kind, .fetched)
        } else {
            handle(.kept([KeptRecord(record.id, .failed)]))
        }
    }

    /// Gives new records to the writer, at the end of each turn and after a commit.
    func storeWhatCame() {
        guard let store = wall?.store else { return }
        while let (ticket, batch) = ingest.next() {
            noteFresh(in: batch)
            guard store.submit(incoming: batch.map(\.incoming), at: clock.now, ticket: ticket) else {
                return failedToStore(ingest.refused(ticket))
            }
        }
    }

    /// Called on the writer's thread after each commit.
    nonisolated func onCommits(of store: Store, _ turn: LoopTurn) {
        store.onCommit { [weak self] committed in
            turn.perform { [weak self] in self?.onLoop { $0.committed(committed) } }
        }
    }

    private func committed(_ committed: Committed) {
        if committed.isFull { reconcile.storeFilled() }
        maintenance?.wrote()
        reconciliation?.storeChanged()
        for (ticket, result) in committed.published { publisher.committed(ticket, result) }
        entered(committed.written)
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
        // If nothing can be stored, lines are still shown.
        for entry in batch { judged(entry.record.id, isKnown: false) }
        failedToStore(fetched)
        tellOnce(error)
    }

    private func failedToStore(_ fetched: [RecordID]) {
        if !fetched.isEmpty { handle(.kept(fetched.map { KeptRecord($0, .failed) })) }
    }

    /// Stores what the writer was not given, before the node stops. The writer finishes its own records.
    func keepTheRest() async {
        let rest = ingest.takeRest()
        guard let wall, !rest.isEmpty else { return }
        do {
            _ = try await wall.store.insert(rest.map(\.incoming), at: clock.now)
        } catch {
            logger.error("could not store the last records", metadata: ["error": "\(error)"])
        }
    }

    /// These are now on disk.
    private func stored(_ batch: [KeepQueue.Entry], _ outcomes: [InsertOutcome]) {
        if let lost = ingest.takeLost() { tellOfLoss(lost) }
        notifier.storeWorks()
        var added: [KeepQueue.Entry] = []
        var told: [KeptRecord] = []
        told.reserveCapacity(batch.count)
        let now = clock.now
        for (entry, outcome) in zip(batch, outcomes) {
            // The author was unblocked in the meantime, so the same record may be stored now.
            let isHeardAgain = outcome == .blocked && !contacts.standing.blocked.contains(entry.record.author)
            told.append(KeptRecord(entry.record.id, isHeardAgain ? .failed : KeptRecord.Outcome(outcome)))
            noteRefusal(outcome)
            judged(entry.record.id, isKnown: outcome == .known || outcome == .blocked)
            guard outcome == .added else { continue }
            added.append(entry)
            guard entry.isFetched else { continue }
            reconcile.fetched(1)
            if entry.record.kind == .residence { hosts.heard(entry.record) }
            publisher.heard(entry.record.created, at: now)
        }
        handle(.kept(told))
        noteLetters(in: added)
        for line in lateLines(of: added, at: now) { tellLine(line) }
        // Most records are lines, which change nothing else.
        tellEffects(of: added.map(\.record).filter { $0.kind != .chat })
    }

    /// A replayed line is shown only once.
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

    /// Earlier lines of our rooms that only arrived now.
    private func lateLines(of entries: [KeepQueue.Entry], at now: WallTime) -> [Message] {
        KeepQueue.late(in: entries).compactMap { entry in
            guard case .supply(let age) = entry.origin else { return nil }
            return message(entry.record, at: entry.record.firstSeen(ageSeconds: age, at: now), hops: nil, isLate: true)
        }
    }

    func tellOnce(_ error: StoreError) {
        guard notifier.storeFailed() else { return }
        tell(.notice(Notice(.problem, code: RequestError(error).code.rawValue, error.description)))
    }

    private func tellOfLoss(_ lost: Int) {
        tell(.notice(Notice(.problem, code: "notKept", "\(lost) received records could not be stored")))
    }
}

extension VerifiedRecord {
    /// The author's date, or if that lies ahead, when a peer first had the record, as far as known.
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

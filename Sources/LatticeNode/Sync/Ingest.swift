import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Others' records, received or fetched, on their way into the store and to fronts, each once.
final class Ingest {
    /// `nil` if nothing is stored.
    private let store: Store?
    private let clock: NodeClock
    private let logger: Logger
    private var queue = IngestQueue()
    /// Records that programs of the owner brought.
    let supply = RecordSupply()
    /// Lines older than this node's start, until the store says whether they were shown before; each waits in `queue`.
    private var unjudged: [RecordID: Message] = [:]
    private let startedAt: WallTime

    init(_ store: Store?, _ clock: NodeClock, _ logger: Logger) {
        (self.store, self.clock, self.logger) = (store, clock, logger)
        startedAt = clock.now
    }

    /// Records that are queued or being written.
    var waiting: KeepQueue { queue.records }
    /// When records are due to go to the writer.
    var deadline: Instant? { queue.deadline }

    // MARK: What comes

    /// Queues a record that was just written, and shows it if it is a line of a room here.
    func heard(_ record: VerifiedRecord, hops: UInt8, isUrgent: Bool, for node: isolated Node) {
        let now = clock.now
        // Once it is judged, this is forgotten.
        let via = RecordVia(supply.via(of: record.id))
        let isJudged = keep(record, isUrgent: isUrgent, for: node)
        node.publisher.heard(record.created, at: now)
        if record.kind == .residence { node.personas.hosts.heard(record) }
        if record.kind == .edit || record.kind == .deletion || record.kind == .reaction {
            if !node.contacts.contactMarks.blocked.contains(record.author) { node.notifier.heard(record) }
        }
        guard record.kind == .chat else { return }
        let isLate = RecordAge(of: record, at: now) != .live
        let seen = record.firstSeen(at: now)
        guard var line = line(record, at: seen, hops: Int(hops), isLate: isLate, for: node) else { return }
        line.isUrgent = isUrgent
        if let via { line.via = via }
        Contacts.met(line.from, line.name, for: node)
        // The ids seen so far are gone with the process; the store remembers longer what was shown.
        if isJudged, record.created.wallTime < startedAt {
            unjudged[record.id] = line
        } else {
            node.notifier.deliverLine(line, for: node)
        }
    }

    /// - Returns: whether the store will report its outcome.
    private func keep(_ record: VerifiedRecord, isUrgent: Bool, for node: isolated Node) -> Bool {
        guard store != nil, record.kind != .presence else { return false }
        let isAdded = queue.add(
            KeepQueue.Entry(
                record: record, origin: .flood, isUrgent: isUrgent, since: Clocks.now, via: supply.via(of: record.id)))
        if !isAdded {
            supply.settled(record.id, .failed)
            node.meter.refused(.store)
            logger.debug("record not stored: the quota is used up")
        }
        return isAdded
    }

    /// Queues a fetched record. If there is no space it can be fetched again.
    func fetched(_ record: VerifiedRecord, ageSeconds: UInt32, isUrgent: Bool, for node: isolated Node) {
        let entry = KeepQueue.Entry(
            record: record, origin: .serve(ageSeconds: ageSeconds), isUrgent: isUrgent, since: Clocks.now)
        if queue.add(entry) {
            node.meter.metrics.took(record.kind, .fetched)
        } else {
            node.handle(.kept([KeptRecord(record.id, .failed)]))
        }
    }

    /// Queues a record that a program brought late, or answers it.
    func supplied(_ record: VerifiedRecord, _ verdict: SupplyVerdict, for node: isolated Node) {
        switch verdict {
        case .isRelayed: break  // It is delivered as well.
        case .isTooMuch: supply.settled(record.id, .failed)
        case .isBlocked: supply.settled(record.id, .stored(.blocked))
        case .isKept(let isUrgent):
            let entry = KeepQueue.Entry(
                record: record, origin: .serve(ageSeconds: 0), isUrgent: isUrgent, since: Clocks.now,
                via: supply.via(of: record.id))
            if queue.add(entry) {
                node.meter.metrics.took(record.kind, .fetched)
            } else {
                supply.settled(record.id, .failed)
            }
        }
    }

    // MARK: Into the store

    /// Called once a second.
    func look(for node: isolated Node) {
        queue.look(at: Clocks.now)
        submitDue(at: Clocks.now, for: node)
    }

    /// Gives records that are due to the writer, at the end of each turn and after a commit.
    func submitDue(at now: Instant, for node: isolated Node) {
        if queue.isDue(at: now) { submit(for: node) }
    }

    /// Gives all new records to the writer.
    ///
    /// - Parameter startsCommit: `false` if drafts follow at once, so that both share a commit.
    func submit(startsCommit: Bool = true, for node: isolated Node) {
        guard let store else { return }
        while let (ticket, batch) = queue.next() {
            node.mail.noteFresh(in: batch)
            let records = batch.map(\.incoming)
            guard
                store.submit(
                    incoming: records, at: clock.now, ticket: ticket, isUrgent: batch.first?.isUrgent ?? false,
                    startsCommit: startsCommit)
            else {
                return failed(queue.refused(ticket), for: node)
            }
        }
    }

    func committed(_ incoming: [(UInt64, Result<[InsertOutcome], StoreError>)], for node: isolated Node) {
        for (ticket, result) in incoming {
            switch result {
            case .success(let outcomes): stored(queue.stored(ticket), outcomes, for: node)
            case .failure(let error):
                let (batch, fetched) = queue.failed(ticket, at: Clocks.now)
                // If nothing can be stored, lines are still shown.
                for entry in batch {
                    supply.settled(entry.record.id, .failed)
                    judged(entry.record.id, isKnown: false, for: node)
                }
                failed(fetched, for: node)
                node.notifier.reportOnce(error, for: node)
            }
        }
        submitDue(at: Clocks.now, for: node)
    }

    private func failed(_ fetched: [RecordID], for node: isolated Node) {
        guard !fetched.isEmpty else { return }
        for id in fetched { supply.settled(id, .failed) }
        node.handle(.kept(fetched.map { KeptRecord($0, .failed) }))
    }

    /// Stores what the writer was not given, before the node stops. The writer finishes its own records.
    func storeRest(for node: isolated Node) async {
        supply.finish()
        node.sync.feeds.finish()
        let rest = queue.takeRest()
        guard let store, !rest.isEmpty else { return }
        do {
            _ = try await store.insert(rest.map(\.incoming), at: clock.now)
        } catch {
            logger.error("could not store the last records", metadata: ["error": "\(error)"])
        }
    }

    // MARK: After the commit

    /// These are now on disk.
    private func stored(_ batch: [KeepQueue.Entry], _ outcomes: [InsertOutcome], for node: isolated Node) {
        if let lost = queue.takeLost() { node.notifier.tell(.notice(.recordsLost(count: lost)), for: node) }
        node.notifier.storeWorks()
        var added: [KeepQueue.Entry] = []
        var kept: [KeptRecord] = []
        kept.reserveCapacity(batch.count)
        let now = clock.now
        for (entry, outcome) in zip(batch, outcomes) {
            // The author was unblocked in the meantime, so the same record may be stored now.
            let isHeardAgain = outcome == .blocked && !node.contacts.contactMarks.blocked.contains(entry.record.author)
            kept.append(KeptRecord(entry.record.id, isHeardAgain ? .failed : KeptRecord.Outcome(outcome)))
            supply.settled(entry.record.id, isHeardAgain ? .failed : .stored(outcome))
            noteRefusal(outcome, for: node)
            let isShownNever = outcome == .known || outcome == .blocked || outcome == .erased
            judged(entry.record.id, isKnown: isShownNever, for: node)
            if outcome == .erased, entry.record.kind == .chat {
                node.notifier.deliverDeletion(of: entry.record.id, for: node)
            }
            guard outcome == .added else { continue }
            added.append(entry)
            guard entry.isFetched else { continue }
            if !entry.isSupplied { node.sync.status.fetched(1) }
            if entry.record.kind == .residence { node.personas.hosts.heard(entry.record) }
            node.publisher.heard(entry.record.created, at: now)
        }
        node.handle(.kept(kept))
        tellNeighbours(of: added, for: node)
        node.mail.stored(added)
        showLate(added, at: now, for: node)
        // Most records are lines, which change nothing else.
        node.notifier.notifyEffects(of: added.map(\.record).filter { $0.kind != .chat }, for: node)
    }

    /// Neighbours hear of what came late when they reconcile.
    private func tellNeighbours(of added: [KeepQueue.Entry], for node: isolated Node) {
        let late = added.lazy.filter { $0.isSupplied && $0.isFetched }
        let groups = Set(late.compactMap { SyncScope.Group(of: $0.record.kind) })
        if !groups.isEmpty { node.handle(.gained(groups.sorted { $0.rawValue < $1.rawValue })) }
    }

    /// A replayed line is shown only once.
    private func judged(_ id: RecordID, isKnown: Bool, for node: isolated Node) {
        if let line = unjudged.removeValue(forKey: id), !isKnown { node.notifier.deliverLine(line, for: node) }
    }

    private func noteRefusal(_ outcome: InsertOutcome, for node: isolated Node) {
        switch outcome {
        case .evicted: node.meter.refused(.store)
        case .refused: node.meter.refused(.malformed)
        case .blocked: node.meter.refused(.blocked)
        case .added, .known, .superseded, .expired, .expiredByAge, .erased, .ignored: break
        }
    }

    /// Earlier lines of our rooms that only arrived now.
    private func showLate(_ entries: [KeepQueue.Entry], at now: WallTime, for node: isolated Node) {
        for entry in KeepQueue.late(in: entries) {
            guard case .serve(let age) = entry.origin else { continue }
            let seen = entry.record.firstSeen(ageSeconds: age, at: now)
            if var line = line(entry.record, at: seen, hops: nil, isLate: true, for: node) {
                line.isUrgent = entry.isUrgent
                if let via = RecordVia(entry.via) { line.via = via }
                node.notifier.deliverLine(line, for: node)
            }
        }
    }

    /// - Returns: `nil` unless it is a line of a room that a persona here is in.
    private func line(
        _ record: VerifiedRecord, at time: WallTime, hops: Int?, isLate: Bool, for node: isolated Node
    ) -> Message? {
        do {
            let line = try Message(record.record, id: record.id, at: time, hops: hops, isLate: isLate)
            return node.personas.owner.rooms.contains(line.room) || node.personas.hasVisitors(in: line.room)
                ? line : nil
        } catch {
            // A signed record that is no chat line: relayed for peers that can read it, not shown.
            logger.debug("malformed chat record", metadata: ["error": "\(error)"])
            return nil
        }
    }
}

// What follows from commits.
extension Node {
    /// Called on the writer's thread after each commit.
    nonisolated func onCommits(of store: Store, _ turn: LoopTurn) {
        store.onCommit { [weak self] committed in
            turn.perform { [weak self] in self?.onLoop { $0.committed(committed) } }
        }
    }

    private func committed(_ committed: Committed) {
        maintenance?.wrote()
        sync.committed(committed)
        blobs?.fetches.storeChanged()
        publisher.committed(committed.published)
        publisher.entered(committed.written, for: self)
        ingest.committed(committed.incoming, for: self)
    }
}

extension VerifiedRecord {
    /// The author's date, or if that lies ahead, when a peer first had the record, as far as known.
    func firstSeen(ageSeconds: UInt32 = 0, at now: WallTime) -> WallTime {
        let made = record.created.wallTime
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

import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// What our personas write: dated after everything heard, stored, and given to the mesh in the order it was written, until a
/// neighbour confirms it.
final class Publisher {
    private static let handOverInterval: Duration = .milliseconds(20)
    private static let calmLooks = 40

    /// `nil` if nothing is stored.
    private let store: Store?
    private let clock: NodeClock
    private let logger: Logger
    private var dates: HybridClock
    private var waiters: [UInt64: CheckedContinuation<Result<[Published], StoreError>, Never>] = [:]
    private var lastTicket: UInt64 = 0
    private var progress = HandOverProgress()
    private var outbox = UnconfirmedRecords()
    /// A neighbour confirmed records of the outbox.
    private let confirmation = Signal()

    /// - Parameter newest: the newest date in the store.
    init(_ store: Store?, _ clock: NodeClock, _ logger: Logger, after newest: HybridTime) {
        (self.store, self.clock, self.logger) = (store, clock, logger)
        dates = HybridClock(after: newest)
    }

    /// A record with this date was received or fetched.
    func heard(_ date: HybridTime, at now: WallTime) {
        dates.heard(date, at: now)
    }

    // MARK: - Into the store

    /// Stores drafts in one commit, which may include others' writes.
    func publish(_ drafts: [Draft], in store: Store, for node: isolated Node) async throws(StoreError) -> [Published] {
        let (drafts, ticket) = take(drafts, at: clock.now)
        node.ingest.submit(startsCommit: false, for: node)
        return try await withCheckedContinuation { waiter in
            // The commit may be done before the next step of this task.
            waiters[ticket] = waiter
            guard !store.submit(drafts: drafts, ticket: ticket) else { return }
            committed([(ticket, .failure(.busy(path: store.path)))])
        }.get()
    }

    /// - Returns: the drafts, dated after everything heard, and the ticket of their commit.
    func take(_ drafts: [Draft], at now: WallTime) -> (drafts: [Draft], ticket: UInt64) {
        lastTicket += 1
        let dated = drafts.map { draft in
            var dated = draft
            dated.notBefore = dates.next(at: now)
            return dated
        }
        return (dated, lastTicket)
    }

    func committed(_ published: [(UInt64, Result<[Published], StoreError>)]) {
        for (ticket, result) in published {
            if case .success(let published) = result {
                for one in published { dates.made(one.record.created) }
            }
            waiters.removeValue(forKey: ticket)?.resume(returning: result)
        }
    }

    /// Signs records, dated after everything written and heard, and stores them in one commit before they are sent. A store
    /// that fails does not stop them: `unkept` explains why one was not stored, and `fault` what is wrong with the store, if
    /// anything.
    func signKept(
        _ kind: RecordKind, by identity: Identity, lifetime: UInt32, topic: [UInt8], bodies: [[UInt8]],
        for node: isolated Node
    ) async -> ([(record: VerifiedRecord, unkept: StoreFault?)], fault: StoreError?) {
        let now = clock.now
        let drafts = bodies.map { body in
            // Signed inside the transaction, as another process of this persona may be writing too.
            Draft(author: identity.peer, at: now, waits: false) { created in
                identity.sign(
                    Record(
                        kind: kind, author: identity.peer, created: created, lifetimeSeconds: lifetime, topic: topic,
                        body: body))
            }
        }
        guard let store else { return (signed(drafts, .missing), nil) }
        do {
            let published = try await publish(drafts, in: store, for: node)
            return (published.map { ($0.record, $0.outcome == .added ? nil : StoreFault.quotaFull) }, nil)
        } catch {
            node.notifier.reportOnce(error, for: node)
            return (signed(drafts, StoreFault(error)), error)
        }
    }

    private func signed(_ drafts: [Draft], _ unkept: StoreFault) -> [(record: VerifiedRecord, unkept: StoreFault?)] {
        take(drafts, at: clock.now).drafts.map { ($0.make($0.notBefore), unkept) }
    }

    // MARK: - Into the mesh

    /// A commit put these of our personas into the outbox.
    func entered(_ written: [Published], for node: isolated Node) {
        for one in written where node.personas[one.record.author] != nil {
            let record = one.record
            // An urgent one does not wait for what its author wrote before.
            let goesOut = progress.goesOut(by: record.author) || record.claimsUrgency
            if goesOut, !give(record, for: node) { progress.fellBehind(record.author) }
            if let number = one.number, record.author == node.personas.owner.id { node.maintenance?.entered(number) }
        }
        node.notifier.deliverWritten(written.map(\.record), for: node)
    }

    /// Another process of the owner may have written.
    func fellBehind(_ id: PeerID) {
        progress.fellBehind(id)
    }

    /// A visit ended. With the next one the store is read again.
    func forget(_ id: PeerID) {
        progress.forget(id)
    }

    /// Gives the mesh what the store has for it, in the order it was written, a portion at a time.
    func handOver(of id: PeerID, for node: isolated Node) async throws(StoreError) {
        guard let store = node.personas[id]?.archive?.store else { return }
        while let start = progress.beginReading(id) {
            var isAll = false
            defer { progress.endReading(id, isAll: isAll) }
            let waiting = try await store.outbox.waiting(limit: UnconfirmedRecords.handedOverMax, after: start)
            guard give(waiting, of: id, for: node) else { return }
            isAll = waiting.count < UnconfirmedRecords.handedOverMax
        }
    }

    /// Retries what the mesh had no space for.
    func handOverRest(for node: isolated Node) async throws(StoreError) {
        for id in node.personas.all where progress.isBehind(id) {
            try await handOver(of: id, for: node)
            // One with a full share does not keep others waiting; a full mesh takes nothing of anybody.
            guard !progress.isBehind(id) || outbox.isFull(for: id) else { return }
        }
    }

    /// - Returns: whether the mesh has all of them.
    private func give(
        _ waiting: [(seq: Int64, record: SignedRecord)], of id: PeerID, for node: isolated Node
    ) -> Bool {
        for (seq, signed) in waiting {
            do {
                guard give(try node.arrivals.verifier.verify(signed), for: node) else { return false }
            } catch {
                logger.error("a stored record of this node has no valid signature", metadata: ["seq": "\(seq)"])
            }
            progress.gave(seq, of: id)
        }
        return true
    }

    /// - Returns: whether the mesh has it.
    private func give(_ record: VerifiedRecord, for node: isolated Node) -> Bool {
        if record.kind == .sealed { node.mail.noteFresh(record.id) }
        // Its commit or an earlier visit may have brought it.
        guard !outbox.contains(record.id) else { return true }
        guard !outbox.isFull(for: record.author) else { return false }
        // If a neighbour sent us our own record, it went out before this process began.
        let isOut = node.mesh.broadcast.hasSeen(record.id)
        guard isOut || node.submit(record) != nil else { return false }
        outbox.handedOver(record)
        if record.kind.showsWaiting { outbox.isShown(record.id, by: record.author) }
        if isOut { confirmed([record.id], for: node) }
        return true
    }

    // MARK: - Confirmations

    /// A front shows this line as waiting.
    func isShown(_ id: RecordID, by author: PeerID) {
        outbox.isShown(id, by: author)
    }

    /// A neighbour confirmed these.
    func confirmed(_ ids: [RecordID], for node: isolated Node) {
        deliverSent(outbox.confirmed(by: ids), for: node)
        confirmation.raise()
    }

    func noteConfirmations(for node: isolated Node) async {
        guard let store else { return }
        while !Task.isCancelled {
            await confirmation.wait()
            let ids = outbox.takeConfirmed()
            guard !ids.isEmpty else { continue }
            do {
                node.notifier.deliverRelayed(try await store.outbox.confirmed(ids), for: node)
                deliverSent(ids, for: node)
            } catch {
                // They are sent again next time, and every peer recognises them as old.
                if !Task.isCancelled { node.notifier.reportOnce(error, for: node) }
            }
            outbox.forget(ids)
        }
    }

    /// A neighbour has these.
    private func deliverSent(_ ids: [RecordID], for node: isolated Node) {
        for (author, sent) in outbox.takeShown(ids) {
            var sent = sent[...]
            while !sent.isEmpty {
                node.notifier.deliver(.sent(Array(sent.prefix(FeedChanges.eachMax))), to: author, for: node)
                sent = sent.dropFirst(FeedChanges.eachMax)
            }
        }
    }

    /// Waits until a neighbour has everything that waits in the store.
    ///
    /// - Returns: whether one has.
    func handOverAll(atMost limit: Duration, for node: isolated Node) async -> Bool {
        guard let store else { return true }
        let end = Clocks.now.advanced(by: limit)
        // Looks in a calm state before giving up: the keys of a private message's recipient may still arrive.
        var looksLeft = Self.calmLooks
        do {
            while true {
                let isUnsealed = try await !store.messages.unsealed(at: clock.now, limit: 1).isEmpty
                if try await store.outbox.waiting(limit: 1, after: nil).isEmpty {
                    let state = node.sync.state(of: node)
                    if !isUnsealed || looksLeft == 0 { return !isUnsealed }
                    looksLeft = state.hasCompany && state.isCalm ? looksLeft - 1 : Self.calmLooks
                }
                guard Clocks.now < end else { return false }
                if node.mesh.register.neighbourCount > 0 { node.handle(.flushWanted) }
                try await Task.sleep(for: Self.handOverInterval)
            }
        } catch {
            return false
        }
    }
}

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Looks after the store once a second: what other processes wrote, expiry, records of blocked peers, and our retention.
final class Maintenance {
    /// Even if its files look unchanged, the store is queried this often for others' writes.
    private static let askInterval: Duration = .seconds(10)
    /// Expiry is looked at this often at least.
    private static let interval: Duration = .seconds(600)
    /// Portions removed in one pass: the rest follows in the next, so that others can write in between.
    private static let portionsMax = 8

    /// The index of words is filled when nothing was written for so long, so that a search finds it filled.
    private static let quietInterval: Duration = .seconds(5)

    /// The state of the store at the last query.
    private struct StoreLook {
        let changes: Int
        let files: [FileMark?]
        let at: Instant
    }

    private let archive: Archive
    private let clock: NodeClock
    private let logger: Logger
    private var look: StoreLook?
    private var ownReported: OwnReported
    /// The store was written to since the last pass.
    private var hasWritten = true
    /// When a pass last saw that the store was written to.
    private var writtenAt: Instant?
    /// The index of words may lack lines.
    private var isIndexBehind = true
    private var isExpiryUnknown = true
    /// When the next record expires; `nil` if there is none.
    private var nextExpiry: WallTime?
    private var expiredAt: Instant?
    /// The store may have records of a blocked peer.
    private var isBlockedUnswept = false

    /// - Parameter newest: the newest record in the outbox; fronts do not hear of older ones.
    init(_ archive: Archive, _ clock: NodeClock, _ logger: Logger, after newest: Int64?) {
        (self.archive, self.clock, self.logger) = (archive, clock, logger)
        ownReported = OwnReported(upTo: newest)
    }

    static func of(_ archive: Archive?, _ clock: NodeClock, _ logger: Logger) async -> Maintenance? {
        guard let archive else { return nil }
        do {
            return Maintenance(archive, clock, logger, after: try await archive.store.outbox.newest())
        } catch {
            return Maintenance(archive, clock, logger, after: nil)  // Its passes report the error.
        }
    }

    private var store: Store { archive.store }

    /// A record of the owner's entered the outbox; its commit notifies fronts.
    func entered(_ number: Int64) {
        ownReported.wrote(number)
    }

    func wrote() {
        hasWritten = true
    }

    /// Somebody is blocked now who was not before.
    func blockedMore() {
        isBlockedUnswept = true
    }

    /// Called once a second.
    func pass(for node: isolated Node) async {
        if isBlockedUnswept { await sweepBlocked(for: node) }
        await lookForOthers(for: node)
        await expire(for: node)
        await fillIndex(for: node)
        await noteComparisons(for: node)
    }

    // MARK: Other processes

    /// Gives the mesh what waits in the store, including new records of another process of this person.
    private func lookForOthers(for node: isolated Node) async {
        do {
            let newest = ownReported.newest
            let now = try await looked(for: node)
            let isNews = now.changes != look?.changes
            if isNews {
                hasWritten = true
                node.sync.storeChanged()
            }
            node.mail.look(isNews: isNews, at: Clocks.now)
            if isNews, look != nil {
                // Another process does not report what it removed or added.
                if try await !notifyOthers(for: node) { node.notifier.tell(.changed(.many), for: node) }
                node.publisher.fellBehind(node.personas.owner.id)
            } else {
                ownReported.settle(upTo: newest)
            }
            try await node.publisher.handOverRest(for: node)
            look = now
        } catch {
            if !Task.isCancelled { node.notifier.reportOnce(error, for: node) }
        }
    }

    /// A query wakes another thread, which an idle node should avoid: file marks are read on this one.
    private func looked(for node: isolated Node) async throws(StoreError) -> StoreLook {
        let now = Clocks.now
        // Before the query, so that a write during it is seen next time.
        let files = store.fileMarks
        if let look, look.files == files, look.at.duration(to: now) < Self.askInterval { return look }
        return StoreLook(changes: try await store.changeCount(), files: files, at: now)
    }

    /// Reports what another process of this person wrote since the last call.
    ///
    /// - Returns: whether there was anything.
    private func notifyOthers(for node: isolated Node) async throws(StoreError) -> Bool {
        let newest = ownReported.newest
        var isAny = false
        while true {
            let waiting = try await store.outbox.waiting(
                limit: UnconfirmedRecords.handedOverMax, after: ownReported.upTo)
            var records: [VerifiedRecord] = []
            for (seq, signed) in waiting where !ownReported.contains(seq) {
                do {
                    records.append(try node.arrivals.verifier.verify(signed))
                } catch {
                    continue  // The handover reports the error.
                }
            }
            node.notifier.deliverWritten(records, for: node)
            isAny = isAny || !records.isEmpty
            ownReported.settle(upTo: waiting.last?.seq)
            guard waiting.count < UnconfirmedRecords.handedOverMax else { continue }
            ownReported.settle(upTo: newest)
            return isAny
        }
    }

    // MARK: Expiry

    private func expire(for node: isolated Node) async {
        if hasWritten {
            hasWritten = false
            isExpiryUnknown = true
            isIndexBehind = true
            writtenAt = Clocks.now
            node.sync.status.keepingMayDiffer()
        }
        if node.sync.status.takesKeeping() { await announceKeeping(for: node) }
        let now = Clocks.now
        let isRegular = expiredAt.map { $0.duration(to: now) >= Self.interval } ?? true
        guard isRegular || isExpiryUnknown || isDue, clock.mayExpire else { return }
        if isRegular {
            expiredAt = now
            // A date in it may have moved with time.
            node.sync.status.keepingMayDiffer()
            do {
                // First, as records might expire if the clock jumped.
                try await node.publisher.desk(of: archive, for: node).renew(at: clock.now)
            } catch {
                logger.debug("could not renew records that are about to expire", metadata: ["error": "\(error)"])
            }
        }
        do {
            try await removeExpired(for: node, isRegular: isRegular)
        } catch {
            logger.debug("could not clean up the store", metadata: ["error": "\(error)"])
        }
    }

    private var isDue: Bool { nextExpiry.map { $0 <= clock.now } ?? false }

    private func removeExpired(for node: isolated Node, isRegular: Bool) async throws(StoreError) {
        isExpiryUnknown = false
        nextExpiry = try await store.upkeep.nextExpiry()
        var isMore = isRegular || isDue
        for _ in 0..<Self.portionsMax where isMore {
            let removed = try await store.upkeep.expire(at: clock.now)
            if removed > 0 {
                node.sync.status.keepingMayDiffer()
                node.sync.storeChanged()
            }
            isMore = removed == StoreUpkeep.expirePortion
        }
        nextExpiry = try await store.upkeep.nextExpiry()
        if isRegular { try await store.lines.purge() }
    }

    // MARK: Words

    private func fillIndex(for node: isolated Node) async {
        guard isIndexBehind, let writtenAt, writtenAt.duration(to: Clocks.now) >= Self.quietInterval else { return }
        do {
            isIndexBehind = try await store.lines.addNext()
        } catch {
            // The next search reports it.
            logger.debug("could not fill the index of words", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Blocked peers

    /// Removes their records, a portion at a time.
    private func sweepBlocked(for node: isolated Node) async {
        do {
            for _ in 0..<Self.portionsMax {
                guard try await store.upkeep.removeBlocked(at: clock.now) > 0 else { return isBlockedUnswept = false }
                hasWritten = true
                node.sync.storeChanged()
                node.notifier.tell(.changed(.many), for: node)
            }
        } catch {
            if !Task.isCancelled { node.notifier.reportOnce(error, for: node) }
        }
    }

    // MARK: Reconciling

    /// Announces our retention to neighbours, at first and when it changes.
    func announceKeeping(for node: isolated Node) async {
        do {
            let keeping = try await store.reconciling.keeping(at: clock.now)
            if node.sync.status.announces(keeping, at: Clocks.now) { node.handle(.keepingChanged(keeping)) }
        } catch {
            if !Task.isCancelled { node.notifier.reportOnce(error, for: node) }
        }
    }

    /// Stores the last comparison with each neighbour, and when we were last caught up.
    func noteComparisons(for node: isolated Node) async {
        node.sync.countNeighbours(for: node)
        let notes = node.sync.status.takeNotes()
        do {
            for note in notes.peers {
                try await store.reconciling.noteCompared(
                    with: note.peer, at: note.at, gained: note.gained, given: note.given)
            }
            if let time = notes.caughtUpAt { try await store.set(ReconcileLedger.caughtUpKey, "\(time.milliseconds)") }
        } catch {
            if !Task.isCancelled { node.notifier.reportOnce(error, for: node) }
        }
    }
}

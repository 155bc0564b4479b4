import LatticeCore
import LatticeWire

/// Fetching: which records are wanted, from whom, and what became of them. It knows neighbours by their slot.
struct Fetching: Sendable {
    private var wanted = Wanted()
    private var declined = Declined()
    /// The store's last write failed.
    private(set) var isStoreFailing = false

    var isEmpty: Bool { wanted.isEmpty }

    /// Records known to be missing.
    var count: Int { wanted.count }

    /// How many ids one link may be the first to name.
    var share: Int { wanted.share }

    /// Ids that this link was the first to name.
    func announcedCount(_ slot: SourceSlot) -> Int { wanted.announcedCount(slot) }

    var nextDeadline: Instant? { wanted.nextDeadline }

    // MARK: - Links

    /// - Returns: `nil` if all slots are taken.
    mutating func open(_ link: LinkID) -> SourceSlot? {
        wanted.open(link)
    }

    mutating func close(_ slot: SourceSlot) {
        wanted.close(slot)
    }

    /// Requests nothing from this link any more, and forgets ids that only it has.
    mutating func abandon(_ slot: SourceSlot) {
        wanted.abandon(slot)
    }

    // MARK: - What is missing

    /// This peer has these records and we lack them.
    ///
    /// - Returns: `false` if there is no space for all of them.
    mutating func want(_ ids: [RecordID], of peer: PeerID, at slot: SourceSlot, at now: Instant) -> Bool {
        for id in ids where !declined.contains(id, from: peer, at: now) {
            guard wanted.note(id, at: slot) else { return false }
        }
        return true
    }

    /// It came by relay.
    ///
    /// - Returns: whether it was wanted.
    mutating func came(_ id: RecordID) -> Bool {
        !wanted.isEmpty && wanted.remove(id)
    }

    /// Declined records may be wanted now.
    mutating func forgetDeclined() {
        declined.forget()
    }

    /// This peer says that the record has expired; another one may give a lower age.
    mutating func decline(_ id: RecordID, of peer: PeerID, at now: Instant) {
        declined.insert(id, of: peer, at: now)
    }

    // MARK: - Requests and answers

    /// Takes the next ids to request from this link.
    mutating func ask(_ slot: SourceSlot, at now: Instant) -> [RecordID] {
        wanted.ask(slot, at: now)
    }

    /// What to do with a record that a neighbour served.
    enum Served: Hashable, Sendable {
        case isKept
        /// Its author is blocked, and was unknown when it was requested. It is not requested again for a day.
        case isBlocked
        /// Nobody stores its kind.
        case isMalformed
        case isUnasked
        case isLate
    }

    mutating func served(
        _ record: VerifiedRecord, isBlocked: Bool, by slot: SourceSlot, at now: Instant
    ) -> Served {
        let bytes = record.signed.bytes.count
        let groups = SyncScope.Group(of: record.kind).map { SyncGroups($0) } ?? []
        switch wanted.served(record.id, bytes: bytes, groups: groups, by: slot, at: now) {
        case .unasked: return .isUnasked
        case .late: return .isLate
        case .taken where isBlocked:
            _ = wanted.settle(record.id)
            declined.insert(blocked: record.id, at: now)
            return .isBlocked
        case .taken where groups.isEmpty:
            _ = wanted.settle(record.id)
            declined.insert(record.id, at: now)
            return .isMalformed
        case .taken: return .isKept
        }
    }

    /// - Returns: how many of these it owed, and whether others were never requested from it.
    mutating func lacked(_ ids: [RecordID], by slot: SourceSlot, at now: Instant) -> (owed: Int, hasUnasked: Bool) {
        var (owed, hasUnasked) = (0, false)
        for id in ids {
            switch wanted.lacked(id, by: slot, at: now) {
            case .taken: owed += 1
            case .late: break
            case .unasked: hasUnasked = true
            }
        }
        return (owed, hasUnasked)
    }

    /// Gives up overdue records.
    mutating func lapse(at now: Instant) -> Wanted.Lapsed {
        wanted.lapse(at: now)
    }

    // MARK: - Outcomes from the store

    enum Outcome: Hashable, Sendable {
        case stored(Wanted.Arrival, isNew: Bool)
        /// The copy that this link served has expired: another link is asked.
        case hasExpired(SourceSlot)
        case isFaulty(SourceSlot?)
        case failed
        /// Nothing follows.
        case isDone
    }

    mutating func kept(_ record: KeptRecord, at now: Instant) -> Outcome {
        switch record.outcome {
        case .added, .known:
            return wanted.settle(record.id).map { .stored($0, isNew: record.outcome == .added) } ?? .isDone
        case .declined:
            _ = wanted.settle(record.id)
            declined.insert(record.id, at: now)
            return .isDone
        case .declinedForAge: return (wanted.refetch(record.id)?.from).map { .hasExpired($0) } ?? .isDone
        case .faulty:
            declined.insert(record.id, at: now)
            return .isFaulty(wanted.settle(record.id)?.from)
        case .failed: return .failed
        }
    }

    /// These are fetched again after a while.
    mutating func storeFailed(_ ids: [RecordID], at now: Instant) {
        isStoreFailing = true
        wanted.storeFailed(ids, at: now)
    }

    mutating func storeWorks() {
        isStoreFailing = false
        wanted.storeWorks()
    }

    /// The store has removed these: they are not fetched again.
    ///
    /// - Returns: whether one of them was wanted.
    mutating func dropped(_ ids: [RecordID], at now: Instant) -> Bool {
        var wasWanted = false
        for id in ids {
            declined.insert(id, at: now)
            if wanted.remove(id) { wasWanted = true }
        }
        return wasWanted
    }
}

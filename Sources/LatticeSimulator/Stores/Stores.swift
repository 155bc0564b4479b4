import LatticeCore
import LatticeMesh
import LatticeWire

/// The stores of all peers, and the work between each store and its mesh. What a mesh requests takes effect a little
/// later.
struct Stores {
    /// One for each peer, or empty in worlds about broadcasts alone.
    private(set) var all: [SimulatedStore]
    private(set) var desks: [StoreDesk]
    /// A separate generator, so that broadcasts do not depend on whether there are stores.
    private var generator: SeededGenerator
    private let sabotage: Sabotage

    init(_ settings: [StoreSettings], registry: Registry, sabotage: Sabotage, seed: UInt64) {
        all = settings.enumerated().map { SimulatedStore(owner: registry.peer($0.offset), settings: $0.element) }
        desks = settings.map { _ in StoreDesk() }
        generator = SeededGenerator(seed: seed ^ 0x7374_6F72)
        self.sabotage = sabotage
    }

    var isEmpty: Bool { all.isEmpty }

    // MARK: - A life

    mutating func open(_ life: Life, withDisk: Bool, in schedule: inout Schedule) {
        guard !isEmpty else { return }
        let old = all[life.peer]
        if !withDisk { all[life.peer] = SimulatedStore(owner: old.owner, settings: old.settings) }
        desks[life.peer] = StoreDesk()
        schedule.add(.load, for: life, after: Int64.random(in: StoreDesk.loadingTime, using: &generator))
    }

    mutating func loaded(_ peer: Int) {
        desks[peer].isReady = true
    }

    mutating func closed(_ link: LinkID, of peer: Int) {
        if !isEmpty { desks[peer].closed(link) }
    }

    /// A leap of the clock is not trusted at once: nothing expires for a while, or until the clock is back.
    mutating func clockLeapt(of peer: Int, from before: Int64, to skew: Int64, at now: Int64) {
        desks[peer].clockLeapt(from: before, to: skew, at: now)
    }

    // MARK: - Reconciling

    mutating func compare(_ work: ComparisonWork, for life: Life, in schedule: inout Schedule) {
        let wait = Int64.random(in: StoreDesk.comparingTime, using: &generator)
        schedule.add(.compare(work), for: life, after: wait)
    }

    /// - Parameter now: by the clock of the peer.
    mutating func compared(
        _ work: ComparisonWork, by peer: Int, _ hostility: Hostility?, at now: Int64, in registry: Registry
    ) -> ComparisonOutcome {
        let outcome: ComparisonOutcome
        if !desks[peer].isReady {
            outcome = ComparisonOutcome(work, .unready)
        } else if let lie = hostility?.lie(about: work, using: &generator) {
            outcome = lie
        } else {
            let store = all[peer]
            var set = store.set(of: work.scope, since: work.since)
            hostility?.falsify(&set, of: store, at: now, in: registry)
            let waiting = desks[peer].waitingIDs
            outcome = StoreComparing.step(work, with: set, frameBytesMax: store.settings.frameBytesMax, in: store) {
                waiting.contains($0)
            }
        }
        desks[peer].learned(outcome)
        return outcome
    }

    /// How many records only one of the two has.
    func differences(_ left: Int, _ right: Int, in scope: SyncScope, since: HybridTime) -> Int {
        let (here, there) = (all[left].set(of: scope, since: since), all[right].set(of: scope, since: since))
        guard here.sum != there.sum else { return 0 }
        var ids: Set<Bytes32> = []
        here.forEach(in: 0..<here.count) { ids.insert($0.id) }
        var common = 0
        there.forEach(in: 0..<there.count) { if ids.contains($0.id) { common += 1 } }
        return here.count + there.count - 2 * common
    }

    // MARK: - Writing

    /// - Returns: whether the desk had space for the record.
    mutating func keep(
        _ record: VerifiedRecord, age: UInt32, from giver: LinkID?, for life: Life, in schedule: inout Schedule
    ) -> Bool {
        let peer = life.peer
        guard desks[peer].waiting.count < StoreDesk.waitingMax else { return false }
        let age = sabotage == .ignoresAge ? 0 : age
        desks[peer].waiting.append(StoreDesk.Waiting(record: record, age: age, giver: giver))
        desks[peer].waitingIDs.insert(record.id)
        guard desks[peer].waiting.count == 1 else { return true }
        schedule.add(.write, for: life, after: Int64.random(in: StoreDesk.writingTime, using: &generator))
        return true
    }

    mutating func takeWaiting(of peer: Int) -> [StoreDesk.Waiting] {
        defer {
            desks[peer].waiting.removeAll()
            desks[peer].waitingIDs.removeAll()
        }
        return desks[peer].waiting
    }

    /// - Parameters:
    ///   - now: by the clock of the peer.
    ///   - dropped: receives the records that this one replaces.
    mutating func insert(
        _ waiting: StoreDesk.Waiting, by peer: Int, at now: Int64, dropped: inout [RecordID]
    ) -> KeptRecord.Outcome {
        let outcome = all[peer].insert(waiting.record, age: waiting.age, at: now, dropped: &dropped)
        if outcome != .failed { desks[peer].settle(waiting.record.id) }
        return outcome
    }

    mutating func evict(from peer: Int, dropped: inout [RecordID]) {
        all[peer].evict(dropped: &dropped, hasFloors: hasFloors)
    }

    /// Expires records, unless the clock of the peer cannot be trusted. Times in milliseconds: of the world, and by the
    /// clock of the peer.
    mutating func expire(in peer: Int, at time: Int64, clock now: Int64) -> [RecordID] {
        guard desks[peer].isReady, desks[peer].expiresNothingUntil <= time else { return [] }
        var dropped: [RecordID] = []
        all[peer].expire(at: now, dropped: &dropped)
        return dropped
    }

    mutating func settle(_ ids: [RecordID], at peer: Int) {
        for id in ids { desks[peer].settle(id) }
    }

    // MARK: - Announcing

    private var hasFloors: Bool { sabotage != .hasNoFloors }

    mutating func planKeeping(of life: Life, in schedule: inout Schedule) {
        let peer = life.peer
        let keeping = all[peer].keeping(hasFloors: hasFloors)
        guard !desks[peer].isKeepingDue, desks[peer].keepingAnnounced != keeping else { return }
        desks[peer].isKeepingDue = true
        schedule.add(.announceKeeping, for: life, after: StoreDesk.keepingInterval)
    }

    /// - Parameter isDue: whether it was planned.
    mutating func announceKeeping(of peer: Int, isDue: Bool) -> Keeping {
        if isDue { desks[peer].isKeepingDue = false }
        let keeping = all[peer].keeping(hasFloors: hasFloors)
        desks[peer].keepingAnnounced = keeping
        return keeping
    }

    mutating func claimedCaughtUp(_ peer: Int, at time: Int64) {
        desks[peer].caughtUpAt = time
    }

    mutating func stopNeeding(_ id: RecordID, by peer: Int) {
        desks[peer].needed[id] = nil
    }

    // MARK: - Serving

    /// What the peer serves of a request, in order, and what it says it lacks; `nil` if it does not answer.
    func answer(_ ids: [RecordID], by peer: Int, _ hostility: Hostility?) -> (served: [RecordID], lacking: [RecordID])?
    {
        guard !isEmpty, hostility != .neverAnswers else { return nil }
        let store = all[peer]
        let rows = ids.compactMap { id in
            store.row(id).flatMap { hostility?.hides($0, of: store) == true ? nil : $0 }
        }
        let found = Set(rows.map(\.record.id))
        let ordered = rows.sorted { ($0.expires, $0.record.id) < ($1.expires, $1.record.id) }
        return (ordered.map(\.record.id), ids.filter { !found.contains($0) })
    }

    mutating func serve(_ ids: [RecordID], to link: LinkID, by life: Life, in schedule: inout Schedule) {
        guard !ids.isEmpty else { return }
        if desks[life.peer].serve(ids, to: link) { schedule.add(.serve(link), for: life, after: 1) }
    }

    /// The next records of those that a link is served, and whether they are the last; `nil` if none are left.
    mutating func portion(for link: LinkID, of peer: Int) -> (ids: [RecordID], isLast: Bool)? {
        desks[peer].portion(for: link)
    }

    func planPortion(for link: LinkID, of life: Life, in schedule: inout Schedule) {
        schedule.add(.serve(link), for: life, after: StoreDesk.portionTime)
    }

    // MARK: - Hostile peers

    /// Unsolicited actions of a liar towards one neighbour.
    mutating func mischief(_ hostility: Hostility, records: Records) -> [StoreMischief] {
        hostility.storeMischief(records: records, using: &generator)
    }
}

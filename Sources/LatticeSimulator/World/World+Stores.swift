import LatticeCore
import LatticeMesh
import LatticeWire

// Stores of peers: requests of a mesh to its store take effect a little later, and their results return as events.
extension World {
    var hasStores: Bool { !stores.isEmpty }

    mutating func openStore(of peer: Int, withDisk: Bool) {
        guard hasStores else { return }
        if !withDisk { stores[peer] = SimulatedStore(owner: peers[peer].id, settings: stores[peer].settings) }
        desks[peer] = StoreDesk()
        ledger.started(peer)
        storeErrand(.load, for: peer, after: Int64.random(in: StoreDesk.loadingTime, using: &storeGenerator))
    }

    mutating func storeErrand(_ errand: StoreErrand, for peer: Int, after wait: Int64) {
        let slot = storeErrands.put((peers[peer].instance, errand))
        queue.push(Entry(.store, subject: peer, payload: slot), at: queue.now + wait)
    }

    mutating func runStore(_ entry: Entry) {
        let (instance, errand) = storeErrands.take(entry.payload)
        let peer = Int(entry.subject)
        guard peers[peer].isUp, peers[peer].instance == instance else { return }
        switch errand {
        case .load:
            desks[peer].isReady = true
            tellKeeping(of: peer)
        case .compare(let work):
            let outcome = compared(work, by: peer)
            desks[peer].learned(outcome)
            turn(of: peer, .compared(outcome))
        case .write: write(by: peer)
        case .supply(let link): supplyPortion(to: link, by: peer)
        case .tellKeeping:
            desks[peer].isKeepingDue = false
            tellKeeping(of: peer)
        }
    }

    /// The wall clock of a peer, in milliseconds.
    func wallMilliseconds(of peer: Int) -> Int64 { max(Self.epoch + queue.now + peers[peer].clockSkew, 0) }

    // MARK: - Reconciling

    mutating func compare(_ work: ComparisonWork, by peer: Int) {
        guard hasStores, peers[peer].hostility != .neverAnswers else { return }
        account(work, by: peer)
        let wait = Int64.random(in: StoreDesk.comparingTime, using: &storeGenerator)
        storeErrand(.compare(work), for: peer, after: wait)
    }

    private mutating func compared(_ work: ComparisonWork, by peer: Int) -> ComparisonOutcome {
        guard desks[peer].isReady else { return ComparisonOutcome(work, .unready) }
        if let lie = lie(about: work, by: peer) { return lie }
        let set = comparedSet(of: work, by: peer)
        let settings = stores[peer].settings
        let waiting = desks[peer].waitingIDs
        return StoreComparing.step(
            work, with: set, frameBytesMax: settings.frameBytesMax, in: stores[peer]
        ) { waiting.contains($0) }
    }

    // MARK: - Writing

    mutating func keep(_ record: VerifiedRecord, age: UInt32, from giver: LinkID?, by peer: Int) {
        guard hasStores, record.kind != .presence else { return }
        guard desks[peer].waiting.count < StoreDesk.waitingMax else {
            let outcome = KeptRecord(record.id, .failed)
            return errand(.kept([outcome]), for: peer, after: 1)
        }
        let age = sabotage == .ignoresAge ? 0 : age
        desks[peer].waiting.append(StoreDesk.Waiting(record: record, age: age, giver: giver))
        desks[peer].waitingIDs.insert(record.id)
        guard desks[peer].waiting.count == 1 else { return }
        storeErrand(.write, for: peer, after: Int64.random(in: StoreDesk.writingTime, using: &storeGenerator))
    }

    private mutating func write(by peer: Int) {
        let batch = desks[peer].waiting
        desks[peer].waiting.removeAll()
        desks[peer].waitingIDs.removeAll()
        let now = wallMilliseconds(of: peer)
        var outcomes: [KeptRecord] = []
        var dropped: [RecordID] = []
        for waiting in batch {
            var outcome = KeptRecord.Outcome.failed
            if !peers[peer].isStoreFailing {
                outcome = stores[peer].insert(waiting.record, age: waiting.age, at: now, dropped: &dropped)
            }
            outcomes.append(KeptRecord(waiting.record.id, outcome))
            if outcome == .failed {
                ledger.failed(registry.number(of: waiting.record.id), at: peer)
            } else {
                desks[peer].settle(waiting.record.id)
            }
            if outcome == .added { added(waiting, by: peer) }
        }
        stores[peer].evict(dropped: &dropped, hasFloors: sabotage != .hasNoFloors)
        if isTold { tellKept(outcomes, dropped, by: peer) }
        tellMesh(of: outcomes, dropped, peer)
        planKeeping(of: peer)
    }

    private mutating func added(_ waiting: StoreDesk.Waiting, by peer: Int) {
        let number = registry.number(of: waiting.record.id)
        let isFlooded = waiting.giver == nil
        if isFlooded { ledger.flooded(number, at: queue.now) }
        if peers[peer].isHonest {
            let addition = addition(of: number, to: peer)
            safety.nothingComesBack.added(addition, to: peer, peers: peers.count, at: queue.now)
        }
        // Fetched records are shown once they are stored; broadcast ones are shown on arrival, even if they were not
        // stored.
        guard !isFlooded, let track = records[number].track, !wasShown(track, to: peer) else { return }
        show(number, hops: 0, to: peer)
    }

    private mutating func tellMesh(of outcomes: [KeptRecord], _ dropped: [RecordID], _ peer: Int) {
        for id in dropped { desks[peer].settle(id) }
        let (outcomes, dropped) = sabotage.spoil(outcomes, dropped)
        if !outcomes.isEmpty { turn(of: peer, .kept(outcomes)) }
        if !dropped.isEmpty { turn(of: peer, .dropped(dropped)) }
    }

    /// Expires records in every store whose clock can be trusted.
    mutating func expireStores() {
        for peer in stores.indices where peers[peer].isUp && desks[peer].isReady {
            guard desks[peer].expiresNothingUntil <= queue.now else { continue }
            var dropped: [RecordID] = []
            stores[peer].expire(at: wallMilliseconds(of: peer), dropped: &dropped)
            guard !dropped.isEmpty else { continue }
            tellMesh(of: [], dropped, peer)
            planKeeping(of: peer)
        }
    }

    private mutating func planKeeping(of peer: Int) {
        let keeping = stores[peer].keeping(hasFloors: sabotage != .hasNoFloors)
        guard !desks[peer].isKeepingDue, desks[peer].keepingTold != keeping else { return }
        desks[peer].isKeepingDue = true
        storeErrand(.tellKeeping, for: peer, after: StoreDesk.keepingInterval)
    }

    private mutating func tellKeeping(of peer: Int) {
        let keeping = stores[peer].keeping(hasFloors: sabotage != .hasNoFloors)
        desks[peer].keepingTold = keeping
        turn(of: peer, .keepingChanged(keeping))
    }

    // MARK: - Serving

    mutating func supply(_ ids: [RecordID], to link: LinkID, by peer: Int) {
        guard hasStores else { return }
        if refusesToSupply(peer) { return }
        let rows = ids.compactMap { stores[peer].holds($0) && !hides($0, by: peer) ? stores[peer].rows[$0] : nil }
        let found = Set(rows.map(\.record.id))
        let lacking = ids.filter { !found.contains($0) }
        for start in stride(from: 0, to: lacking.count, by: RecordIDs.countMax) {
            let part = Array(lacking[start..<min(start + RecordIDs.countMax, lacking.count)])
            send(.lack(RecordIDs(part)), over: link, from: peer)
        }
        guard !rows.isEmpty else { return }
        let ordered = rows.sorted { ($0.expires, $0.record.id) < ($1.expires, $1.record.id) }.map(\.record.id)
        if let place = desks[peer].supplies.firstIndex(where: { $0.link == link }) {
            desks[peer].supplies[place].ids += ordered
        } else {
            desks[peer].supplies.append(StoreDesk.Supplies(link: link, ids: ordered))
            storeErrand(.supply(link), for: peer, after: 1)
        }
    }

    private mutating func supplyPortion(to link: LinkID, by peer: Int) {
        guard let place = desks[peer].supplies.firstIndex(where: { $0.link == link }) else { return }
        let portion = desks[peer].supplies[place].ids.prefix(StoreDesk.portion)
        desks[peer].supplies[place].ids.removeFirst(portion.count)
        let isDone = desks[peer].supplies[place].ids.isEmpty
        if isDone { desks[peer].supplies.remove(at: place) }
        let now = wallMilliseconds(of: peer)
        var gone: [RecordID] = []
        for id in portion {
            guard stores[peer].holds(id), let row = stores[peer].rows[id] else {
                gone.append(id)
                continue
            }
            supply(row.record, age: toldAge(row, at: now, by: peer), over: link, by: peer)
        }
        if !gone.isEmpty { send(.lack(RecordIDs(gone)), over: link, from: peer) }
        if !isDone { storeErrand(.supply(link), for: peer, after: StoreDesk.portionTime) }
    }

    /// Counts the frame; what travels is the verified record that the receiver's node would make of it.
    mutating func supply(_ record: VerifiedRecord, age: UInt32, over link: LinkID, by peer: Int) {
        guard canSend(over: link, from: peer) else { return }
        let frame = Frame.supply(Supply(ageSeconds: age, signed: record.signed))
        count(frame, over: link, from: peer)
        let other = Connection.link(link.connection, end: 1 - link.end)
        let receiver = connections[link.connection].peer(at: other.end)
        if peers[peer].isHonest, peers[receiver].isHonest {
            let times = ledger.supplied(registry.number(of: record.id), to: receiver)
            safety.fetchedOnce.supplied(times, record: registry.number(of: record.id), to: receiver, at: queue.now)
        }
        post(.supplied(other, record, ageSeconds: age), to: other, isExpendable: true)
    }
}

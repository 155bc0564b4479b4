import LatticeCore
import LatticeMesh
import LatticeWire

// Requests of a mesh to its store, and the results that return to it as events.
extension World {
    var hasStores: Bool { !stores.isEmpty }

    mutating func runStore(_ errand: StoreErrand, of peer: Int) {
        switch errand {
        case .load:
            stores.loaded(peer)
            announceKeeping(of: peer, isDue: false)
        case .compare(let work):
            let outcome = stores.compared(
                work, by: peer, peers[peer].hostility, at: wallMilliseconds(of: peer), in: records.registry)
            turn(of: peer, .compared(outcome))
        case .write: write(by: peer)
        case .serve(let link): servePortion(to: link, by: peer)
        case .announceKeeping: announceKeeping(of: peer, isDue: true)
        }
    }

    private mutating func announceKeeping(of peer: Int, isDue: Bool) {
        turn(of: peer, .keepingChanged(stores.announceKeeping(of: peer, isDue: isDue)))
    }

    mutating func compare(_ work: ComparisonWork, by peer: Int) {
        guard hasStores, peers[peer].hostility != .neverAnswers else { return }
        account(work, by: peer)
        stores.compare(work, for: life(of: peer), in: &schedule)
    }

    private mutating func account(_ work: ComparisonWork, by peer: Int) {
        let other = network.peer(across: work.link)
        guard peers[peer].isHonest else { return }
        guard peers[other].isHonest else { return ledger.steppedForLiar(other) }
        guard work.side == .question, work.message.isEmpty else { return }
        ledger.began(differences: stores.differences(peer, other, in: work.scope, since: work.since))
    }

    mutating func keep(_ record: VerifiedRecord, age: UInt32, from giver: LinkID?, by peer: Int) {
        guard hasStores, record.kind != .presence else { return }
        if !stores.keep(record, age: age, from: giver, for: life(of: peer), in: &schedule) {
            errand(.kept([KeptRecord(record.id, .failed)]), for: peer, after: 1)
        }
    }

    private mutating func write(by peer: Int) {
        let now = wallMilliseconds(of: peer)
        var outcomes: [KeptRecord] = []
        var dropped: [RecordID] = []
        for waiting in stores.takeWaiting(of: peer) {
            var outcome = KeptRecord.Outcome.failed
            if !peers[peer].isStoreFailing {
                outcome = stores.insert(waiting, by: peer, at: now, dropped: &dropped)
            }
            outcomes.append(KeptRecord(waiting.record.id, outcome))
            if outcome == .failed { ledger.failed(records.number(of: waiting.record.id), at: peer) }
            if outcome == .added { added(waiting, by: peer) }
        }
        stores.evict(from: peer, dropped: &dropped)
        story.tell(outcomes, dropped, of: peer, in: records, at: milliseconds)
        notifyMesh(of: outcomes, dropped, peer)
    }

    private mutating func added(_ waiting: StoreDesk.Waiting, by peer: Int) {
        let number = records.number(of: waiting.record.id)
        let isFlooded = waiting.giver == nil
        if isFlooded { ledger.flooded(number, at: milliseconds) }
        if peers[peer].isHonest {
            let addition = addition(of: number, to: peer)
            safety.nothingComesBack.added(addition, to: peer, peers: peers.count, at: milliseconds)
        }
        // Fetched records are shown once they are stored; broadcast ones are shown on arrival, even if they were not
        // stored.
        guard !isFlooded, let track = records[number].track, !wasShown(track, to: peer) else { return }
        show(number, hops: 0, to: peer)
    }

    /// Tells the mesh what its store decided, and announces a floor that moved.
    private mutating func notifyMesh(of outcomes: [KeptRecord], _ dropped: [RecordID], _ peer: Int) {
        stores.settle(dropped, at: peer)
        let (outcomes, dropped) = sabotage.spoil(outcomes, dropped)
        if !outcomes.isEmpty { turn(of: peer, .kept(outcomes)) }
        if !dropped.isEmpty { turn(of: peer, .dropped(dropped)) }
        stores.planKeeping(of: life(of: peer), in: &schedule)
    }

    /// Expires records in every store whose clock can be trusted.
    mutating func expireStores() {
        for peer in stores.all.indices where peers[peer].isUp {
            let dropped = stores.expire(in: peer, at: milliseconds, clock: wallMilliseconds(of: peer))
            if !dropped.isEmpty { notifyMesh(of: [], dropped, peer) }
        }
    }

    mutating func serve(_ ids: [RecordID], to link: LinkID, by peer: Int) {
        guard let answer = stores.answer(ids, by: peer, peers[peer].hostility) else { return }
        for start in stride(from: 0, to: answer.lacking.count, by: RecordIDs.countMax) {
            let part = Array(answer.lacking[start..<min(start + RecordIDs.countMax, answer.lacking.count)])
            send(.lack(RecordIDs(part)), over: link, from: peer)
        }
        stores.serve(answer.served, to: link, by: life(of: peer), in: &schedule)
    }

    private mutating func servePortion(to link: LinkID, by peer: Int) {
        guard let portion = stores.portion(for: link, of: peer) else { return }
        let now = wallMilliseconds(of: peer)
        var gone: [RecordID] = []
        for id in portion.ids {
            guard let row = stores.all[peer].row(id) else {
                gone.append(id)
                continue
            }
            let age = peers[peer].hostility?.claimedAge(row, at: now) ?? row.ageSeconds(at: now)
            serve(row.record, age: age, over: link, by: peer)
        }
        if !gone.isEmpty { send(.lack(RecordIDs(gone)), over: link, from: peer) }
        if !portion.isLast { stores.planPortion(for: link, of: life(of: peer), in: &schedule) }
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire

// What hostile peers do to stores. Their meshes and stores work like any other, but what they send is untrue.
extension World {
    /// Numbers of invented records: beyond those of any real record.
    private static let inventedFirst = 1_000_000_000
    private static let inventedCount = 200
    /// Requests, records or bytes at a time.
    private static let mischiefCount = 20

    mutating func lie(about work: ComparisonWork, by peer: Int) -> ComparisonOutcome? {
        switch peers[peer].hostility {
        case .claimsEquality where work.side == .answer:
            // The protocol version, and no open range.
            return ComparisonOutcome(work, .step(reply: [0x61], have: [], need: []))
        case .talksNonsense:
            return ComparisonOutcome(work, .step(reply: nonsense(), have: [], need: []))
        default: return nil
        }
    }

    private mutating func nonsense() -> [UInt8] {
        let count = Int.random(in: 1...400, using: &storeGenerator)
        return [0x61] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &storeGenerator) }
    }

    /// The set that a peer pretends to have.
    func comparedSet(of work: ComparisonWork, by peer: Int) -> ReconciliationSet {
        var set = stores[peer].set(of: work.scope, since: work.since)
        switch peers[peer].hostility {
        case .inventsRecords:
            let newest = HybridTime(wall: WallTime(milliseconds: wallMilliseconds(of: peer)))
            for number in 0..<Self.inventedCount {
                let id = registry.record(Self.inventedFirst + number).hash
                guard let item = ReconciliationItem(timestamp: newest.rawValue &- UInt64(number), id: id) else {
                    continue
                }
                set.insert(item)
            }
        case .hidesRecords:
            var own: [ReconciliationItem] = []
            set.forEach(in: 0..<set.count) { if !hides(RecordID($0.id), by: peer) { own.append($0) } }
            set = ReconciliationSet(own)
        default: break
        }
        return set
    }

    func hides(_ id: RecordID, by peer: Int) -> Bool {
        peers[peer].hostility == .hidesRecords && stores[peer].rows[id]?.record.author != peers[peer].id
    }

    func refusesToSupply(_ peer: Int) -> Bool { peers[peer].hostility == .neverAnswers }

    func toldAge(_ row: SimulatedStore.Row, at now: Int64, by peer: Int) -> UInt32 {
        guard peers[peer].hostility == .liesAboutAge else { return row.ageSeconds(at: now) }
        return row.record.id.hash.leadingWord % 2 == 0 ? 0 : .max
    }

    /// Unsolicited actions.
    mutating func liarsMischief(by peer: Int, _ hostility: Hostility) {
        for link in peers[peer].links where peers[connections[link.connection].peer(at: 1 - link.end)].isHonest {
            switch hostility {
            case .inventsRecords: offerInvented(over: link, by: peer)
            case .suppliesUnasked:
                guard !records.isEmpty else { return }
                for _ in 0..<Self.mischiefCount {
                    let record = records[Int.random(in: records.indices, using: &storeGenerator)].verified
                    guard record.kind != .presence else { continue }
                    supply(record, age: 0, over: link, by: peer)
                }
            case .asksForever: askForever(over: link, by: peer)
            case .talksNonsense: ask(nonsense(), over: link, by: peer)
            default: break
            }
        }
    }

    private mutating func offerInvented(over link: LinkID, by peer: Int) {
        let first = Self.inventedFirst + Int.random(in: 0..<1_000_000, using: &storeGenerator)
        let ids = (0..<Self.inventedCount).map { registry.record(first + $0) }
        send(.offer(RecordIDs(ids)), over: link, from: peer)
    }

    private mutating func askForever(over link: LinkID, by peer: Int) {
        let empty = ReconciliationSet()
        for _ in 0..<Self.mischiefCount {
            let reconciler = Reconciler.initiator(frameBytesMax: nil, sha256: StoreComparing.hash)
            ask(reconciler.begin(with: empty), over: link, by: peer)
        }
        let known = records.suffix(RecordIDs.countMax).map(\.verified.id)
        if !known.isEmpty { send(.fetch(RecordIDs(known)), over: link, from: peer) }
    }

    private mutating func ask(_ message: [UInt8], over link: LinkID, by peer: Int) {
        let group = SyncScope.Group.allCases[Int.random(in: 0..<5, using: &storeGenerator)]
        let question = Comparison(
            side: .question, session: UInt32.random(in: 0...UInt32.max, using: &storeGenerator),
            scope: SyncScope(group), since: HybridTime(rawValue: 0), message: message)
        send(.comparison(question), over: link, from: peer)
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire

/// What a liar does to the store of a neighbour, unsolicited.
enum StoreMischief {
    case send(Frame)
    case serve(VerifiedRecord)

    /// Numbers of invented records: beyond those of any real record.
    fileprivate static let inventedFirst = 1_000_000_000
    fileprivate static let inventedCount = 200
    /// Requests, records or bytes at a time.
    fileprivate static let count = 20

    fileprivate static func nonsense(using generator: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 1...400, using: &generator)
        return [0x61] + (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    fileprivate static func question(_ message: [UInt8], using generator: inout SeededGenerator) -> StoreMischief {
        let group = SyncScope.Group.allCases[Int.random(in: 0..<5, using: &generator)]
        let question = Comparison(
            side: .question, session: UInt32.random(in: 0...UInt32.max, using: &generator),
            scope: SyncScope(group), since: HybridTime(rawValue: 0), message: message)
        return .send(.comparison(question))
    }
}

// The meshes and stores of hostile peers work like any other, but what they send is untrue.
extension Hostility {
    func lie(about work: ComparisonWork, using generator: inout SeededGenerator) -> ComparisonOutcome? {
        switch self {
        case .claimsEquality where work.side == .answer:
            // The protocol version, and no open range.
            ComparisonOutcome(work, .step(reply: [0x61], have: [], need: []))
        case .talksNonsense:
            ComparisonOutcome(work, .step(reply: StoreMischief.nonsense(using: &generator), have: [], need: []))
        default: nil
        }
    }

    /// Makes a set into the one that the peer pretends to have.
    ///
    /// - Parameter now: by the clock of the peer.
    func falsify(_ set: inout ReconciliationSet, of store: SimulatedStore, at now: Int64, in registry: Registry) {
        switch self {
        case .inventsRecords:
            let newest = HybridTime(wallTime: WallTime(milliseconds: now))
            for number in 0..<StoreMischief.inventedCount {
                let id = registry.record(StoreMischief.inventedFirst + number).hash
                guard let item = ReconciliationItem(timestamp: newest.rawValue &- UInt64(number), id: id) else {
                    continue
                }
                set.insert(item)
            }
        case .hidesRecords:
            var own: [ReconciliationItem] = []
            set.forEach(in: 0..<set.count) { item in
                if let row = store.rows[RecordID(item.id)], !hides(row, of: store) { own.append(item) }
            }
            set = ReconciliationSet(own)
        default: break
        }
    }

    func hides(_ row: SimulatedStore.Row, of store: SimulatedStore) -> Bool {
        self == .hidesRecords && row.record.author != store.owner
    }

    func claimedAge(_ row: SimulatedStore.Row, at now: Int64) -> UInt32 {
        guard self == .liesAboutAge else { return row.ageSeconds(at: now) }
        return row.record.id.hash.leadingWord % 2 == 0 ? 0 : .max
    }

    /// What it does to one neighbour at a time.
    func storeMischief(records: Records, using generator: inout SeededGenerator) -> [StoreMischief] {
        switch self {
        case .inventsRecords:
            let first = StoreMischief.inventedFirst + Int.random(in: 0..<1_000_000, using: &generator)
            let ids = (0..<StoreMischief.inventedCount).map { records.registry.record(first + $0) }
            return [.send(.offer(RecordIDs(ids)))]
        case .servesUnasked:
            guard !records.all.isEmpty else { return [] }
            return (0..<StoreMischief.count).compactMap { _ in
                let record = records[Int.random(in: records.all.indices, using: &generator)].verified
                return record.kind == .presence ? nil : .serve(record)
            }
        case .asksForever:
            var acts: [StoreMischief] = []
            for _ in 0..<StoreMischief.count {
                let reconciler = Reconciler.initiator(frameBytesMax: nil, sha256: StoreComparing.hash)
                acts.append(.question(reconciler.begin(with: ReconciliationSet()), using: &generator))
            }
            let known = records.all.suffix(RecordIDs.countMax).map(\.verified.id)
            if !known.isEmpty { acts.append(.send(.fetch(RecordIDs(known)))) }
            return acts
        case .talksNonsense:
            return [.question(StoreMischief.nonsense(using: &generator), using: &generator)]
        default: return []
        }
    }
}

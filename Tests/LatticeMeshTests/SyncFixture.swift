import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

// What tests of comparing and fetching need beside a mesh in hand.
extension Fixture {
    /// Linked with a peer of a larger rank that we dialled; both keep everything.
    @discardableResult
    mutating func dialled(_ rank: UInt8, on link: UInt64, keeping: Keeping = .everything) throws -> [MeshEffect] {
        _ = handle(.keepingChanged(.everything))
        _ = try dial(rank, on: link)
        return handle(.received(LinkID(rawValue: link), .keeping(keeping)))
    }

    /// Linked with a peer that dialled us; both keep everything.
    @discardableResult
    mutating func wasDialled(by rank: UInt8, on link: UInt64, keeping: Keeping = .everything) throws -> [MeshEffect] {
        _ = handle(.keepingChanged(.everything))
        _ = try connect(rank, on: link)
        return handle(.received(LinkID(rawValue: link), .keeping(keeping)))
    }

    /// Linked, and compared in the scopes of these works with nothing found but what is said here of the first.
    mutating func compareAll(
        _ works: [ComparisonWork], have: [RecordID] = [], need: [RecordID] = []
    ) -> [MeshEffect] {
        var effects: [MeshEffect] = []
        for (number, work) in works.enumerated() {
            _ = handle(.compared(ComparisonOutcome(work, .step(reply: [9], have: [], need: []))))
            let answered = handle(.received(work.link, .comparison(work.answered([8]))))
            for next in answered.works {
                let isFirst = number == 0
                let step = ComparisonOutcome.Result.step(
                    reply: nil, have: isFirst ? have : [], need: isFirst ? need : [])
                effects += handle(.compared(ComparisonOutcome(next, step)))
            }
        }
        return effects
    }

    /// Dials a peer that has these records, all of which are then asked for or wait to be.
    @discardableResult
    mutating func dialSource(_ rank: UInt8, on link: UInt64, of need: [RecordID]) throws -> [MeshEffect] {
        compareAll(try dialled(rank, on: link).works, need: need)
    }

    static func id(_ number: Int) throws -> RecordID {
        let words = (UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15, UInt64(number), UInt64(0), UInt64(0))
        return RecordID(Bytes32(words: words))
    }

    static func ids(_ range: Range<Int>) throws -> [RecordID] {
        try range.map(id)
    }

    /// A chat record of this id.
    static func record(_ id: RecordID, kind: RecordKind = .chat, bytes: Int = 1) -> VerifiedRecord {
        let record = Record(
            kind: kind, author: peer(7), created: HybridTime(rawValue: 1 << 16), lifetimeSeconds: 600, topic: [],
            body: [UInt8](repeating: 1, count: bytes))
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
        return VerifiedRecord(assumingVerified: signed, id: id)
    }

    mutating func serve(_ id: RecordID, on link: UInt64, kind: RecordKind = .chat, bytes: Int = 1) -> [MeshEffect] {
        let record = Self.record(id, kind: kind, bytes: bytes)
        return handle(.served(LinkID(rawValue: link), record, ageSeconds: 5))
    }
}

extension ComparisonWork {
    /// What the other side answers to the question of this step.
    func answered(_ message: [UInt8]) -> Comparison {
        Comparison(side: .answer, session: session, scope: scope, since: since, message: message)
    }

    func asked(_ message: [UInt8]) -> Comparison {
        Comparison(side: .question, session: session, scope: scope, since: since, message: message)
    }
}

extension [MeshEffect] {
    var works: [ComparisonWork] {
        compactMap { if case .compare(let work) = $0 { work } else { nil } }
    }

    var fetches: [(ids: [RecordID], link: LinkID)] {
        compactMap { if case .send(.fetch(let list), let link) = $0 { (list.ids, link) } else { nil } }
    }

    var offers: [(ids: [RecordID], link: LinkID)] {
        compactMap { if case .send(.offer(let list), let link) = $0 { (list.ids, link) } else { nil } }
    }

    var storedTold: [(ids: [RecordID], link: LinkID)] {
        compactMap { if case .send(.stored(let list), let link) = $0 { (list.ids, link) } else { nil } }
    }

    var comparisons: [(comparison: Comparison, link: LinkID)] {
        compactMap { if case .send(.comparison(let comparison), let link) = $0 { (comparison, link) } else { nil } }
    }

    var kept: [RecordID] {
        compactMap { if case .keep(let record, _, _, _) = $0 { record.id } else { nil } }
    }

    /// The links on which a comparison of ours was begun.
    var begun: [LinkID] {
        works.filter { $0.side == .question && $0.message.isEmpty }.map(\.link).reduce(into: []) { links, link in
            if links.last != link { links.append(link) }
        }
    }
}

import LatticeCore
import LatticeStore
import LatticeWire

/// A great many things said within an hour that nothing takes back, edits or replaces: what of them is kept is a question of
/// room alone.
struct Crowd {
    let authors: [Author]
    private(set) var records: [VerifiedRecord] = []
    private var dice: SeededGenerator

    init(seed: UInt64, records count: Int = 300) throws {
        authors = try (1...6).map { try Author($0) }
        dice = SeededGenerator(seed: seed)
        records = (0..<count).map { _ in next(within: 0..<3_600_000) }
    }

    mutating func shuffled() -> [VerifiedRecord] {
        records.shuffled(using: &dice)
    }

    mutating func portions(of records: [VerifiedRecord]) -> [[VerifiedRecord]] {
        records.portions(of: Int.random(in: 1...40, using: &dice))
    }

    mutating func isChance(_ part: Int, of whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &dice) < part
    }

    /// - Parameter span: milliseconds before the morning's arrival; now and then many say something in the same one.
    mutating func next(within span: Range<Int64>) -> VerifiedRecord {
        let author = authors[Int.random(in: 0..<authors.count, using: &dice)]
        let chance = Int64.random(in: span, using: &dice)
        let date = Morning.arrival.milliseconds - (isChance(1, of: 4) ? chance - chance % 100_000 : chance)
        let text = String(repeating: "word ", count: Int.random(in: 1...20, using: &dice))
        switch Int.random(in: 0..<10, using: &dice) {
        case 0...3: return author.post(text, at: date)
        case 4...6:
            return author.say(
                .chat, topic: Array("#room\(UInt8.random(in: 0...2, using: &dice))".utf8),
                body: ChatLine(style: .says, name: author.name, text: text).body, at: date)
        case 7: return author.say(RecordKind(rawValue: 400), topic: [1], body: Array(text.utf8), at: date)
        default:
            let target = Bytes32((0..<32).map { _ in UInt8.random(in: 0...255, using: &dice) }) ?? .zero
            return author.say(.like, topic: target.bytes, body: Statement(holds: true).body, at: date)
        }
    }
}

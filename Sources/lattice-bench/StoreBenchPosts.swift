import Foundation
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeWire

/// Realistic posts from one seed: half in one city, half anywhere.
struct BenchPosts: Sendable {
    /// When everything was inserted; queries run a minute later.
    static let filled = WallTime(milliseconds: 1_800_000_000_000)
    static let now = WallTime(milliseconds: filled.milliseconds + 60_000)
    /// When `expiring` posts have expired.
    static let later = WallTime(milliseconds: filled.milliseconds + 7_200_000)
    static let city = Coordinate(latitudeE7: 407_128_000, longitudeE7: -740_060_000)
    static let citySigmaMetres = 5_000.0
    static let authors = 1_000

    let identities: [Identity]
    let names: [PeerName]
    let words: BenchWords
    let seed: UInt64
    /// Date of the newest post.
    let written: WallTime

    init(seed: UInt64, written: WallTime = BenchPosts.filled) throws {
        self.written = written
        names = try (0..<Self.authors).map { try PeerName("author\($0)") }
        self.seed = seed
        identities = (1...Self.authors).map(Self.identity)
        words = BenchWords(seed: seed)
    }

    /// The owner of the store.
    static let owner = identity(0)

    private static func identity(_ number: Int) -> Identity {
        var generator = SeededGenerator(seed: UInt64(number))
        return Identity(seed: SecretBytes(copying: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }

    /// - Parameters:
    ///   - numbers: which of all posts; each depends only on its own number.
    ///   - expiring: this many of the first posts live for an hour.
    func records(_ numbers: Range<Int>, of count: Int, expiring: Int) -> [VerifiedRecord] {
        let share = 1_000
        let chunks = stride(from: numbers.lowerBound, to: numbers.upperBound, by: share).map {
            $0..<min($0 + share, numbers.upperBound)
        }
        let made = concurrently(chunks.count) { index in
            chunks[index].map { record($0, of: count, isExpiring: $0 % 100 == 0 && $0 / 100 < expiring) }
        }
        return made.flatMap { $0 }
    }

    func record(_ number: Int, of count: Int, isExpiring: Bool = false, by other: Identity? = nil) -> VerifiedRecord {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
        let chosen = author(of: number, &generator)
        let author = other ?? chosen
        let place = number % 2 == 0 ? Self.inCity(&generator) : Self.anywhere(&generator)
        guard let place else { preconditionFailure("places of ours are valid") }
        // Spread over twenty days, the newest last.
        let age = isExpiring ? 60_000 : Int64(count - number) * 1_728_000_000 / Int64(count)
        let text = words.text(&generator)
        return author.sign(
            Record(
                kind: .post, author: author.peer,
                created: HybridTime(wall: WallTime(milliseconds: written.milliseconds - age)),
                lifetimeSeconds: isExpiring ? 3_600 : 2_592_000, topic: [],
                body: PostBody(name: names[number % names.count], place: Place(place), text: text, placeName: "").body))
    }

    private func author(of number: Int, _ generator: inout SeededGenerator) -> Identity {
        identities[Int.random(in: 0..<identities.count, using: &generator)]
    }

    func deletion(of number: Int, count: Int) -> VerifiedRecord {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
        let author = author(of: number, &generator)
        return statement(.deletion, by: author, about: record(number, of: count).id.hash, body: [], at: number)
    }

    func statement(_ kind: RecordKind, by author: Identity, about target: Bytes32, body: [UInt8], at number: Int)
        -> VerifiedRecord
    {
        author.sign(
            Record(
                kind: kind, author: author.peer,
                created: HybridTime(wall: written, counter: UInt16(truncatingIfNeeded: number)),
                lifetimeSeconds: 2_592_000, topic: target.bytes, body: body))
    }

    /// Normally distributed around the centre.
    static func inCity(_ generator: inout SeededGenerator) -> Coordinate? {
        let radius = citySigmaMetres * (-2 * log(Double.random(in: 1e-12..<1, using: &generator))).squareRoot()
        return city?.destination(bearing: Double.random(in: 0..<360, using: &generator), distance: radius)
    }

    private static func anywhere(_ generator: inout SeededGenerator) -> Coordinate? {
        Coordinate(
            latitude: asin(Double.random(in: -1...1, using: &generator)) * 180 / .pi,
            longitude: Double.random(in: -180..<180, using: &generator))
    }
}

/// Words with the frequencies of speech: the second is half as frequent as the first, the third a third (Zipf).
struct BenchWords: Sendable {
    private let words: [String]
    private let sums: [Double]

    init(seed: UInt64, count: Int = 20_000) {
        var generator = SeededGenerator(seed: seed)
        let onsets = "b br c ch d dr f fl g h j k l m n p pl qu r s sh st t th tr v w z".split(separator: " ")
        let rhymes = "a e i o u ai ea oo an en in on ar er or el is at ed ing ust and".split(separator: " ")
        var made: Set<String> = []
        var words: [String] = []
        // Frequent words are short.
        while words.count < count {
            let syllables = words.count < 200 ? 1 : words.count < 4_000 ? 2 : 3
            let word = (0..<syllables).map { _ in
                String(onsets[Int.random(in: 0..<onsets.count, using: &generator)])
                    + String(rhymes[Int.random(in: 0..<rhymes.count, using: &generator)])
            }.joined()
            if made.insert(word).inserted { words.append(word) }
        }
        self.words = words
        var sum = 0.0
        sums = (1...count).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
    }

    func word(_ generator: inout SeededGenerator) -> String {
        let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= wanted { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }

    /// One or two of the most common words, or a common prefix.
    func common(_ generator: inout SeededGenerator) -> String {
        func one() -> String { words[Int.random(in: 0..<50, using: &generator)] }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return one()
        case 1: return one() + " " + one()
        default: return String(words[Int.random(in: 0..<2_000, using: &generator)].prefix(3))
        }
    }

    /// 20 to 140 characters.
    func text(_ generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 20...130, using: &generator)
        var text = word(&generator)
        while text.utf8.count < length { text += " " + word(&generator) }
        return String(text.prefix(140))
    }
}

/// Runs parts of a task on all cores; the results are in the order of the parts.
func concurrently<Part: Sendable>(_ parts: Int, _ work: @Sendable (Int) -> Part) -> [Part] {
    let results = Results<Part>(parts)
    DispatchQueue.concurrentPerform(iterations: parts) { index in
        let part = work(index)
        results.lock.withLock { results.parts[index] = part }
    }
    return results.parts.compactMap { $0 }
}

// Safety: `parts` is accessed only under `lock`, and read when all work is done.
private final class Results<Part>: @unchecked Sendable {
    let lock = NSLock()
    var parts: [Part?]

    init(_ count: Int) {
        parts = Array(repeating: nil, count: count)
    }
}

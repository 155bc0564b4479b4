import Foundation
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeWire
import Synchronization

/// Realistic posts from one seed: half in one city, half anywhere.
struct BenchPosts: Sendable {
    static let filled = WallTime(milliseconds: 1_800_000_000_000)
    private static let city = Coordinate(latitudeE7: 407_128_000, longitudeE7: -740_060_000)
    private static let citySigmaMetres = 5_000.0
    private static let authors = 1_000

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

    static let owner = identity(0)

    private static func identity(_ number: Int) -> Identity {
        var generator = SeededGenerator(seed: UInt64(number))
        return Identity(seed: SecretBytes(copying: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }

    /// - Parameter numbers: which of all posts; each depends only on its own number.
    func records(_ numbers: Range<Int>, of count: Int) -> [VerifiedRecord] {
        concurrently(numbers) { record($0, of: count) }
    }

    private func record(_ number: Int, of count: Int) -> VerifiedRecord {
        var generator = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
        let author = identities[Int.random(in: 0..<identities.count, using: &generator)]
        let place = number % 2 == 0 ? Self.inCity(&generator) : Self.anywhere(&generator)
        guard let place else { preconditionFailure("places of ours are valid") }
        // Spread over twenty days, the newest last.
        let age = Int64(count - number) * 1_728_000_000 / Int64(count)
        let text = words.text(&generator)
        return author.sign(
            Record(
                kind: .post, author: author.peer,
                created: HybridTime(wallTime: WallTime(milliseconds: written.milliseconds - age)),
                lifetimeSeconds: 2_592_000, topic: [],
                body: PostBody(name: names[number % names.count], place: Place(place), text: text, placeName: "").body))
    }

    /// Normally distributed around the centre.
    private static func inCity(_ generator: inout SeededGenerator) -> Coordinate? {
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

    private func word(_ generator: inout SeededGenerator) -> String {
        let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= wanted { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }

    /// 20 to 140 characters.
    func text(_ generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 20...130, using: &generator)
        var text = word(&generator)
        while text.utf8.count < length { text += " " + word(&generator) }
        return String(text.prefix(140))
    }
}

/// Makes records on all cores, in the order of their numbers.
func concurrently(_ numbers: Range<Int>, _ make: @Sendable (Int) -> VerifiedRecord) -> [VerifiedRecord] {
    let share = 500
    let chunks = stride(from: numbers.lowerBound, to: numbers.upperBound, by: share).map {
        $0..<min($0 + share, numbers.upperBound)
    }
    let results = Mutex([[VerifiedRecord]](repeating: [], count: chunks.count))
    DispatchQueue.concurrentPerform(iterations: chunks.count) { index in
        let made = chunks[index].map(make)
        results.withLock { $0[index] = made }
    }
    return results.withLock { $0.flatMap(\.self) }
}

import CBaseline
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeMesh

/// Both sides of a reconciliation in one process, compared with the same in C over immutable arrays, whose fingerprints
/// cost two loads and one hash.
struct SyncSetBench {
    private let items: [ReconciliationItem]
    private let set: ReconciliationSet
    private let rounds: Int
    private var generator: SeededGenerator

    init(items count: Int, rounds: Int, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        items = (0..<count).compactMap { _ in Self.item(&generator) }.sorted()
        let sorted = items
        var loaded = ReconciliationSet()
        let taken = best(of: rounds) { loaded = ReconciliationSet(sorted) }
        set = loaded
        self.rounds = rounds
        self.generator = generator
        try report(["bench": "sync-set-load", "items": count, "ms": rounded(taken * 1_000)])
    }

    mutating func run() throws {
        try compare("equal", set, items)
        for count in [1, 10, 100, 1_000, 10_000] {
            let other = differing(count)
            let set = ReconciliationSet(other)
            try compare("random-\(count)", set, other)
        }
        let older = Array(items.dropLast(min(1_000, items.count)))
        try compare("newest-1000-missing", ReconciliationSet(older), older, isAsking: true)
        try change()
        try fingerprints()
        try hostile()
    }

    /// The same items with `count` differences: half are removed and half are new.
    private mutating func differing(_ count: Int) -> [ReconciliationItem] {
        var gone: Set<Int> = []
        while gone.count < count / 2 { gone.insert(Int.random(in: items.indices, using: &generator)) }
        let kept = items.indices.filter { !gone.contains($0) }.map { items[$0] }
        return (kept + (gone.count..<count).compactMap { _ in Self.item(&generator) }).sorted()
    }

    /// - Parameter isAsking: whether the other set's peer is the initiator.
    private func compare(
        _ name: String, _ other: ReconciliationSet, _ otherItems: [ReconciliationItem], isAsking: Bool = false
    ) throws {
        let (first, second) = isAsking ? (other, set) : (set, other)
        let bare = [items, otherItems].map(BareSet.init)
        let (bareFirst, bareSecond) = isAsking ? (bare[1], bare[0]) : (bare[0], bare[1])
        for (manner, limit) in [(.reference, nil), (.thrifty, nil), (.thrifty, 60_000)] as [(Reconciler.Manner, Int?)] {
            var (sums, found) = (Sums(), baseline_differences())
            var (ours, theirs) = (Double.infinity, Double.infinity)
            for _ in 0..<rounds {
                ours = min(ours, try processor { sums = try Sums(first, second, manner, limit) })
                theirs = min(theirs, processor { found = bareFirst.differences(from: bareSecond) })
            }
            let (have, need) = (Set(sums.have).count, Set(sums.need).count)
            guard have == Int(found.have), need == Int(found.need) else {
                throw BenchError("\(name): \(have) and \(need) are not \(found)")
            }
            try report([
                "bench": "sync-set-\(name)", "manner": "\(manner)", "frame_limit": limit ?? 0, "bytes": sums.bytes,
                "messages": sums.messages, "differences": have + need, "cpu_us": rounded(ours * 1e6),
                "c_cpu_us": rounded(theirs * 1e6), "c_bytes": Int(found.bytes), "ratio": rounded(ours / theirs),
            ])
        }
    }

    private mutating func change() throws {
        let some = (0..<100_000).compactMap { _ in Self.item(&generator) }
        var set = set
        let inserted = processor { for item in some { set.insert(item) } }
        let removed = processor { for item in some { set.remove(item) } }
        try report([
            "bench": "sync-set-change", "insert_us": rounded(inserted * 10), "remove_us": rounded(removed * 10),
        ])
    }

    private mutating func fingerprints() throws {
        let ranges = (0..<100_000).map { _ in
            let ends = [0, 1].map { _ in Int.random(in: 0...items.count, using: &generator) }.sorted()
            return ends[0]..<ends[1]
        }
        var differs = 0
        let first = set.sum(in: 0..<0).fingerprint(sha256)
        let ours = best(of: rounds) {
            for range in ranges where set.sum(in: range).fingerprint(sha256) != first { differs += 1 }
        }
        let bytes = [UInt8](repeating: 7, count: 35)
        let hashes = best(of: rounds) {
            for range in ranges where sha256(bytes).leadingWord != UInt64(range.count) { differs += 1 }
        }
        guard differs > 0 else { throw BenchError("nothing was hashed") }
        try report([
            "bench": "sync-set-fingerprint", "us": rounded(ours * 10), "sha256_us": rounded(hashes * 10),
        ])
    }

    /// Messages of 60,000 bytes that cause as much work as possible.
    private func hostile() throws {
        let end = items.last?.timestamp ?? 1
        for (name, message) in HostileMessage.all(bytesMax: 60_000, until: end) {
            for (role, reconciler) in [
                ("asker", Reconciler.initiator(.thrifty, frameBytesMax: 60_000, sha256: sha256)),
                ("answerer", Reconciler.responder(.thrifty, frameBytesMax: 60_000, sha256: sha256)),
            ] {
                let taken = try best(of: rounds) { _ = try reconciler.read(message, with: set) }
                try report([
                    "bench": "sync-set-hostile-\(name)", "role": role, "bytes": message.count,
                    "cpu_us": rounded(taken * 1e6),
                ])
            }
        }
    }

    /// A random date within a year, in seconds.
    static func item(_ generator: inout SeededGenerator) -> ReconciliationItem? {
        let words = (generator.next(), generator.next(), generator.next(), generator.next())
        let timestamp = 1_700_000_000 + UInt64.random(in: 0..<1 << 25, using: &generator)
        return ReconciliationItem(timestamp: timestamp, id: Bytes32(words: words))
    }
}

private let sha256: Fingerprinter = { Digest.sha256($0) }

private struct Sums {
    var bytes = 0
    var messages = 0
    var have: [Bytes32] = []
    var need: [Bytes32] = []

    init() {}

    init(_ first: ReconciliationSet, _ second: ReconciliationSet, _ manner: Reconciler.Manner, _ limit: Int?) throws {
        let initiator = Reconciler.initiator(manner, frameBytesMax: limit, sha256: sha256)
        let responder = Reconciler.responder(manner, frameBytesMax: limit, sha256: sha256)
        var next: [UInt8]? = initiator.begin(with: first)
        while let question = next {
            let answer = try responder.read(question, with: second).reply ?? []
            let step = try initiator.read(answer, with: first)
            bytes += question.count + answer.count
            messages += 2
            have += step.have
            need += step.need
            next = step.reply
        }
    }
}

private func best(of rounds: Int, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds { best = min(best, try processor(work)) }
    return best
}

private func processor(_ work: () throws -> Void) rethrows -> Double {
    let start = processorSeconds()
    try work()
    return processorSeconds() - start
}

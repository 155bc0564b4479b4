import LatticeCore
import Testing

@testable import LatticeMesh

@Suite struct ThriftTests {
    @Test(arguments: [0, 20, 300, 2_000, 6_000], [nil, 60_000] as [Int?])
    func neverMoreIsSpentThanOnSendingAllIds(count: Int, frameBytesMax: Int?) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        func some(_ count: Int) -> [ReconciliationItem] {
            ReconciliationRun.items(count, timestamps: 1 << 25, using: &generator)
        }
        for rate in [0, 0.00001, 0.0003, 0.005, 0.05, 0.2, 0.5, 1] {
            let differing = Int(Double(count) * rate)
            let both = some(count - differing)
            for share in [0, 0.5, 1] {
                let mine = some(Int(Double(differing) * share))
                let theirs = some(differing - mine.count)
                try expectThrift(both, mine, theirs, frameBytesMax)
            }
        }
    }

    @Test(arguments: [1, 10, 100], [nil, 60_000] as [Int?])
    func aSmallStoreBesideALargeOneCostsNoMoreThanTheIdsAnswered(part: Int, frameBytesMax: Int?) throws {
        var generator = SeededGenerator(seed: UInt64(part))
        let many = ReconciliationRun.items(6_000, timestamps: 1 << 25, using: &generator)
        let few = ReconciliationRun.items(6_000 / part, timestamps: 1 << 25, using: &generator)
        try expectThrift([], many, few, frameBytesMax)
        try expectThrift([], few, many, frameBytesMax)
        try expectThrift(few, many, [], frameBytesMax)
        try expectThrift(few, [], many, frameBytesMax)
    }

    /// Thrift judges by what is likely; what it does not expect it finds as well.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func whateverLiesWhereverIsFound(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let timestamps: UInt64 = [1, 50, 1 << 40].randomElement(using: &generator) ?? 1
        var parts: [[ReconciliationItem]] = [[], [], []]
        for segment in 0..<UInt64.random(in: 1...6, using: &generator) {
            let rates: [Double] = [1, 0.3, 0.02, 0]
            let rate = rates.randomElement(using: &generator) ?? 0
            let mineInTen = Int.random(in: 0...10, using: &generator)
            let count = Int.random(in: 0...1_200, using: &generator)
            for item in ReconciliationRun.items(count, timestamps: timestamps, using: &generator) {
                let later = ReconciliationItem(timestamp: item.timestamp + segment * timestamps, id: item.id)
                let isMine = Int.random(in: 0..<10, using: &generator) < mineInTen
                let part = Double.random(in: 0..<1, using: &generator) >= rate ? 0 : isMine ? 1 : 2
                if let later { parts[part].append(later) }
            }
        }
        for frameBytesMax in [nil, 4_096, 60_000] as [Int?] {
            let run = try ReconciliationRun(
                ReconciliationSet(parts[0] + parts[1]), ReconciliationSet(parts[0] + parts[2]), [.thrifty],
                frameBytesMax: frameBytesMax)
            let isFound = run.found(have: parts[1], need: parts[2])
            #expect(isFound)
        }
    }

    @Test func scatteredDifferencesCostHalfOfWhatTheReferenceSpends() throws {
        var generator = SeededGenerator(seed: 8)
        let both = ReconciliationRun.items(100_000, timestamps: 1 << 25, using: &generator)
        let here = ReconciliationSet(both)
        let there = ReconciliationSet(both + ReconciliationRun.items(60, timestamps: 1 << 25, using: &generator))
        let reference = try ReconciliationRun(here, there)
        let thrifty = try ReconciliationRun(here, there, [.thrifty])
        #expect(thrifty.need.count == 60 && thrifty.bytes * 2 < reference.bytes)
        #expect(thrifty.messages.count <= reference.messages.count + 4)
    }

    @Test func aThriftyAskerTellsFewItemsByOneFingerprint() throws {
        let initiator = Reconciler.initiator(.thrifty, frameBytesMax: nil, sha256: sha256)
        #expect(initiator.begin(with: ReconciliationSet()) == [0x61, 0, 0, 2, 0])
        let items = try (0..<31).map { try ReconciliationRun.item(UInt64($0), 7) }
        let set = ReconciliationSet(items)
        #expect(initiator.begin(with: set) == [0x61, 0, 0, 1] + set.sum.fingerprintBytes())
        let more = ReconciliationSet(items + [try ReconciliationRun.item(31, 7)])
        let plain = Reconciler.initiator(frameBytesMax: nil, sha256: sha256)
        #expect(initiator.begin(with: more) == plain.begin(with: more))
    }

    @Test func aThriftyAskerAsksForAListWithoutTellingItsOwn() throws {
        let items = try (0..<2).map { try ReconciliationRun.item(UInt64($0), 7) }
        let initiator = Reconciler.initiator(.thrifty, frameBytesMax: nil, sha256: sha256)
        let other = [0x61, 0, 0, 1] + [UInt8](repeating: 9, count: 16)
        let step = try initiator.read(other, with: ReconciliationSet(items))
        #expect(step == Reconciler.Step(reply: [0x61, 0, 0, 2, 0]))
    }

    // MARK: plans

    @Test func ofWhatNothingIsKnownSmallRangesAreListedAndLargeOnesSampled() {
        var thrift = Thrift()
        for _ in 0..<8 { thrift.heard(items: 1_000, differ: true) }
        #expect(thrift.plan(items: 1_000, samples: true) == .sample(parts: 4))
        #expect(thrift.plan(items: 1_000, samples: true) == .split(parts: 4))
        var asker = thrift
        #expect(asker.plan(items: 1_000, samples: false) == .split(parts: 4))
        var seven = Thrift()
        for _ in 0..<7 { seven.heard(items: 1_000, differ: true) }
        #expect(seven.plan(items: 1_000, samples: true) == .split(parts: 16))
        // A sample of which half is lacked.
        asker.listed(theirs: 32, have: 8, need: 8)
        #expect(asker.plan(items: 1_000, samples: false) == .list)
        var small = Thrift()
        for _ in 0..<8 { small.heard(items: 40, differ: true) }
        #expect(small.plan(items: 40, samples: true) == .list)
    }

    @Test func oneOfManyThatDiffersIsSplit() {
        var thrift = Thrift()
        for range in 0..<16 { thrift.heard(items: 62_500, differ: range == 3) }
        #expect(thrift.plan(items: 62_500, samples: true) == .split(parts: 16))
        var small = Thrift()
        for range in 0..<160 { small.heard(items: 16, differ: range == 3) }
        #expect(small.plan(items: 16, samples: false) == .split(parts: 4))
        #expect(small.plan(items: 1, samples: false) == .list)
        #expect(small.plan(items: 0, samples: false) == .list)
    }

    @Test func whatIsPlannedIsPromised() {
        var thrift = Thrift()
        for range in 0..<16 { thrift.heard(items: 10, differ: range < 12) }
        #expect(thrift.promisedBytes == 0)
        #expect(thrift.plan(items: 1, samples: false) == .list)
        #expect(thrift.promisedBytes == 52)
        // Half of what is here is there: so is the list that is asked for.
        thrift.listed(theirs: 40, have: 40, need: 0)
        #expect(thrift.plan(items: 1_000, samples: false) == .list)
        #expect(thrift.promisedBytes == 52 + 500 * 32 + 20)
    }

    private func expectThrift(
        _ both: [ReconciliationItem], _ mine: [ReconciliationItem], _ theirs: [ReconciliationItem],
        _ frameBytesMax: Int?
    ) throws {
        let run = try ReconciliationRun(
            ReconciliationSet(both + mine), ReconciliationSet(both + theirs), [.thrifty], frameBytesMax: frameBytesMax)
        let isFound = run.found(have: mine, need: theirs)
        #expect(isFound)
        // 5 % and 2 kB for bounds, fingerprints and frames.
        #expect(run.bytes * 100 <= 32 * (both.count + theirs.count) * 105 + 200_000)
    }
}

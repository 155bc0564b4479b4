import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// The queue of one busy link, and the table of who spoke lately.
@Suite struct FairQueueTests {
    /// A record of the given size, 200–16,000 bytes.
    private static func entry(_ number: UInt64, by author: UInt64, bytes: Int = 1_024) throws -> FairQueue.Entry {
        func key(_ word: UInt64) throws -> Bytes32 {
            try #require(Bytes32((0..<32).map { UInt8(truncatingIfNeeded: word >> (8 * (UInt64($0) % 8))) }))
        }
        // Its length is written in two bytes.
        let body = [UInt8](repeating: 0, count: bytes - 111)
        let record = Record(
            kind: .chat, author: PeerID(try key(author)), created: HybridTime(rawValue: number), lifetimeSeconds: 600,
            topic: [], body: body)
        let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
        #expect(signed.bytes.count == bytes)
        let verified = VerifiedRecord(assumingVerified: signed, id: RecordID(try key(number)))
        return FairQueue.Entry(record: verified, timeToLive: 5, hops: 1, isStray: false, since: .zero)
    }

    private static func date(_ entry: FairQueue.Entry) -> UInt64 { entry.record.record.created.rawValue }

    @Test func itKnowsSinceWhenTheOldestWaits() throws {
        func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
        var queue = FairQueue()
        #expect(queue.oldest == nil)
        for (number, author) in [(1, 1), (2, 1), (3, 2)] as [(UInt64, UInt64)] {
            var entry = try Self.entry(number, by: author)
            entry.since = at(Int64(number))
            _ = queue.push(entry)
        }
        #expect(queue.oldest == at(1))
        let first = queue.takePortion(1)
        #expect(first.count == 1)
        #expect(queue.oldest == at(2))
        while !queue.isEmpty { _ = queue.takePortion() }
        #expect(queue.oldest == nil)
    }

    @Test func authorsTakeTurnsOfFourKiB() throws {
        var queue = FairQueue()
        for number in UInt64(1)...8 { #expect(queue.push(try Self.entry(number, by: 1)) == 0) }
        for number in UInt64(11)...12 { #expect(queue.push(try Self.entry(number, by: 2)) == 0) }
        #expect(queue.count == 10 && queue.bytes == 10 << 10)
        #expect(queue.takePortion().map(Self.date) == [1, 2, 3, 4, 11, 12, 5, 6, 7, 8])
        #expect(queue.isEmpty && queue.count == 0 && queue.bytes == 0)
    }

    @Test func aLongRecordSavesUpForSeveralTurns() throws {
        var queue = FairQueue()
        _ = queue.push(try Self.entry(1, by: 1, bytes: 10_000))
        for number in UInt64(11)...20 { _ = queue.push(try Self.entry(number, by: 2)) }
        #expect(queue.takePortion().map(Self.date) == [11, 12, 13, 14, 15, 16, 17, 18, 1, 19, 20])
    }

    @Test func thePortionsTogetherAreTheWhole() throws {
        var queue = FairQueue()
        for number in UInt64(0)..<100 { _ = queue.push(try Self.entry(number, by: number % 3)) }
        var taken: [UInt64] = []
        while !queue.isEmpty {
            let portion = queue.takePortion(10_000)
            #expect(portion.count == min(10, 100 - taken.count))
            taken += portion.map(Self.date)
        }
        for author in UInt64(0)..<3 {
            #expect(taken.filter { $0 % 3 == author } == Array(stride(from: author, to: 100, by: 3)))
        }
    }

    private static func urgent(_ number: UInt64, by author: UInt64, bytes: Int = 1_024) throws -> FairQueue.Entry {
        var entry = try entry(number, by: author, bytes: bytes)
        entry.isUrgent = true
        return entry
    }

    @Test func urgentRecordsGoBeforeEveryAuthorsTurn() throws {
        var queue = FairQueue()
        for number in UInt64(1)...6 { _ = queue.push(try Self.entry(number, by: 1)) }
        _ = queue.push(try Self.urgent(21, by: 2))
        _ = queue.push(try Self.urgent(22, by: 1))
        #expect(queue.count == 8 && queue.bytes == 8 << 10)
        #expect(queue.takePortion(3 << 10).map(Self.date) == [21, 22, 1])
        #expect(queue.takePortion().map(Self.date) == [2, 3, 4, 5, 6])
        #expect(queue.isEmpty && queue.bytes == 0)
    }

    @Test func fewUrgentRecordsPassFewWaitFirstAndMoreWaitLikeOthers() throws {
        var queue = FairQueue()
        let fitting = MeshLimit.urgentPassedBytesMax >> 10
        for number in 0..<UInt64(fitting) {
            let passes = queue.passes(try Self.urgent(number, by: number))
            #expect(passes)
        }
        let (late, usual) = (try Self.urgent(100_000, by: 1), try Self.entry(100_001, by: 1))
        let (latePasses, usualPasses) = (queue.passes(late), queue.passes(usual))
        #expect(!latePasses && !usualPasses)
        let waiting = UInt64(MeshLimit.urgentWaitingBytesMax >> 10)
        for number in 0..<(waiting + 3) { _ = queue.push(try Self.urgent(1_000 + number, by: 7)) }
        _ = queue.push(try Self.entry(5_000, by: 8))
        let first = queue.takePortion(Int(waiting) << 10).map(Self.date)
        #expect(first == (0..<waiting).map { 1_000 + $0 })
        #expect(Set(queue.takePortion(.max).map(Self.date)) == Set((0..<3).map { 1_000 + waiting + $0 } + [5_000]))
        // The next portion has been sent, so that a few may pass again.
        let passesAgain = queue.passes(late)
        #expect(passesAgain)
    }

    @Test func aRecordWaitsOnce() throws {
        var queue = FairQueue()
        for _ in 0..<3 { #expect(queue.push(try Self.entry(1, by: 1)) == 0) }
        #expect(queue.takePortion().map(Self.date) == [1])
    }

    @Test func whatIsNotNeededAnyMoreIsNeitherSentNorMissed() throws {
        var queue = FairQueue()
        for number in UInt64(1)...3 { _ = queue.push(try Self.entry(number, by: 1)) }
        queue.needsNoMore(try Self.entry(2, by: 1).record.id)
        #expect(queue.takePortion().map(Self.date) == [1, 3])
    }

    @Test func whoHasMostGivesWayByBytes() throws {
        var queue = FairQueue()
        let fitting = UInt64(MeshLimit.backlogBytesMax / 16_000)
        for number in 0..<fitting { #expect(queue.push(try Self.entry(number, by: 1, bytes: 16_000)) == 0) }
        #expect(queue.push(try Self.entry(1_000, by: 1, bytes: 16_000)) == 1)
        #expect(queue.push(try Self.entry(1_001, by: 2, bytes: 16_000)) == 1)
        #expect(queue.bytes <= MeshLimit.backlogBytesMax && queue.count == Int(fitting))
        let taken = Set(queue.takePortion(.max).map(Self.date))
        #expect(taken == Set(0..<(fitting - 1)).union([1_001]))
    }

    @Test func authorsBeyondTheLimitShareALine() throws {
        var queue = FairQueue()
        let count = UInt64(MeshLimit.backlogOriginsMax) + 50
        for number in 0..<count {
            for copy in UInt64(0)..<5 { _ = queue.push(try Self.entry(number * 10 + copy, by: number)) }
        }
        let turn = queue.takePortion((MeshLimit.backlogOriginsMax + 1) * MeshLimit.backlogTurnBytes)
        let later = UInt64(MeshLimit.backlogOriginsMax)
        #expect(turn.count { Self.date($0) / 10 < later } == MeshLimit.backlogOriginsMax * 4)
        #expect(turn.suffix(4).map(Self.date) == (0..<4).map { later * 10 + $0 })
        #expect(queue.takePortion(.max).count == Int(count) * 5 - turn.count)
    }

    @Test(arguments: UInt64(1)...20)
    func whateverIsPushedComesOutOnceOrIsCountedAsDropped(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var queue = FairQueue()
        var (pushed, dropped) = (0, 0)
        var taken: [UInt64] = []
        for number in UInt64(0)..<3_000 {
            // A few say much, many say little.
            let author = Bool.random(using: &generator) ? 0 : UInt64.random(in: 0..<400, using: &generator)
            let bytes = Int.random(in: 240...16_000, using: &generator)
            dropped += queue.push(try Self.entry(number, by: author, bytes: bytes))
            pushed += 1
            #expect(queue.bytes <= MeshLimit.backlogBytesMax && queue.count <= MeshLimit.backlogMax)
            if Int.random(in: 0..<400, using: &generator) == 0 { taken += queue.takePortion().map(Self.date) }
        }
        taken += queue.takePortion(.max).map(Self.date)
        #expect(queue.isEmpty && queue.bytes == 0 && queue.count == 0)
        #expect(Set(taken).count == taken.count && taken.count + dropped == pushed)
    }

    @Test func whoSpokeLatelyIsRememberedUpToALimitAndForgottenLater() throws {
        var fairness = Fairness(originRate: 16, linkRate: 16_384)
        var now = Instant.zero
        let newcomers = UInt64(MeshLimit.peopleMax) + 100
        for author in 0..<newcomers {
            fairness.linkOpened()
            let record = try Self.entry(author, by: author).record
            let isAdmitted = fairness.admits(record, isOfNewcomer: false, isUrgent: false, on: Int(author), at: now)
            #expect(isAdmitted == .asUsual)
        }
        #expect(fairness.originCount == MeshLimit.peopleMax)
        now = now.advanced(by: .seconds(1))
        for author in newcomers..<(newcomers + 10) {
            fairness.linkOpened()
            let record = try Self.entry(author, by: author).record
            let isAdmitted = fairness.admits(record, isOfNewcomer: false, isUrgent: false, on: Int(author), at: now)
            #expect(isAdmitted == .asUsual)
        }
        #expect(fairness.originCount == MeshLimit.peopleMax - 10)
    }
}

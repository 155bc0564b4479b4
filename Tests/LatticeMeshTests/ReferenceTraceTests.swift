import LatticeCore
import Testing

@testable import LatticeMesh

/// Byte for byte what the reference implementation says.
@Suite struct ReferenceTraceTests {
    @Test(arguments: [nil, 4_096, 5_000, 20_000] as [Int?], 1...10 as ClosedRange<UInt64>)
    func everyMessageIsThatOfThePlainOne(limit: Int?, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let timestamps: UInt64 = [1, 40, 1 << 25, 1 << 60].randomElement(using: &generator) ?? 1
        func some() -> [ReconciliationItem] {
            let size = [0, 3, 33, 400, 2_500].randomElement(using: &generator) ?? 0
            return ReconciliationRun.items(size, timestamps: timestamps, using: &generator)
        }
        let both = some()
        let (here, there) = (both + some(), both + some())
        var initiator = PlainNegentropy(here.map(\.plain), limit: limit, isInitiator: true)
        var responder = PlainNegentropy(there.map(\.plain), limit: limit, isInitiator: false)
        var messages = [initiator.begin()]
        repeat {
            messages.append(responder.answer(messages[messages.count - 1]))
            messages.append(initiator.answer(messages[messages.count - 1]))
        } while messages[messages.count - 1].count > 1 && messages.count < 2_000
        let run = try ReconciliationRun(
            ReconciliationSet(here), ReconciliationSet(there), frameBytesMax: limit, messagesMax: 2_000)
        let isTheSame = run.messages == messages.dropLast()
        #expect(isTheSame)
        let isFound = Set(run.have.map(\.bytes)) == initiator.have && Set(run.need.map(\.bytes)) == initiator.need
        #expect(isFound)
    }

    /// The asker's frame is full when it comes to forty items that the other side has nothing beside. The reference then
    /// tells the rest by the fingerprint of what is behind them, nothing, and the other side has nothing there as well.
    @Test func whatTheReferenceLosesInAFullFrameIsFound() throws {
        var generator = SeededGenerator(seed: 1)
        func region(_ number: Int) -> [ReconciliationItem] {
            (0..<40).compactMap { ReconciliationRun.item(UInt64(number * 1_000_000 + $0 * 20_000), using: &generator) }
        }
        let here = (0..<12).flatMap { region($0) }
        let there = (0..<11).flatMap { region($0) }
        let behind = here.filter { $0.timestamp >= 11_000_000 }
        var writer = RangeWriter()
        for number in 0..<11 {
            let sum = ReconciliationSet(there).sum(in: number * 40..<number * 40 + 40)
            let bound = ReconciliationBound(timestamp: UInt64(number + 1) * 1_000_000)
            writer.fingerprint(sum.fingerprint(sha256), to: bound)
        }
        writer.fingerprint(ReconciliationSum().fingerprint(sha256), to: .infinity)

        var asker = PlainNegentropy(here.map(\.plain), limit: 4_096, isInitiator: true)
        var responder = PlainNegentropy(there.map(\.plain), limit: nil, isInitiator: false)
        var question = asker.answer(writer.bytes)
        while question.count > 1 { question = asker.answer(responder.answer(question)) }
        let isLost = asker.overflowed > 0 && asker.have.isDisjoint(with: behind.map(\.id.bytes))
        #expect(isLost)

        for manner in [.reference, .thrifty] as [Reconciler.Manner] {
            let initiator = Reconciler.initiator(manner, frameBytesMax: 4_096, sha256: sha256)
            let first = try initiator.read(writer.bytes, with: ReconciliationSet(here))
            let run = try ReconciliationRun(
                ReconciliationSet(here), ReconciliationSet(there), [manner], frameBytesMax: 4_096, first: first.reply,
                answersAreLimited: false)
            let isFound = run.found(have: here, need: there)
            #expect(isFound)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func tensOfThousandsWithManyDifferencesAreFoundInSmallFrames(
        seed: UInt64
    )
        throws
    {
        var generator = SeededGenerator(seed: seed)
        let both = ReconciliationRun.items(20_000, timestamps: 1 << 25, using: &generator)
        // Differences lie everywhere, or in the first or last part alone, where one side may have nothing at all.
        func some() -> [ReconciliationItem] {
            let count = [0, 200, 3_000].randomElement(using: &generator) ?? 0
            let span: UInt64 = [1 << 25, 1 << 18].randomElement(using: &generator) ?? 1
            let start: UInt64 = Bool.random(using: &generator) ? 0 : 1 << 25
            return ReconciliationRun.items(count, timestamps: span, using: &generator)
                .compactMap { ReconciliationItem(timestamp: start + $0.timestamp, id: $0.id) }
        }
        let (mine, theirs) = (some(), some())
        for manner in [.reference, .thrifty] as [Reconciler.Manner] {
            let run = try ReconciliationRun(
                ReconciliationSet(both + mine), ReconciliationSet(both + theirs), [manner], frameBytesMax: 4_096)
            let isFound = run.found(have: mine, need: theirs)
            #expect(isFound)
        }
    }
}

extension ReconciliationItem {
    fileprivate var plain: PlainNegentropy.Item { PlainNegentropy.Item(timestamp: timestamp, id: id.bytes) }
}

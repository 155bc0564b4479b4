import LatticeCore
import Testing

@testable import LatticeMesh

@Suite struct HostileReconciliationTests {
    private let limit = 4_096

    @Test func everyPrefixAndEveryFlippedBitIsSurvived() throws {
        var generator = SeededGenerator(seed: 1)
        let both = ReconciliationRun.items(40, timestamps: 40, using: &generator)
        let here = ReconciliationSet(both + ReconciliationRun.items(6, timestamps: 40, using: &generator))
        let there = ReconciliationSet(both + ReconciliationRun.items(6, timestamps: 40, using: &generator))
        let run = try ReconciliationRun(here, there, frameBytesMax: limit)
        for message in run.messages {
            for end in stride(from: 0, to: message.count, by: message.count > 600 ? 11 : 1) {
                offer(Array(message[..<end]), to: here)
            }
            for bit in stride(from: 0, to: message.count * 8, by: message.count > 600 ? 61 : 1) {
                var bent = message
                bent[bit / 8] ^= 1 << UInt8(bit % 8)
                offer(bent, to: here)
            }
        }
    }

    @Test func noiseIsSurvived() {
        var generator = SeededGenerator(seed: 2)
        let set = ReconciliationSet(ReconciliationRun.items(200, timestamps: 9, using: &generator))
        for _ in 0..<3_000 {
            let size = Int.random(in: 0..<80, using: &generator)
            // Small numbers are the ones that have a meaning here.
            let most: UInt8 = Bool.random(using: &generator) ? 3 : 255
            offer([0x61] + (0..<size).map { _ in UInt8.random(in: 0...most, using: &generator) }, to: set)
        }
    }

    @Test(
        arguments: [
            ([], .truncated(field: "version")),
            ([0x61, 0], .truncated(field: "prefix length")),
            ([0x61, 0x80, 1], .notShortest(field: "timestamp")),
            ([0x61] + [UInt8](repeating: 0xFF, count: 10), .outOfRange(field: "timestamp")),
            ([0x61, 1, 33], .outOfRange(field: "prefix length")),
            ([0x61, 1, 2, 9], .truncated(field: "prefix")),
            ([0x61, 0, 0, 3], .unknownMode(3)),
            ([0x61, 0, 0, 1, 5], .truncated(field: "fingerprint")),
            ([0x61, 0, 0, 2, 0xFF, 0xFF, 0x7F], .truncated(field: "ids")),
            ([0x61, 1, 1, 9, 0, 1, 1, 8, 0], .descendingBound),
        ] as [([UInt8], ReconciliationError)])
    func whatIsWrongIsNamed(message: [UInt8], error: ReconciliationError) {
        let responder = Reconciler.responder(frameBytesMax: limit, sha256: sha256)
        #expect(throws: error) { try responder.read(message, with: ReconciliationSet()) }
    }

    @Test func aTimestampBeyondSixtyFourBitsIsInfinity() throws {
        let largest: [UInt8] = [0x81] + [UInt8](repeating: 0xFF, count: 8) + [0x7F]
        let responder = Reconciler.responder(frameBytesMax: limit, sha256: sha256)
        let set = ReconciliationSet([try ReconciliationRun.item(9, 1)])
        let reply = try responder.read([0x61, 5, 0, 0] + largest + [0, 2, 0], with: set).reply
        #expect(reply?.prefix(8) == [0x61, 5, 0, 0, 0, 0, 2, 1])
    }

    @Test func anAskerThatHasNothingIsAnsweredWithinTheFrame() throws {
        var generator = SeededGenerator(seed: 3)
        let set = ReconciliationSet(ReconciliationRun.items(20_000, timestamps: 3, using: &generator))
        let responder = Reconciler.responder(frameBytesMax: limit, sha256: sha256)
        let reply = try responder.read([0x61, 0, 0, 2, 0], with: set).reply ?? []
        #expect((limit - 200...limit).contains(reply.count))
    }

    @Test func anIdToldTwiceIsNeededOnce() throws {
        let initiator = Reconciler.initiator(frameBytesMax: nil, sha256: sha256)
        let id = try ReconciliationRun.item(0, 4).id
        let step = try initiator.read([0x61, 0, 0, 2, 2] + id.bytes + id.bytes, with: ReconciliationSet())
        #expect(step.reply == nil && step.have.isEmpty && step.need == [id])
    }

    @Test func ofASetThatNobodyElseHasAPartIsToldAtATime() throws {
        var generator = SeededGenerator(seed: 4)
        let items = ReconciliationRun.items(140_000, timestamps: 1 << 30, using: &generator)
        let set = ReconciliationSet(items)
        let initiator = Reconciler.initiator(.thrifty, frameBytesMax: 60_000, sha256: sha256)
        let nothing = try initiator.read([0x61, 0, 0, 2, 0], with: set)
        #expect(nothing.have.count == Reconciler.haveMax && nothing.reply != nil)
        // One id that is not here: all items are read, and no more are sent.
        let one = try initiator.read([0x61, 0, 0, 2, 1] + Bytes32.zero.bytes, with: set)
        let isTheSame = one.have == nothing.have && one.need == [.zero] && one.reply == nothing.reply
        #expect(isTheSame)
        let run = try ReconciliationRun(set, ReconciliationSet(), [.thrifty], frameBytesMax: 60_000)
        let isFound = run.found(have: items, need: []) && run.have.count == items.count
        #expect(isFound)
        // A neighbour that has some at the end, so that the sent part ends within a list.
        let few = Array(items.sorted().suffix(3))
        let other = try ReconciliationRun(set, ReconciliationSet(few), [.thrifty], frameBytesMax: 60_000)
        let isRestFound = other.found(have: Array(items.sorted().dropLast(3)), need: [])
        #expect(isRestFound)
    }

    @Test func anAnswerIsNeverLongerThanItsFrame() throws {
        var generator = SeededGenerator(seed: 5)
        let set = ReconciliationSet(ReconciliationRun.items(8_000, timestamps: 1 << 20, using: &generator))
        for message in HostileMessages.all(bytesMax: 60_000, over: 1 << 20) {
            for manner in [.reference, .thrifty] as [Reconciler.Manner] {
                let responder = Reconciler.responder(manner, frameBytesMax: limit, sha256: sha256)
                let initiator = Reconciler.initiator(manner, frameBytesMax: limit, sha256: sha256)
                #expect(try responder.read(message, with: set).reply?.count ?? 0 <= limit)
                let step = try initiator.read(message, with: set)
                #expect(step.reply?.count ?? 0 <= limit && step.need.count <= message.count / 32)
            }
        }
    }

    /// Both roles take it or refuse it, and what they answer stays within the frame.
    private func offer(_ message: [UInt8], to set: ReconciliationSet) {
        for manner in [.reference, .thrifty] as [Reconciler.Manner] {
            for reconciler in [
                Reconciler.initiator(manner, frameBytesMax: limit, sha256: sha256),
                Reconciler.responder(manner, frameBytesMax: limit, sha256: sha256),
            ] {
                do {
                    let step = try reconciler.read(message, with: set)
                    #expect((step.reply?.count ?? 0) <= limit && step.need.count <= message.count / 32)
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
    }
}

/// Messages as long as they may be that ask for as much work as they can.
enum HostileMessages {
    static func all(bytesMax: Int, over timestamps: UInt64) -> [[UInt8]] {
        [
            message(bytesMax, timestamps) { $0.skip(to: $1) },
            message(bytesMax, timestamps) { $0.fingerprint(RangeFingerprint(.zero), to: $1) },
            message(bytesMax, timestamps) { $0.ids(0..<0, of: ReconciliationSet(), to: $1) },
            message(bytesMax, timestamps) { writer, bound in
                let ids = (0..<20).compactMap { ReconciliationItem(timestamp: 0, id: Bytes32(words: ($0, 0, 0, 0))) }
                writer.ids(0..<20, of: ReconciliationSet(ids), to: bound)
            },
        ]
    }

    private static func message(
        _ bytesMax: Int, _ timestamps: UInt64, _ write: (inout RangeWriter, ReconciliationBound) -> Void
    ) -> [UInt8] {
        var trial = RangeWriter()
        write(&trial, ReconciliationBound(timestamp: timestamps / 20_000))
        let ranges = (bytesMax - 40) / (trial.bytes.count + 1)
        var writer = RangeWriter()
        for range in 1...ranges {
            write(&writer, ReconciliationBound(timestamp: timestamps / UInt64(ranges) * UInt64(range)))
        }
        precondition(writer.bytes.count <= bytesMax, "a message of a neighbour fits a frame")
        return writer.bytes
    }
}

import LatticeCore
import LatticeWire
import Testing

struct BundleTests {
    /// What became of a bundle: the records that came out of it, and what was wrong.
    private struct Outcome: Equatable {
        var records: [[UInt8]] = []
        var error: BundleError?
    }

    private func bundle(_ records: [[UInt8]]) -> [UInt8] {
        var writer = BundleWriter()
        for record in records { writer.append(record) }
        return writer.take()
    }

    private func read(_ pieces: some Sequence<ArraySlice<UInt8>>) -> Outcome {
        var outcome = Outcome()
        var reader = BundleReader()
        do throws(BundleError) {
            for piece in pieces {
                reader.feed(piece)
                while let record = try reader.next() { outcome.records.append(Array(record)) }
                // A length of at most three bytes and the record without its last byte, when all is read.
                #expect(reader.heldBytes < Record.bytesMax + 3)
            }
            try reader.finish()
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private func read(_ bytes: [UInt8]) -> Outcome { read([bytes[...]]) }

    private func pieces(_ bytes: [UInt8], upTo countMax: Int, _ dice: inout SeededGenerator) -> [ArraySlice<UInt8>] {
        var rest = bytes[...]
        var pieces: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...countMax, using: &dice))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    private func random(_ count: Int, _ dice: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
    }

    @Test func aBundleIsAHeaderAndThenRecordsBehindTheirLengths() throws {
        #expect(bundle([]) == Array("lattice bundle v1\n".utf8))
        let record = try Samples.signed().bytes
        #expect(bundle([record, [7]]) == Array("lattice bundle v1\n".utf8) + [0x7C] + record + [1, 7])
        #expect(record.count == 0x7C)
    }

    @Test func theHeaderIsTakenOnceAndBeforeEverythingElse() {
        var writer = BundleWriter()
        #expect(writer.pendingBytes == 18)
        #expect(writer.take() == BundleWriter.header)
        #expect(writer.take().isEmpty)
        writer.append([1, 2])
        writer.append([3])
        #expect(writer.pendingBytes == 5)
        #expect(writer.take() == [2, 1, 2, 1, 3])
        #expect(writer.pendingBytes == 0)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func recordsComeBackAsTheyWereInWhateverPieces(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let sizes = [0, 1, 127, 128, 300, 16_383, 16_384, Record.bytesMax - 1, Record.bytesMax]
        let records = (0..<Int.random(in: 0...6, using: &dice)).map { _ in
            random(sizes.randomElement(using: &dice) ?? 0, &dice)
        }
        let bytes = bundle(records)
        let countMax = [1, 2, 100, 4_096, 65_536, 1_000_000].randomElement(using: &dice) ?? 1
        #expect(read(pieces(bytes, upTo: countMax, &dice)) == Outcome(records: records))
        #expect(read(bytes) == Outcome(records: records))
    }

    @Test func whatIsCutOffSaysWhereItsLastWholeRecordEnds() throws {
        let records = [try Samples.signed().bytes, [], [1], [UInt8](repeating: 2, count: 200)]
        let bytes = bundle(records)
        var ends = [BundleWriter.header.count]
        for record in records { ends.append((ends.last ?? 0) + record.count + (record.count < 128 ? 1 : 2)) }
        #expect(ends.last == bytes.count)
        for count in 0...bytes.count {
            let prefix = Array(bytes.prefix(count))
            let whole = ends.filter { $0 <= count }
            var expected = Outcome(records: Array(records.prefix(max(0, whole.count - 1))))
            if let end = whole.last {
                expected.error = end == count ? nil : .truncated(at: end)
                #expect(read(Array(prefix.prefix(end))).error == nil)
            } else {
                expected.error = .notABundle
            }
            #expect(read(prefix) == expected, "cut to \(count)")
            #expect(read(prefix.indices.map { prefix[$0...$0] }) == expected, "cut to \(count), byte by byte")
        }
    }

    @Test func anythingElseIsNotABundle() {
        #expect(read([]) == Outcome(error: .notABundle))
        #expect(read(Array("lattice bundle v2\n".utf8)) == Outcome(error: .notABundle))
        #expect(read(Array("SQLite format 3\0".utf8)) == Outcome(error: .notABundle))
        for bit in 0..<BundleWriter.header.count * 8 {
            var bytes = bundle([[1]])
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(read(bytes) == Outcome(error: .notABundle))
        }
    }

    @Test func whatIsNotABundleIsRefusedAtItsFirstWrongByte() {
        var reader = BundleReader()
        reader.feed(Array("lab".utf8))
        #expect(throws: BundleError.notABundle) { try reader.next() }
    }

    @Test(arguments: [60_001, 65_536, 1 << 32, 1 << 63 - 1, 1 << 63, .max] as [UInt64])
    func aLengthBeyondTheLimitIsRefusedBeforeItsBytesCome(length: UInt64) {
        let bytes = bundle([[1]]) + Samples.written { $0.varint(length) }
        #expect(read(bytes) == Outcome(records: [[1]], error: .tooLong(at: 20)))
    }

    @Test func aLengthOfMoreThan64BitsIsRefused() {
        let bytes = bundle([]) + [UInt8](repeating: 0xFF, count: 10)
        #expect(read(bytes) == Outcome(error: .tooLong(at: 18)))
    }

    @Test func aLengthInALongerFormIsRefused() {
        #expect(read(bundle([]) + [0x81, 0, 5]) == Outcome(error: .notShortest(at: 18)))
    }

    @Test func aReaderThatFailedStaysThatWay() {
        var reader = BundleReader()
        reader.feed(bundle([]) + [0xFF, 0xFF, 0xFF, 1])
        for _ in 0..<3 {
            #expect(throws: BundleError.tooLong(at: 18)) { try reader.next() }
            reader.feed(bundle([[1]]))
            #expect(reader.heldBytes == 0)
        }
        #expect(throws: BundleError.tooLong(at: 18)) { try reader.finish() }
    }

    /// Once it told where the last piece begins, which is 0 for every small file.
    @Test func aReaderThatFailedStillSaysWhereItsLastWholeRecordEnds() {
        let whole = bundle([[1, 2, 3], [4]])
        for broken in [[0xFF, 0xFF, 0xFF, 1], [0x81, 0, 5]] as [[UInt8]] {
            var reader = BundleReader()
            reader.feed(whole + broken)
            #expect(throws: BundleError.self) { while try reader.next() != nil {} }
            #expect(reader.offset == whole.count)
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func changedAndRandomBytesAreSurvivedAndReadTheSameInAnyPieces(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            var bytes = bundle((0..<4).map { _ in random(Int.random(in: 0...300, using: &dice), &dice) })
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                let place = Int.random(in: BundleWriter.header.count..<bytes.count, using: &dice)
                switch Int.random(in: 0..<3, using: &dice) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
                case 1: bytes.removeSubrange(place...)
                default: bytes.insert(contentsOf: random(10, &dice), at: place)
                }
                if bytes.count == BundleWriter.header.count { break }
            }
            let whole = read(bytes)
            #expect(read(pieces(bytes, upTo: 40, &dice)) == whole)
            #expect(bytes.starts(with: bundle(whole.records)))
            _ = read(random(Int.random(in: 0...300, using: &dice), &dice))
        }
    }
}

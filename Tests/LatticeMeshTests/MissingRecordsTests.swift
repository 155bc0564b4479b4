import LatticeCore
import LatticeWire
import OrderedCollections
import Testing

@testable import LatticeMesh

@Suite struct MissingRecordsTests {
    private let retryAfter = Duration.seconds(1)

    private func id(_ number: Int) throws -> RecordID {
        var bytes = [UInt8](repeating: 0, count: 32)
        for byte in 0..<4 { bytes[byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
        return RecordID(try #require(Bytes32(bytes)))
    }

    private func seconds(_ count: Int64) -> Instant {
        Instant.zero.advanced(by: .seconds(count))
    }

    @Test func nobodyIsAskedBeforeItsTime() throws {
        var missing = MissingRecords()
        missing.noted(try id(1), at: 1, askAt: seconds(2))
        #expect(missing.nextDeadline == seconds(2))
        #expect(missing.due(at: seconds(1), retryAfter: retryAfter) { _ in true }.isEmpty)
        #expect(missing.due(at: seconds(2), retryAfter: retryAfter) { _ in true } == [1: [try id(1)]])
        #expect(missing.nextDeadline == seconds(3))
    }

    @Test func whatHasComeIsNotAskedFor() throws {
        var missing = MissingRecords()
        missing.noted(try id(1), at: 1, askAt: seconds(1))
        missing.noted(try id(2), at: 1, askAt: seconds(1))
        missing.came(try id(1))
        #expect(missing.due(at: seconds(1), retryAfter: retryAfter) { _ in true } == [1: [try id(2)]])
        missing.came(try id(2))
        #expect(missing.count == 0 && missing.nextDeadline == nil)
    }

    @Test func eachNeighbourIsAskedInTurnSoManyTimesAndThenItIsGivenUp() throws {
        var missing = MissingRecords()
        for link in [LinkID(rawValue: 1), 2] { missing.noted(try id(1), at: link, askAt: seconds(0)) }
        var asked: [LinkID] = []
        for second in 0..<20 {
            asked += missing.due(at: seconds(Int64(second)), retryAfter: retryAfter) { _ in true }.keys
        }
        #expect(asked == (0..<MeshLimit.missingRoundsMax).flatMap { _ in [LinkID(rawValue: 1), 2] })
        #expect(missing.count == 0 && missing.nextDeadline == nil)
    }

    @Test func aNeighbourThatIsGoneIsNotAsked() throws {
        var missing = MissingRecords()
        for link in [LinkID(rawValue: 1), 2] { missing.noted(try id(1), at: link, askAt: seconds(1)) }
        missing.noted(try id(2), at: 1, askAt: seconds(1))
        #expect(missing.due(at: seconds(1), retryAfter: retryAfter) { $0 == 2 } == [2: [try id(1)]])
        #expect(missing.count == 1)
    }

    @Test func neighboursAndRecordsAreLimited() throws {
        var missing = MissingRecords()
        for link in 0..<UInt64(MeshLimit.missingSourcesMax + 5) {
            missing.noted(try id(0), at: LinkID(rawValue: link), askAt: seconds(0))
        }
        var asked: Set<LinkID> = []
        for second in 0..<100 {
            asked.formUnion(missing.due(at: seconds(Int64(second)), retryAfter: retryAfter) { _ in true }.keys)
        }
        #expect(asked.count == MeshLimit.missingSourcesMax)
        for number in 0..<MeshLimit.missingMax * 2 {
            missing.noted(try id(number), at: LinkID(rawValue: UInt64(number % 8)), askAt: seconds(100))
        }
        #expect(missing.count == MeshLimit.missingMax)
    }

    @Test func moreThanOneQuestionHoldsIsAskedLaterAndNotGivenUpUnasked() throws {
        var missing = MissingRecords()
        let count = Graft.countMax + 10
        for number in 0..<count {
            // The others were first announced by a peer that is gone.
            if number >= Graft.countMax { missing.noted(try id(number), at: 2, askAt: seconds(0)) }
            missing.noted(try id(number), at: 1, askAt: seconds(0))
        }
        let first = try #require(missing.due(at: seconds(0), retryAfter: retryAfter) { $0 == 1 }[1])
        #expect(first.count == Graft.countMax)
        // The neighbour answers nothing, so the same ones are asked for again until they are given up.
        var asked = Set(first)
        for second in 1..<20 {
            asked.formUnion(missing.due(at: seconds(Int64(second)), retryAfter: retryAfter) { $0 == 1 }[1] ?? [])
        }
        #expect(asked.count == count)
        #expect(missing.count == 0)
    }

    @Test func oneNeighbourThatMakesRecordsUpDoesNotTakeEveryPlace() throws {
        var missing = MissingRecords()
        for number in 0..<MeshLimit.missingMax * 2 { missing.noted(try id(number), at: 1, askAt: seconds(0)) }
        let honest = try id(MeshLimit.missingMax * 3)
        missing.noted(honest, at: 2, askAt: seconds(0))
        #expect(missing.due(at: seconds(0), retryAfter: retryAfter) { _ in true }[2] == [honest])
    }
}

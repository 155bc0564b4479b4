import Testing

@testable import LatticeShare

/// Who counts as having a file.
@Suite struct TakingsTests {
    private func note(
        _ takings: inout Takings, _ range: Range<Int>, of kind: SharedFile.Kind, bytes: Int, by address: String,
        isWhole: Bool, at location: SourceLocation = #_sourceLocation
    ) {
        let answer = takings.note(range, of: kind, bytes: bytes, by: address)
        #expect(answer == isWhole, sourceLocation: location)
    }

    @Test func aWholeFileCounts() {
        var takings = Takings()
        #expect(takings.isEmpty)
        note(&takings, 0..<10, of: .program, bytes: 10, by: "a", isWhole: true)
        note(&takings, 0..<10, of: .program, bytes: 10, by: "a", isWhole: true)
        note(&takings, 0..<10, of: .source, bytes: 10, by: "b", isWhole: true)
        #expect(takings.count(of: .program) == 2)
        #expect(takings.count(of: .debian) == 0)
        #expect(takings.machineCount == 2)
    }

    @Test func partsCountTogether() {
        var takings = Takings()
        note(&takings, 0..<4, of: .program, bytes: 10, by: "a", isWhole: false)
        note(&takings, 0..<4, of: .program, bytes: 10, by: "b", isWhole: false)
        note(&takings, 3..<8, of: .program, bytes: 10, by: "a", isWhole: false)
        note(&takings, 8..<10, of: .program, bytes: 10, by: "a", isWhole: true)
        #expect(takings.count(of: .program) == 1)
        #expect(takings.machineCount == 1)
    }

    /// The last byte alone is not the file, nor are parts with a gap between them, or of others.
    @Test func aGapDoesNotCount() {
        var takings = Takings()
        note(&takings, 9..<10, of: .program, bytes: 10, by: "a", isWhole: false)
        note(&takings, 0..<4, of: .program, bytes: 10, by: "a", isWhole: false)
        note(&takings, 5..<10, of: .program, bytes: 10, by: "a", isWhole: false)
        note(&takings, 4..<10, of: .program, bytes: 10, by: "b", isWhole: false)
        note(&takings, 4..<10, of: .source, bytes: 10, by: "a", isWhole: false)
        #expect(takings.isEmpty)
    }

    @Test func manyAddressesTakeNoMemory() {
        var takings = Takings()
        for number in 0..<(Takings.addressesMax + 10) {
            note(&takings, 0..<4, of: .program, bytes: 10, by: "half \(number)", isWhole: false)
            note(&takings, 0..<10, of: .program, bytes: 10, by: "whole \(number)", isWhole: true)
        }
        #expect(takings.machineCount == Takings.addressesMax)
        #expect(takings.count(of: .program) == Takings.addressesMax + 10)
    }
}

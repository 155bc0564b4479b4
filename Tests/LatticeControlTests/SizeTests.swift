import LatticeAPI
import Testing

/// What is handed on for each line is copied several times on its way, and thousands may wait for a reader.
@Suite struct SizeTests {
    @Test func anEventIsNoLargerThanALine() {
        #expect(MemoryLayout<NodeEvent>.size <= MemoryLayout<Message>.size)
    }

    @Test func aQuestionAndItsAnswerAreSmall() {
        #expect(MemoryLayout<Say>.size <= 88)
        #expect(MemoryLayout<Say.Reply>.size <= 128)
    }
}

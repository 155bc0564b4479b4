import LatticeCore
import LatticeWire
import Testing

@testable import LatticeNode

/// The parts of a stream, by hand.
struct StreamPartsTests {
    @Test func partsGoOutInOrderAndAreKeptUntilTheyAreTaken() {
        var parts = OutgoingParts()
        for number: UInt8 in 0..<3 { parts.add([number]) }
        let sent = (0..<4).map { _ in parts.next()?.number }
        #expect(sent == [0, 1, 2, nil])
        var mayBe = parts.told(taken: 1, heard: 2)
        parts.rewind()
        // What the other side has heard it need not hear again.
        let again = (0..<2).map { _ in parts.next()?.octets }
        #expect(mayBe && again == [[2], nil])
        mayBe = parts.told(taken: 3, heard: 3)
        #expect(mayBe && parts.isAllTaken)
    }

    @Test func whatWasNeverSentCannotHaveBeenHeard() {
        var parts = OutgoingParts()
        parts.add([1])
        let mayBe = parts.told(taken: 0, heard: 2)
        #expect(!mayBe && !parts.isAllTaken)
    }

    @Test func anOldAnswerChangesNothing() {
        var parts = OutgoingParts()
        for number: UInt8 in 0..<4 { parts.add([number]) }
        let mayBe = (parts.told(taken: 3, heard: 3), parts.told(taken: 1, heard: 2))
        #expect(mayBe == (true, true))
        let next = parts.next()?.octets
        #expect(parts.taken == 3 && next == [3])
    }

    @Test func noMorePartsWaitThanTheWindowHas() {
        var parts = OutgoingParts()
        var count = 0
        while parts.hasFreePart {
            parts.add([0])
            count += 1
        }
        #expect(count == StreamLimit.windowParts)
        let mayBe = parts.told(taken: 1, heard: 1)
        #expect(mayBe && parts.hasFreePart)
    }

    @Test func partsAreHeardInOrderOnceAndWithinTheWindow() {
        var parts = IncomingParts()
        let window = StreamLimit.windowParts
        let first = [1, 0, 0].map { parts.heard($0, taken: 0) }
        #expect(first == [false, true, false])
        // A window, and a receipt.
        let rest = (1...window).map { parts.heard($0, taken: 0) }
        #expect(!rest.contains(false))
        let beyond = [0, 1].map { parts.heard(window + 1, taken: $0) }
        #expect(beyond == [false, true])
    }

    @Test func theOtherSideIsToldWhenNothingWaitsOrMuchWasTaken() {
        var parts = IncomingParts()
        let count = StreamLimit.toldParts
        for number in 0..<count { _ = parts.heard(number, taken: 0) }
        #expect(!parts.isWorthTelling(taken: 0, isEmpty: true))
        #expect(parts.isWorthTelling(taken: 1, isEmpty: true) && !parts.isWorthTelling(taken: 1, isEmpty: false))
        #expect(parts.isWorthTelling(taken: count, isEmpty: false))
        let told = parts.tell(taken: 3)
        #expect(told == .taken(3, heard: count))
        #expect(!parts.isWorthTelling(taken: 3, isEmpty: true))
    }
}

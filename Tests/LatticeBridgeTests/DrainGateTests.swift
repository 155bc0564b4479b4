import Testing

@testable import LatticeBridge

struct DrainGateTests {
    @Test func itOpensOnceTheEndOfEachStreamIsReached() {
        var gate = DrainGate()
        #expect(!gate.isOpen(at: .zero))
        gate.met(.week, last: 9, read: 9, at: .zero)
        gate.met(.month, last: 9, read: 0, at: .zero)
        gate.met(.year, last: 0, read: 0, at: .zero)
        #expect(!gate.isOpen(at: .zero))
        gate.reached(.month, 8, at: .zero)
        #expect(!gate.isOpen(at: .zero))
        gate.reached(.month, 12, at: .zero)
        #expect(gate.isOpen(at: .zero))
    }

    @Test func itClosesWhenNothingIsHeardOfAStreamForTooLong() {
        var gate = DrainGate()
        for span in BridgeSpan.allCases { gate.met(span, last: 0, read: 0, at: .zero) }
        for span in [BridgeSpan.week, .month] { gate.reached(span, 0, at: .seconds(200)) }
        #expect(gate.isOpen(at: .seconds(300)))
        #expect(!gate.isOpen(at: .seconds(301)))
        #expect(gate.isStale(.year, at: .seconds(301)))
        gate.reached(.year, 5, at: .seconds(301))
        #expect(!gate.isOpen(at: .seconds(301)), "only asking for its end opens it again")
        gate.met(.year, last: 7, read: 5, at: .seconds(302))
        #expect(!gate.isOpen(at: .seconds(302)))
        gate.reached(.year, 7, at: .seconds(303))
        #expect(gate.isOpen(at: .seconds(303)))
    }

    @Test func aStreamThatWasNeverAskedForItsEndIsNotReached() {
        var gate = DrainGate([.week])
        gate.reached(.week, 5, at: .zero)
        #expect(!gate.isOpen(at: .zero))
    }
}

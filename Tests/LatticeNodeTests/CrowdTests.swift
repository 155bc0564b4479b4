import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeNode

/// Many strangers who come and go at once: a few are announced, and the others are counted.
@Suite struct CrowdTests {
    private func peer(_ number: Int) -> PeerID {
        PeerID(Bytes32(words: (UInt64(number), 0, 0, 1)))
    }

    private func after(_ seconds: Int) -> Instant { .zero.advanced(by: .seconds(seconds)) }

    private func news(_ crowd: inout CrowdNews, at seconds: Int) -> Notice? {
        crowd.summary(at: after(seconds))
    }

    @Test func aFewAreAnnouncedAndTheOthersAreCountedInOneLine() {
        var crowd = CrowdNews()
        func come(_ numbers: Range<Int>, at now: Instant) -> Int {
            numbers.count { !crowd.changed(peer($0), .presence, isThere: true, isTrusted: false, at: now) }
        }
        #expect(come(0..<1_000, at: .zero) == 10)
        let lines = [0, 3, 600].map { news(&crowd, at: $0) }
        #expect(lines == [nil, .crowd(came: 990, left: 0), nil])
        // A minute of silence later.
        #expect(come(2_000..<2_011, at: after(660)) == 10)
        let line = news(&crowd, at: 663)
        #expect(line == .crowd(came: 1, left: 0))
        #expect(come(3_000..<3_005, at: after(664)) == 0)
        let later = [690, 694].map { news(&crowd, at: $0) }
        #expect(later == [nil, .crowd(came: 5, left: 0)])
    }

    @Test func asTheyCameSoTheyGo() {
        var crowd = CrowdNews()
        for number in 0..<12 {
            _ = crowd.changed(peer(number), .presence, isThere: true, isTrusted: false, at: .zero)
        }
        let isSummedUp = (0..<12).map {
            crowd.changed(peer($0), .presence, isThere: false, isTrusted: false, at: .zero)
        }
        #expect(isSummedUp == Array(repeating: false, count: 10) + [true, true])
        let line = news(&crowd, at: 2)
        #expect(line == .crowd(came: 2, left: 2))
    }

    @Test func aNeighbourIsCountedOnceAndWhoeverIsTrustedIsAlwaysAnnounced() {
        var crowd = CrowdNews()
        func changed(_ number: Int, _ way: CrowdNews.Way, _ isThere: Bool, isTrusted: Bool = false) -> Bool {
            crowd.changed(peer(number), way, isThere: isThere, isTrusted: isTrusted, at: .zero)
        }
        for number in 0..<10 { #expect(!changed(number, .link, true)) }
        #expect(changed(10, .link, true) && changed(10, .presence, true))
        #expect(!changed(11, .link, true, isTrusted: true))
        #expect(changed(10, .link, false) && changed(10, .presence, false))
        let line = news(&crowd, at: 2)
        #expect(line == .crowd(came: 1, left: 1))
    }

    @Test func anotherNameOfSomebodyWhoIsThereIsNoComing() {
        var crowd = CrowdNews()
        for _ in 0..<100 {
            let isSummedUp = crowd.changed(peer(1), .presence, isThere: true, isTrusted: false, at: .zero)
            #expect(!isSummedUp)
        }
        let line = news(&crowd, at: 10)
        #expect(line == nil)
    }
}

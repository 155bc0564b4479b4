import Testing

@testable import LatticeLink

/// What the kernel may hold for a link with and without datagrams.
struct UnsentLimitTests {
    private let start = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(milliseconds))
    }

    @Test func oneDatagramHoldsPiecesBackForTwoSecondsOnly() {
        var limit = UnsentLimit(wanted: 64, withDatagrams: 16)
        #expect(limit.bytes == 64)
        let firsts = [limit.carriesDatagrams(at: time(0)), limit.carriesDatagrams(at: time(1_500))]
        #expect(firsts == [true, false] && limit.bytes == 16)
        let looks = [limit.look(at: time(2_000)), limit.look(at: time(3_499)), limit.look(at: time(3_500))]
        #expect(looks == [.milliseconds(1_500), .milliseconds(1), nil])
        #expect(limit.bytes == 64)
        let isFirstAgain = limit.carriesDatagrams(at: time(9_000))
        #expect(isFirstAgain && limit.bytes == 16)
    }

    @Test func whatPiecesNeedMeanwhileCountsAfterwards() {
        var limit = UnsentLimit(wanted: 64, withDatagrams: 16)
        _ = limit.carriesDatagrams(at: time(0))
        limit.want(128)
        #expect(limit.bytes == 16)
        limit.want(8)
        #expect(limit.bytes == 8)
        limit.want(128)
        let again = limit.look(at: time(2_000))
        #expect(again == nil && limit.bytes == 128)
    }
}

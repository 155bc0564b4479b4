import LatticeCore
import Testing

@Suite struct TokenBucketTests {
    private let rate = TokenBucket.Rate(perSecond: 4, burst: 10)
    private let start = Instant.zero.advanced(by: .seconds(100))

    /// How often one token can be had at this time.
    private func taken(from bucket: inout TokenBucket, at now: Instant) -> Int {
        var count = 0
        while count <= 1_000, bucket.take(of: rate, at: now) { count += 1 }
        return count
    }

    @Test func itGivesItsBurstAtOnceAndNoMore() {
        var bucket = TokenBucket()
        #expect(taken(from: &bucket, at: start) == 10)
        #expect(taken(from: &bucket, at: start) == 0)
    }

    @Test func aTokenComesBackAfterItsIntervalAndNotBefore() {
        var bucket = TokenBucket()
        _ = taken(from: &bucket, at: start)
        #expect(taken(from: &bucket, at: start.advanced(by: .nanoseconds(249_999_999))) == 0)
        #expect(taken(from: &bucket, at: start.advanced(by: .milliseconds(250))) == 1)
    }

    @Test func whatIsNotTakenGathersUpToTheBurst() {
        var bucket = TokenBucket()
        _ = taken(from: &bucket, at: start)
        #expect(taken(from: &bucket, at: start.advanced(by: .seconds(1))) == 4)
        #expect(taken(from: &bucket, at: start.advanced(by: .seconds(3_600))) == 10)
    }

    @Test func whatCostsMoreThanThereIsTakesNothing() {
        var bucket = TokenBucket()
        let taken = [7, 4, 3, 1].map { bucket.take($0, of: rate, at: start) }
        #expect(taken == [true, false, true, false])
    }

    @Test func whatCostsMoreThanTheBurstIsNeverGiven() {
        var bucket = TokenBucket()
        let taken = [11, 10].map { bucket.take($0, of: rate, at: start) }
        #expect(taken == [false, true])
    }

    @Test func theBurstIsThereFromTheFirstInstantOfTheClock() {
        var bucket = TokenBucket()
        #expect(taken(from: &bucket, at: .zero) == 10)
    }

    /// Taking without pause gives no more than the burst and what was refilled meanwhile.
    @Test func overAnyTimeNoMoreIsGivenThanBurstAndRate() {
        var generator = SeededGenerator(seed: 7)
        var bucket = TokenBucket()
        var now = start
        var given = 0
        for _ in 0..<10_000 {
            now = now.advanced(by: .milliseconds(Int64.random(in: 0...40, using: &generator)))
            if bucket.take(of: rate, at: now) { given += 1 }
            let seconds = Double(start.duration(to: now).nanoseconds) / 1_000_000_000
            #expect(Double(given) <= 10 + 4 * seconds)
        }
    }
}

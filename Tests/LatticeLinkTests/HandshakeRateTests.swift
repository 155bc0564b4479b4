import LatticeCore
import LatticeWire
import Testing

@testable import LatticeLink

/// How often strangers may begin to shake hands, however quickly they are done with it.
@Suite(.timeLimit(.minutes(10))) struct HandshakeRateTests {
    private let start = Instant.zero.advanced(by: .seconds(100))

    private func limits(perAddress: Int64 = 4, all: Int64 = 1_000, addresses: Int = 8) -> LinkLimits {
        var limits = LinkLimits()
        limits.handshakesPerAddress = TokenBucket.Rate(perSecond: 1, burst: perAddress)
        limits.handshakes = TokenBucket.Rate(perSecond: 1, burst: all)
        limits.addressesMax = addresses
        limits.handshakeTimeout = .seconds(3_600)
        return limits
    }

    private func source(_ host: String) -> ConnectionSource { ConnectionSource(host: host) }

    @Test func aHostLeavesHandshakesToTheOthersOfItsNetwork() {
        var limits = limits(perAddress: 4)
        limits.handshakesPerNetwork = TokenBucket.Rate(perSecond: 1, burst: 6)
        var rates = HandshakeRates()
        func count(_ host: String) -> Int {
            (0..<10).count { _ in rates.admits(source(host), limits, at: start) }
        }
        #expect(count("2001:db8::1") == 4)
        #expect(count("2001:db8::2") == 2)
        #expect(count("2001:db8:0:1::1") == 4, "another network has its own")
        // Everybody has the prefix of a link.
        for host in 1...3 { #expect(count("fe80::\(host)%eth0") == 4) }
    }

    @Test func oneAddressHasItsBurstAndThenItsRate() {
        let limits = limits()
        var rates = HandshakeRates()
        func count(at now: Instant) -> Int {
            var count = 0
            for _ in 0..<10 where rates.admits(source("10.0.0.1"), limits, at: now) { count += 1 }
            return count
        }
        #expect(count(at: start) == 4)
        #expect(count(at: start.advanced(by: .seconds(2))) == 2)
        let isOtherAdmitted = rates.admits(source("10.0.0.2"), limits, at: start)
        #expect(isOtherAdmitted)
    }

    @Test func addressesThatComeAgainAndAgainLeaveHalfToNewcomers() {
        let limits = LinkLimits()
        var rates = HandshakeRates()
        func admitted(_ sources: [String]) -> Int {
            sources.count { rates.admits(source($0), limits, at: start) }
        }
        for _ in 0..<1_000 { _ = admitted((1...8).map { "10.0.0.\($0)" }) }
        #expect(admitted((1...8).map { "10.0.0.\($0)" }) == 0)
        #expect(admitted((1...30).map { "10.0.1.\($0)" }) == 30)
        // So do hosts that have whole networks to themselves.
        rates = HandshakeRates()
        for host in 0..<1_000 { _ = admitted((1...8).map { "2001:db8:0:\($0)::\(host)" }) }
        #expect(admitted(["2001:db8:0:1::5000", "2001:db8:0:2::5000"]) == 0)
        #expect(admitted((1...30).map { "2001:db8:1:\($0)::1" }) == 30)
    }

    @Test func anAddressThatHasNoMoreTakesNothingFromTheOthers() {
        let limits = limits(perAddress: 1, all: 3)
        var rates = HandshakeRates()
        for _ in 0..<100 { _ = rates.admits(source("10.0.0.1"), limits, at: start) }
        let admitted = (2...4).map { rates.admits(source("10.0.0.\($0)"), limits, at: start) }
        #expect(admitted == [true, true, false])
    }

    @Test func howeverManyAddressesThereAreFewAreRemembered() {
        let limits = limits(all: 1_000_000)
        var rates = HandshakeRates()
        for number in 0..<10_000 { _ = rates.admits(source("10.0.\(number / 256).\(number % 256)"), limits, at: start) }
        #expect(rates.addressCount == 8)
        // Once they have been silent for a while, others are remembered in their places.
        let later = start.advanced(by: .seconds(10))
        for number in 0..<3 { _ = rates.admits(source("10.1.0.\(number)"), limits, at: later) }
        #expect(rates.addressCount < 8)
    }

    @Test func whoBeginsTooManyHandshakesIsTurnedAwayAndOthersAreNot() async throws {
        var limits = limits(perAddress: 3)
        limits.handshakesPerAddressMax = 100
        let bob = try await Station("bob", limits)
        try await serving(bob) {
            // All at once: one after the other they could take a second each, and with it comes a token.
            let crowd = try await withThrowingTaskGroup(of: Stranger.self) { group in
                for _ in 0..<40 { group.addTask { try await Stranger(to: bob.address, from: "127.0.0.66") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try await until("some are turned away") { crowd.contains { !$0.isOpen } }
            #expect(bob.links.usage.refusals[.handshakeRate] > 0)
            let other = try await Stranger(to: bob.address, from: "127.0.0.67")
            try await other.shakeHands()
            try await until("a link opens") { bob.owner.opened.count == 1 }
            for stranger in crowd + [other] { try await stranger.close() }
        }
    }

    @Test func aDrippingThirdMessageIsDroppedInTimeAndCounted() async throws {
        var limits = limits()
        limits.handshakeTimeout = .milliseconds(300)
        let bob = try await Station("bob", limits)
        try await serving(bob) {
            let stranger = try await Stranger(to: bob.address)
            try await stranger.beginHandshake()
            try await stranger.send([0, 200])
            try await until("it is dropped") {
                try await stranger.send([7])
                return !stranger.isOpen
            }
            #expect(bob.owner.wasToldNothing)
            try await until("it is counted") { bob.links.usage.refusals[.handshakes] == 1 }
            #expect(bob.links.usage.incoming == 0 && bob.links.usage.halfOpen == 0)
        }
    }

    @Test func connectionsThatGiveWayAreCounted() async throws {
        var limits = limits(perAddress: 100)
        limits.handshakesPerAddressMax = 1
        let bob = try await Station("bob", limits)
        try await serving(bob) {
            let silent = try await Stranger(to: bob.address)
            try await silent.beginHandshake()
            #expect(bob.links.usage.halfOpen == 1)
            let next = try await Stranger(to: bob.address)
            try await silent.closed()
            #expect(bob.links.usage.refusals[.halfOpen] == 1)
            try await next.close()
        }
    }
}

import LatticeCore
import LatticeLink
import LatticeWire
import Testing

/// Connections that are no peers: dropped, told to nobody, and their places free again.
@Suite(.timeLimit(.minutes(10)))
struct StrangerTests {
    /// One place in all, so that an honest peer gets in only when the stranger's is free.
    private func limits(handshakeTimeout: Duration = .seconds(3_600)) -> LinkLimits {
        var limits = LinkLimits()
        limits.connectionsMax = 1
        limits.handshakesPerAddressMax = 1
        limits.handshakeTimeout = handshakeTimeout
        return limits
    }

    private func expectDropped(_ limits: LinkLimits, doing act: (Stranger) async throws -> Void) async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob", limits))
        try await serving(alice, bob) {
            let stranger = try await Stranger(to: bob.address)
            try await act(stranger)
            try await stranger.closed()
            #expect(bob.owner.wasToldNothing)
            let link = try await alice.persistentLink(with: bob)
            #expect(link.peer.peer == bob.peer)
        }
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\nHost: here\r\n\r\n".utf8), [0, 0], [0xFF, 0xFF], [0x08, 0x01],
        [0x00, 0x31] + [UInt8](repeating: 0x41, count: 49),
        [0x00, 0x01, 0x41], [0x00, 0x31] + [UInt8](repeating: 0, count: 49), [0, 0, 0, 0, 0, 0],
    ])
    func garbageIsDroppedAtOnce(bytes: [UInt8]) async throws {
        try await expectDropped(limits()) { try await $0.send(bytes) }
    }

    @Test func seededGarbageIsDropped() async throws {
        var generator = SeededGenerator(seed: 7)
        let (alice, bob) = (try await Station("alice"), try await Station("bob", limits(handshakeTimeout: .seconds(1))))
        try await serving(alice, bob) {
            for _ in 0..<30 {
                let count = Int.random(in: 1...4_000, using: &generator)
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let stranger = try await Stranger(to: bob.address)
                try await stranger.send([0, UInt8.random(in: 1...255, using: &generator)] + bytes)
                try await stranger.closed()
            }
            #expect(bob.owner.wasToldNothing)
            _ = try await alice.persistentLink(with: bob)
        }
    }

    @Test func whoeverSaysNothingIsDroppedInTime() async throws {
        try await expectDropped(limits(handshakeTimeout: .milliseconds(100))) { _ in }
    }

    @Test func halfAHandshakeIsDroppedInTime() async throws {
        let first = try Stranger.firstMessage()
        try await expectDropped(limits(handshakeTimeout: .milliseconds(500))) { try await $0.send(first) }
        for count in [1, 2, 3, first.count - 1] {
            try await expectDropped(limits(handshakeTimeout: .milliseconds(100))) {
                try await $0.send(Array(first.prefix(count)))
            }
        }
    }

    @Test func aDrippingHandshakeIsDroppedInTime() async throws {
        let first = try Stranger.firstMessage()
        try await expectDropped(limits(handshakeTimeout: .milliseconds(200))) { stranger in
            var sent = 0
            try await until("it is dropped") {
                if sent < first.count - 1 {
                    try await stranger.send([first[sent]])
                    sent += 1
                }
                return !stranger.isOpen
            }
        }
    }

    @Test func aHandshakeSaidTwiceIsDropped() async throws {
        let first = try Stranger.firstMessage()
        try await expectDropped(limits()) { try await $0.send(first + first) }
    }

    @Test func whoeverLeavesDuringTheHandshakeFreesItsPlace() async throws {
        let first = try Stranger.firstMessage()
        let (alice, bob) = (try await Station("alice"), try await Station("bob", limits()))
        try await serving(alice, bob) {
            for round in 0..<6 {
                let stranger = try await Stranger(to: bob.address)
                if round % 3 > 0 { try await stranger.send(first) }
                try await round % 2 == 0 ? stranger.close() : stranger.reset()
            }
            let link = try await alice.persistentLink(with: bob)
            #expect(link.peer.peer == bob.peer)
            #expect(bob.owner.failures.isEmpty && bob.owner.closures.isEmpty)
        }
    }

    @Test(arguments: [
        [0, 0], [0, 20] + [UInt8](repeating: 7, count: 20), [0, 3, 1, 2, 3],
        [0xFF, 0xFF] + [UInt8](repeating: 9, count: 65_535),
    ])
    func aLinkThatSendsGarbageIsAtFault(bytes: [UInt8]) async throws {
        let (alice, bob) = (try await Station("alice"), try await Station("bob", limits()))
        try await serving(alice, bob) {
            let stranger = try await Stranger(to: bob.address)
            try await stranger.shakeHands()
            try await until("the link is open") { !bob.owner.opened.isEmpty }
            try await stranger.send(bytes)
            // The last thing it hears is why.
            let last = try await stranger.message()
            #expect(!last.isEmpty)
            try await stranger.closed()
            try await until("the end is reported") { !bob.owner.closures.isEmpty }
            guard case .fault = bob.owner.closures[0] else {
                Issue.record("\(bob.owner.closures)")
                return
            }
            #expect(bob.owner.frames(bob.owner.opened[0]).isEmpty)
            _ = try await alice.persistentLink(with: bob)
        }
    }

    /// NIO stops the program when a connection is let go of without being closed.
    @Test func connectionsThatStillWaitWhenListeningEndsAreClosed() async throws {
        for count in [1, 5, 40] {
            let bob = try await Station("bob")
            var strangers: [Stranger] = []
            for _ in 0..<count { strangers.append(try await Stranger(to: bob.address)) }
            try await serving(bob) {}
            for stranger in strangers { try await stranger.closed() }
            #expect(bob.owner.wasToldNothing)
        }
    }

    @Test func anEndByResetIsABrokenLink() async throws {
        let bob = try await Station("bob")
        try await serving(bob) {
            let stranger = try await Stranger(to: bob.address)
            try await stranger.shakeHands()
            try await until("the link is open") { !bob.owner.opened.isEmpty }
            try await stranger.reset()
            try await until("the end is reported") { !bob.owner.closures.isEmpty }
            #expect(bob.owner.closures == [.broken("Connection reset by peer")])
        }
    }
}

import LatticeCore
import LatticeWire
import Testing

@testable import LatticeLink

/// Who gets in when there is little room.
@Suite(.timeLimit(.minutes(10)))
struct PlaceTests {
    private func limits(connections: Int, handshakesPerAddress: Int, dialled: Int = 100) -> LinkLimits {
        var limits = LinkLimits()
        limits.dialledMax = dialled
        limits.connectionsMax = connections
        limits.handshakesPerAddressMax = handshakesPerAddress
        limits.handshakeTimeout = .seconds(3_600)
        return limits
    }

    @Test func silentStrangersOfOneAddressTakeFewPlaces() async throws {
        let (alice, bob) = (
            try await Station("alice"), try await Station("bob", limits(connections: 100, handshakesPerAddress: 3))
        )
        try await serving(alice, bob) {
            var silent: [Stranger] = []
            for _ in 0..<3 {
                silent.append(try await Stranger(to: bob.address))
                // Once it is answered it is known to have its place.
                try await silent.last?.beginHandshake()
            }
            for _ in 0..<5 {
                let refused = try await Stranger(to: bob.address)
                try await refused.closed()
            }
            #expect(silent.allSatisfy { $0.isOpen })
            await #expect(throws: DialFailure.self) { try await alice.link(with: bob) }
            for stranger in silent { try await stranger.close() }
            for _ in 0..<5 { _ = try await alice.persistentLink(with: bob) }
            #expect(bob.owner.failures.isEmpty && bob.owner.closures.isEmpty)
        }
    }

    @Test func whenAllPlacesAreTakenLinksStayAndNewcomersAreRefused() async throws {
        let (alice, bob) = (
            try await Station("alice"), try await Station("bob", limits(connections: 3, handshakesPerAddress: 16))
        )
        try await serving(alice, bob) {
            let first = try await alice.link(with: bob)
            let second = try await alice.link(with: bob)
            let theirs = try await alice.end(of: first, at: bob)
            let silent = try await Stranger(to: bob.address)
            try await silent.beginHandshake()
            let refused = try await Stranger(to: bob.address)
            try await refused.closed()
            #expect(silent.isOpen)
            #expect(first.send(line(1).bytes))
            try await until("links work on") { bob.owner.frames(theirs) == [line(1)] }
            second.close(Goodbye(.leaving, "bye"))
            _ = try await alice.persistentLink(with: bob)
            try await silent.close()
        }
    }

    @Test func ourOwnConnectionsHavePlacesOfTheirOwn() async throws {
        let crowded = limits(connections: 1, handshakesPerAddress: 1, dialled: 2)
        let (alice, bob) = (try await Station("alice", crowded), try await Station("bob"))
        try await serving(alice, bob) {
            let silent = try await Stranger(to: alice.address)
            try await silent.beginHandshake()
            let first = try await alice.link(with: bob)
            let second = try await alice.link(with: bob)
            let dial = alice.dial(bob.address)
            try await until("there is no room for a third") { alice.owner.failure(dial) != nil }
            #expect(alice.owner.failure(dial) == "too many connections are open here")
            second.close(Goodbye(.leaving, "bye"))
            _ = try await alice.persistentLink(with: bob)
            #expect(first.send(line(1).bytes) && silent.isOpen)
            try await silent.close()
        }
    }

    @Test func placesAreCountedInAllAndByAddress() throws {
        let places = Places(limits: limits(connections: 4, handshakesPerAddress: 2, dialled: 1))
        let first = try places.take(for: "a", at: .zero)
        let second = try places.take(for: "a", at: .zero)
        #expect(throws: TurnedDown.self) { try places.take(for: "a", at: .zero) }
        let third = try places.take(for: "b", at: .zero)
        first.handshakeDone()
        first.handshakeDone()
        let fourth = try places.take(for: "a", at: .zero)
        #expect(throws: TurnedDown.self) { try places.take(for: "c", at: .zero) }
        let own = try #require(places.takeForOwn())
        #expect(places.takeForOwn() == nil)
        #expect(places.usage.incoming == 4 && places.usage.outgoing == 1 && places.usage.halfOpen == 3)
        own.leave()
        #expect(throws: TurnedDown.self) { try places.take(for: "c", at: .zero) }
        let next = try #require(places.takeForOwn())
        for place in [first, second, third, fourth, next] { place.leave() }
        _ = try (0..<2).map { _ in try places.take(for: "a", at: .zero) }
        #expect(throws: TurnedDown.self) { try places.take(for: "a", at: .zero) }
        #expect(places.usage.refusals[.halfOpen] == 2 && places.usage.refusals[.connections] == 2)
        // Three of the four left with their handshakes unfinished.
        #expect(places.usage.refusals[.handshakes] == 3)
    }
}

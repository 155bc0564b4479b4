import LatticeCore
import LatticeWire
import Testing

@testable import LatticeLink

/// Who gets in when there is little room.
@Suite(.timeLimit(.minutes(10)))
struct LinkSlotTests {
    private func limits(
        connections: Int, handshakesPerAddress: Int, handshakes: Int = 64, dialled: Int = 100
    ) -> LinkLimits {
        var limits = LinkLimits()
        limits.handshakesMax = handshakes
        limits.dialledMax = dialled
        limits.connectionsMax = connections
        limits.handshakesPerAddressMax = handshakesPerAddress
        limits.handshakeTimeout = .seconds(3_600)
        return limits
    }

    @Test func theOldestSilentStrangerOfAnAddressGivesWayToANewcomerFromThere() async throws {
        let (alice, bob) = (
            try await Station("alice"), try await Station("bob", limits(connections: 100, handshakesPerAddress: 3))
        )
        try await serving(alice, bob) {
            var silent: [Stranger] = []
            for _ in 0..<3 {
                silent.append(try await Stranger(to: bob.address))
                // Once it is answered it is known to have its slot.
                try await silent.last?.beginHandshake()
            }
            // They hold all that the address has, and still a peer behind it gets in.
            _ = try await alice.link(with: bob)
            try await silent[0].closed()
            #expect(silent[1].isOpen && silent[2].isOpen)
            #expect(bob.links.usage.refusals[.halfOpen] == 1)
            for _ in 0..<5 { _ = try await alice.link(with: bob) }
            #expect(bob.owner.failures.isEmpty && bob.owner.closures.isEmpty)
            for stranger in silent { try await stranger.close() }
        }
    }

    @Test func silentStrangersOfManyAddressesKeepNoNewcomerOut() async throws {
        let bob = try await Station("bob", limits(connections: 100, handshakesPerAddress: 4, handshakes: 8))
        try await serving(bob) {
            var silent: [Stranger] = []
            for number in 0..<8 {
                silent.append(try await Stranger(to: bob.address, from: "127.0.0.\(60 + number / 4)"))
                try await silent.last?.beginHandshake()
            }
            for number in 1...5 {
                let newcomer = try await Stranger(to: bob.address, from: "127.0.1.\(number)")
                try await newcomer.shakeHands()
                try await until("a newcomer is let in") { bob.owner.opened.count == number }
            }
            try await silent[0].closed()
            #expect(bob.links.usage.halfOpen == 7)
            for stranger in silent { try await stranger.close() }
        }
    }

    @Test func whenAllSlotsForLinksAreTakenLinksStayAndNewcomersAreRefused() async throws {
        let (alice, bob) = (
            try await Station("alice"), try await Station("bob", limits(connections: 2, handshakesPerAddress: 16))
        )
        try await serving(alice, bob) {
            let silent = try await Stranger(to: bob.address)
            try await silent.beginHandshake()
            // Who says nothing takes no slot from links.
            let first = try await alice.link(with: bob)
            let second = try await alice.link(with: bob)
            let theirs = try await alice.end(of: first, at: bob)
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
            #expect(alice.owner.failure(dial) == .tooManyConnections)
            second.close(Goodbye(.leaving, "bye"))
            _ = try await alice.persistentLink(with: bob)
            #expect(first.send(line(1).bytes) && silent.isOpen)
            try await silent.close()
        }
    }

    private func source(_ host: String) -> ConnectionSource { ConnectionSource(host: host) }

    @Test func slotsAreCountedByWhatTheyAreFor() throws {
        let slots = LinkSlots(limits: limits(connections: 2, handshakesPerAddress: 2, dialled: 1))
        let first = try slots.take(for: source("10.0.0.1"), at: .zero)
        let second = try slots.take(for: source("10.0.0.1"), at: .zero)
        let third = try slots.take(for: source("10.0.0.1"), at: .zero)
        #expect(!first.handshakeDone(), "it gave way to the third")
        #expect(second.handshakeDone() && third.handshakeDone())
        #expect(throws: TurnedDown.self) { try slots.take(for: source("10.0.0.2"), at: .zero) }
        let own = try #require(slots.takeForOwn())
        #expect(slots.takeForOwn() == nil)
        #expect(slots.usage.incoming == 2 && slots.usage.outgoing == 1 && slots.usage.halfOpen == 0)
        own.leave()
        #expect(slots.takeForOwn() != nil)
        for slot in [first, second] { slot.leave() }
        let late = try slots.take(for: source("10.0.0.2"), at: .zero)
        let later = try slots.take(for: source("10.0.0.3"), at: .zero)
        #expect(late.handshakeDone())
        #expect(!later.handshakeDone(), "there are as many links as there may be")
        later.leave()
        #expect(throws: TurnedDown.self) { try slots.take(for: source("10.0.0.4"), at: .zero) }
        late.leave()
        try slots.take(for: source("10.0.0.4"), at: .zero).leave()
        #expect(slots.usage.incoming == 1)
        #expect(slots.usage.refusals[.halfOpen] == 1 && slots.usage.refusals[.connections] == 3)
        #expect(slots.usage.refusals[.handshakes] == 1)
    }

    @Test func whatHasToGiveWayBeforeItHasBegunIsClosedWhenItBegins() async throws {
        let slots = LinkSlots(limits: limits(connections: 9, handshakesPerAddress: 1))
        let first = try slots.take(for: source("10.0.0.1"), at: .zero)
        let second = try slots.take(for: source("10.0.0.1"), at: .zero)
        try await confirmation(expectedCount: 1) { closed in
            first.onGivingWay { closed() }
            second.onGivingWay { Issue.record("the newest stays") }
            _ = try slots.take(for: source("10.0.0.2"), at: .zero)
        }
        first.leave()
        second.leave()
        #expect(slots.usage.halfOpen == 1 && slots.usage.refusals[.handshakes] == 1)
    }

    @Test func somebodyWithManyConnectionsGivesWayBeforeSomebodyWithOne() {
        var table = HalfOpenConnections()
        let patient = table.add(source("2001:db8:1:1::7"))
        let crowd = (0..<3).map { _ in table.add(source("2001:db8:1:1::9")) }
        let elsewhere = (0..<3).map { table.add(source("10.0.0.\($0)")) }
        #expect(table.oldestOfMostCrowded == crowd[0])
        let removed = crowd[...1].map { table.remove($0) }
        #expect(removed == [true, true])
        #expect(table.oldestOfMostCrowded == patient, "of as many the oldest")
        let again = [patient, patient, crowd[2]].map { table.remove($0) }
        #expect(again == [true, false, true])
        #expect(table.oldestOfMostCrowded == elsewhere[0])
    }

    @Test func aLinkLocalNeighbourIsItsWholeAddressAndAnIPv6NetworkIsOne() {
        for host in ["fe80::1%eth0", "fe80::2%eth0", "feb0::1%eth0", "10.0.0.1"] {
            #expect(source(host).network == host && source(host).address == host)
        }
        #expect(source("fe80::1%eth0") != source("fe80::1%eth1"))
        let (one, other) = (source("2001:db8:1:2::3"), source("2001:db8:1:2:9::3"))
        #expect(one.network == other.network && one.address != other.address)
        #expect(source("fec0::1").network != "fec0::1")
        #expect(source("2001:db8::3").network == source("2001:db8::4").network)
    }
}

import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Where datagrams go, and which are taken.
struct DatagramTests {
    private func frame(
        from: UInt8? = nil, to: PeerID? = nil, sequence: UInt64 = 0, age: UInt32 = 0, timeToLive: UInt8 = 5,
        bytes: Int = 16
    ) -> DatagramFrame {
        let route = from.flatMap { from in
            to.map { DataRoute(timeToLive: timeToLive, from: Fixture.peer(from), to: $0) }
        }
        return DatagramFrame(
            route: route, sequence: sequence, ageMilliseconds: age, octets: [UInt8](repeating: 7, count: bytes))
    }

    private func connected() throws -> Fixture {
        var fixture = try Fixture()
        try fixture.connect(1, on: 1)
        try fixture.connect(2, on: 2)
        return fixture
    }

    @Test func aWindowTakesEachNumberOnce() {
        var window = DatagramWindow()
        let taken = [5, 5, 4, 6, 4, 70, 6, 7, 7, 69, 70, 200, 136, 137, .max, .max - 63, .max - 64].map {
            window.take($0)
        }
        #expect(
            taken == [
                true, false, true, true, false, true, false, true, false, true, false, true, false, true, true, true,
                false,
            ])
    }

    @Test func aNeighbourGetsThemAsTheyAreNumberedByLink() throws {
        var fixture = try connected()
        #expect(fixture.mesh.datagramWay(to: Fixture.peer(1), at: fixture.now) == .link)
        for sequence in 0..<3 as Range<UInt64> {
            let expected = DatagramFrame(route: nil, sequence: sequence, ageMilliseconds: 0, octets: [9])
            #expect(
                fixture.handle(.datagram(.submitted(Fixture.peer(1), [9], ageMilliseconds: 0)))
                    == [.datagram(.carry(expected, givenBy: nil, to: 1))])
        }
        let other = DatagramFrame(route: nil, sequence: 0, ageMilliseconds: 0, octets: [9])
        #expect(
            fixture.handle(.datagram(.submitted(Fixture.peer(2), [9], ageMilliseconds: 0)))
                == [.datagram(.carry(other, givenBy: nil, to: 2))])
    }

    @Test func somebodyFurtherOffIsReachedOverTheWayOfTheirWords() throws {
        var fixture = try connected()
        let far = Fixture.peer(9)
        let event = MeshEvent.datagram(.sealed(far, sequence: 4, [7], ageMilliseconds: 20))
        #expect(fixture.mesh.datagramWay(to: far, at: fixture.now) == nil)
        #expect(fixture.handle(event) == [.datagram(.dropped(.withoutWay))])
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(2, record, RecordArrival(timeToLive: 31, hops: 2)))
        #expect(fixture.mesh.datagramWay(to: far, at: fixture.now) == .routed)
        let expected = DatagramFrame(
            route: DataRoute(timeToLive: 32, from: fixture.me, to: far), sequence: 4, ageMilliseconds: 20, octets: [7])
        #expect(fixture.handle(event) == [.datagram(.carry(expected, givenBy: nil, to: 2))])
    }

    @Test func aRelayPassesThemOnWithOneLinkLess() throws {
        var fixture = try connected()
        let came = frame(from: 8, to: Fixture.peer(2), sequence: 3, age: 40)
        let onward = frame(from: 8, to: Fixture.peer(2), sequence: 3, age: 40, timeToLive: 4)
        let carried = [MeshEffect.datagram(.carry(onward, givenBy: Fixture.peer(1), to: 2))]
        #expect(fixture.handle(.received(1, .datagram(came))) == carried)
        // A relay knows no window: only the two ends can tell whose numbers they are.
        #expect(fixture.handle(.received(1, .datagram(came))) == carried)
        for frame in [
            frame(from: 8, to: Fixture.peer(2), timeToLive: 1), frame(from: 8, to: Fixture.peer(77)),
            frame(from: 8, to: Fixture.peer(1)),
        ] {
            #expect(fixture.handle(.received(1, .datagram(frame))) == [.datagram(.dropped(.withoutWay))])
        }
    }

    @Test func aReplayOverALinkIsTakenOnceAndALinkBeginsAnew() throws {
        var fixture = try connected()
        let came = frame(sequence: 12)
        #expect(
            fixture.handle(.received(1, .datagram(came))) == [.datagram(.received(came, from: Fixture.peer(1)))])
        #expect(fixture.handle(.received(1, .datagram(came))) == [.datagram(.dropped(.invalid))])
        // Another link's numbers are its own.
        #expect(
            fixture.handle(.received(2, .datagram(came))) == [.datagram(.received(came, from: Fixture.peer(2)))])
        _ = fixture.handle(.linkClosed(1, .broken("gone")))
        try fixture.connect(1, on: 3)
        #expect(
            fixture.handle(.received(3, .datagram(came))) == [.datagram(.received(came, from: Fixture.peer(1)))])
        #expect(fixture.mesh.datagrams.linkCount == 2)
    }

    @Test func whatIsOldIsDropped() throws {
        var fixture = try connected()
        let young = frame(sequence: 1, age: 500)
        #expect(
            fixture.handle(.received(1, .datagram(young))) == [.datagram(.received(young, from: Fixture.peer(1)))])
        for old in [frame(sequence: 2, age: 501), frame(from: 8, to: Fixture.peer(2), age: .max)] {
            #expect(fixture.handle(.received(1, .datagram(old))) == [.datagram(.dropped(.old))])
        }
    }

    @Test func aReflectionIsNotTaken() throws {
        var fixture = try connected()
        for target in [fixture.me, Fixture.peer(2)] {
            let own = DatagramFrame(
                route: DataRoute(timeToLive: 5, from: fixture.me, to: target), sequence: 0, ageMilliseconds: 0,
                octets: [UInt8](repeating: 7, count: 16))
            #expect(fixture.handle(.received(1, .datagram(own))).isEmpty)
        }
        #expect(fixture.mesh.refusalCounts[.blocked] == 2)
    }

    @Test func blockedPeersSendAndGetNone() throws {
        var fixture = try connected()
        _ = fixture.handle(.blockedChanged([Fixture.peer(8)]))
        for blocked in [
            frame(from: 8, to: fixture.me), frame(from: 8, to: Fixture.peer(2)), frame(from: 7, to: Fixture.peer(8)),
        ] {
            #expect(fixture.handle(.received(1, .datagram(blocked))).isEmpty)
        }
        #expect(fixture.mesh.refusalCounts[.blocked] == 3)
        #expect(fixture.mesh.datagramWay(to: Fixture.peer(8), at: fixture.now) == nil)
        #expect(
            fixture.handle(.datagram(.submitted(Fixture.peer(8), [], ageMilliseconds: 0)))
                == [.datagram(.dropped(.withoutWay))])
    }

    @Test func anOriginSends512KiBASecondOverARelay() throws {
        var fixture = try connected()
        // The longest that a program gives, and its tag.
        let longest = frame(from: 8, to: Fixture.peer(2), bytes: 8_208)
        let answers = (0..<65).map { _ in fixture.handle(.received(1, .datagram(longest))) }
        #expect(answers.prefix(64).allSatisfy { if case .datagram(.carry) = $0.first { true } else { false } })
        #expect(answers.last == [.datagram(.dropped(.overRate))])
        // A neighbour that uses another's name takes nothing from what comes over another link.
        let other = frame(from: 8, to: Fixture.peer(1), bytes: 8_208)
        if case .datagram(.carry) = fixture.handle(.received(2, .datagram(other))).first {
        } else {
            Issue.record("the name of an origin was used up by somebody else")
        }
        guard case .datagram(.carry) = fixture.handle(.received(1, .datagram(longest)), after: .seconds(1)).first
        else {
            Issue.record("the rate does not come back")
            return
        }
    }

    @Test func aNeighbourThatInventsOriginsIsMeasuredItself() throws {
        var fixture = try connected()
        var passed = 0
        for rank in 10..<200 as Range<UInt8> where rank != 100 {
            let effects = fixture.handle(.received(1, .datagram(frame(from: rank, to: Fixture.peer(2)))))
            if case .datagram(.carry) = effects.first { passed += 1 }
        }
        #expect(passed == 64)
        for _ in 0..<300 {
            for rank in 10..<20 as Range<UInt8> {
                let invented = frame(from: rank, to: Fixture.peer(2), bytes: 8_208)
                if case .datagram(.carry) = fixture.handle(.received(1, .datagram(invented))).first { passed += 1 }
            }
        }
        // 2 MiB a second in all: 64 of 1 KiB, and the rest of 8 KiB.
        #expect(passed == 64 + (2_048 - 64) / 8)
    }

    /// One relay measures each of its neighbours by itself. Behind it, what they send in one name shares one rate.
    @Test func behindTwoRelaysANameHasOneRateForEachLink() throws {
        var (near, far) = (try connected(), try connected())
        let named = frame(from: 8, to: Fixture.peer(2), bytes: 8_208)
        try near.connect(8, on: 3)
        var passed = [0, 0]
        for link in [1, 3] as [LinkID] {
            for _ in 0..<70 {
                guard case .datagram(.carry(let onward, _, _)) = near.handle(.received(link, .datagram(named))).first
                else { continue }
                passed[0] += 1
                let effects = far.handle(.received(1, .datagram(onward)))
                if case .datagram(.carry) = effects.first { passed[1] += 1 }
            }
        }
        #expect(passed == [128, 64])
    }

    @Test func whatIsForThisPeerCostsNoOriginAnything() throws {
        var fixture = try connected()
        let mine = frame(from: 8, to: fixture.me, bytes: 8_208)
        let answers = (0..<257).map { _ in fixture.handle(.received(1, .datagram(mine))) }
        #expect(answers.prefix(256).allSatisfy { $0 == [.datagram(.received(mine, from: Fixture.peer(8)))] })
        // The rate of the link holds all the same.
        #expect(answers.last == [.datagram(.dropped(.overRate))])
        let other = frame(from: 8, to: Fixture.peer(1), bytes: 8_208)
        guard case .datagram(.carry) = fixture.handle(.received(2, .datagram(other))).first else {
            Issue.record("what comes over another link is not taken")
            return
        }
    }

    @Test func oneBeforeAnInvitationIsAFault() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.linkOpened(1, try fixture.opened(1)))
        let effects = fixture.handle(.received(1, .datagram(frame())))
        #expect(effects.contains(.close(1, Goodbye(.protocolFault, "a datagram before an invitation"))))
    }
}

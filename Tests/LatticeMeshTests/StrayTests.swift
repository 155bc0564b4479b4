import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Near its origin a record is pushed beside the tree, too, and is marked for it from there on.
@Suite struct StrayTests {
    /// Links of which the third and all later ones are lazy; `meanHops` is the average distance of records.
    private func fixture(meanHops: UInt8, links: UInt8 = 3) throws -> Fixture {
        var fixture = try Fixture(activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        for link in 3...links { _ = fixture.handle(.received(LinkID(rawValue: UInt64(link)), .prune(of: nil))) }
        guard meanHops > 0 else { return fixture }
        _ = fixture.handle(.heard(1, try fixture.record(by: 7), RecordArrival(timeToLive: 9, hops: meanHops)))
        _ = fixture.handle(.woke, after: fixture.mesh.options.haveDelay)
        return fixture
    }

    private func told(by fixture: inout Fixture) -> [LinkID] {
        fixture.handle(.woke, after: fixture.mesh.options.haveDelay).haves.map(\.link)
    }

    // MARK: - How far

    @Test func withinAShareOfTheMeanHopsARecordIsPushedBesideTheTreeAndNotTold() throws {
        for mean in UInt8(1)...40 {
            for hops in UInt8(1)...20 {
                var fixture = try fixture(meanHops: mean)
                let record = try fixture.record(by: 9)
                let effects = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: hops)))
                let radius = fixture.mesh.broadcast.floodRadius
                let share = Double(radius.hopsMean) / 16 * Double(radius.percent) / 100
                let isNear = hops < UInt8(share.rounded())
                #expect(effects.pushed.tree == [2])
                #expect(effects.pushed.beside == (isNear ? [3] : []), "mean \(mean), hops \(hops)")
                #expect(told(by: &fixture) == (isNear ? [] : [3]), "mean \(mean), hops \(hops)")
            }
        }
    }

    @Test func theMeanFollowsTheLastFewRecords() throws {
        var fixture = try fixture(meanHops: 32)
        #expect(fixture.mesh.broadcast.floodRadius.hopsMean == 32 * 16)
        for _ in 0..<60 {
            _ = fixture.handle(.heard(1, try fixture.record(by: 9), RecordArrival(timeToLive: 9, hops: 4)))
        }
        #expect((4 * 16..<5 * 16).contains(fixture.mesh.broadcast.floodRadius.hopsMean))
    }

    @Test func whatWeSayIsPushedOnEveryLinkHoweverShortWaysAre() throws {
        for mean in [UInt8(0), 1, 9] {
            var fixture = try fixture(meanHops: mean)
            let record = try fixture.record(by: 100)
            #expect(
                fixture.handle(.submitted(record)) == [
                    .deliver(record, hops: 0), .forward(record, timeToLive: 32, hops: 1, isStray: false, to: [1, 2]),
                    .forward(record, timeToLive: 32, hops: 1, isStray: true, to: [3]),
                ], "mean \(mean)")
        }
    }

    // MARK: - The mark

    @Test func onlyTheCopyBesideTheTreeIsMarked() throws {
        var fixture = try fixture(meanHops: 20)
        let record = try fixture.record(by: 9)
        #expect(
            fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 2))) == [
                .deliver(record, hops: 2), .forward(record, timeToLive: 8, hops: 3, isStray: false, to: [2]),
                .forward(record, timeToLive: 8, hops: 3, isStray: true, to: [3]),
            ])
    }

    @Test func whatCameMarkedGoesOnMarked() throws {
        var fixture = try fixture(meanHops: 20, links: 4)
        let record = try fixture.record(by: 9)
        #expect(
            fixture.handle(.heard(3, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true))) == [
                .deliver(record, hops: 2), .forward(record, timeToLive: 8, hops: 3, isStray: true, to: [1, 2]),
                .forward(record, timeToLive: 8, hops: 3, isStray: true, to: [4]),
            ])
    }

    // MARK: - Branches and strays

    @Test func aBranchThatIsLaterThanWhatWasPushedBesideItStaysOne() throws {
        var fixture = try fixture(meanHops: 20)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(3, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true)))
        for link in [LinkID(rawValue: 1), 2] {
            #expect(fixture.handle(.heard(link, record, RecordArrival(timeToLive: 9, hops: 3))).isEmpty)
        }
        let next = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, next, RecordArrival(timeToLive: 9, hops: 20))).pushed.tree == [2])
    }

    @Test func aBranchThatBringsAStrayCopyIsNotPruned() throws {
        for hops in [UInt8(1), 20, 30] {
            var fixture = try fixture(meanHops: 20)
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20)))
            #expect(fixture.handle(.heard(2, record, RecordArrival(timeToLive: 9, hops: hops, isStray: true))).isEmpty)
        }
    }

    @Test func whoBringsBesideTheTreeWhatIsHereIsToPushThisAuthorsNoMore() throws {
        for isStray in [true, false] {
            var fixture = try fixture(meanHops: 20)
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20)))
            let effects = fixture.handle(.heard(3, record, RecordArrival(timeToLive: 9, hops: 2, isStray: isStray)))
            #expect(effects == [.send(.prune(of: Fixture.peer(9)), to: 3)])
            let next = try fixture.record(by: 9)
            #expect(fixture.handle(.heard(1, next, RecordArrival(timeToLive: 9, hops: 2))).pushed == ([2], [3]))
        }
    }

    @Test func whoIsFirstBesideTheTreeIsNotAnswered() throws {
        var fixture = try fixture(meanHops: 20, links: 4)
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(3, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true))).prunes.isEmpty)
        let second = fixture.handle(.heard(4, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true)))
        #expect(second == [.send(.prune(of: Fixture.peer(9)), to: 4)])
    }

    @Test func ourOwnThatComesBackBesideTheTreeIsNotToBePushedThere() throws {
        var fixture = try fixture(meanHops: 20)
        let record = try fixture.record(by: 100)
        _ = fixture.handle(.submitted(record))
        let effects = fixture.handle(.heard(3, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true)))
        #expect(effects == [.send(.prune(of: fixture.me), to: 3)])
    }

    @Test func straysBeyondTheRateAreNotAnswered() throws {
        var fixture = try fixture(meanHops: 20)
        var answers = 0
        for _ in 0..<MeshLimit.prunes.burst * 2 {
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 20)))
            answers +=
                fixture.handle(.heard(3, record, RecordArrival(timeToLive: 9, hops: 2, isStray: true))).prunes.count
        }
        #expect(Int64(answers) == MeshLimit.prunes.burst)
    }

    // MARK: - Pruned of one author

    @Test func anAuthorsRecordsAreToldAndNoLongerPushedBesideTheTreeToWhoHasThemAnyway() throws {
        var fixture = try fixture(meanHops: 20, links: 4)
        #expect(fixture.handle(.received(3, .prune(of: Fixture.peer(9)))).isEmpty)
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 2))).pushed == ([2], [4]))
        #expect(told(by: &fixture) == [3])
        let other = try fixture.record(by: 8)
        #expect(fixture.handle(.heard(1, other, RecordArrival(timeToLive: 9, hops: 2))).pushed == ([2], [3, 4]))
    }

    @Test func ourOwnRecordsAreToldToWhoHasThemAnyway() throws {
        var fixture = try fixture(meanHops: 20)
        _ = fixture.handle(.received(3, .prune(of: fixture.me)))
        #expect(fixture.handle(.submitted(try fixture.record(by: 100))).pushed == ([1, 2], []))
        #expect(told(by: &fixture) == [3])
    }

    @Test func aBranchThatIsPrunedOfOneAuthorIsToldOfHisRecordsAndPushedAllOthers() throws {
        var fixture = try fixture(meanHops: 20)
        _ = fixture.handle(.received(2, .prune(of: Fixture.peer(9))))
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 2))).pushed == ([], [3]))
        #expect(told(by: &fixture) == [2])
        let other = try fixture.record(by: 8)
        #expect(fixture.handle(.heard(1, other, RecordArrival(timeToLive: 9, hops: 2))).pushed == ([2], [3]))
    }

    @Test func aBranchIsPushedAllThatIsOursWhateverItPrunes() throws {
        var fixture = try fixture(meanHops: 20)
        _ = fixture.handle(.received(2, .prune(of: fixture.me)))
        #expect(fixture.handle(.submitted(try fixture.record(by: 100))).pushed.tree == [1, 2])
    }

    @Test func whoAsksForARecordIsPushedThatAuthorsAgain() throws {
        var fixture = try fixture(meanHops: 20)
        _ = fixture.handle(.received(2, .prune(of: Fixture.peer(9))))
        _ = fixture.handle(.received(2, .graft(Graft(ids: []))))
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 2))).pushed == ([2], [3]))
    }

    @Test func theAuthorsOneNeighbourPrunesAreLimitedAndTheOldestIsForgotten() throws {
        var fixture = try fixture(meanHops: 20)
        for number in 0...MeshLimit.prunedOriginsMax {
            var key = [UInt8](repeating: 3, count: 32)
            (key[0], key[1]) = (UInt8(number & 255), UInt8(number >> 8))
            _ = fixture.handle(.received(3, .prune(of: PeerID(try #require(Bytes32(key))))))
            if number == 0 { _ = fixture.handle(.received(3, .prune(of: Fixture.peer(9)))) }
        }
        let record = try fixture.record(by: 9)
        #expect(fixture.handle(.heard(1, record, RecordArrival(timeToLive: 9, hops: 2))).pushed.beside == [3])
    }

    @Test func aPruneOfAnAuthorBeforeAnInvitationIsAFault() throws {
        var fixture = try Fixture()
        _ = fixture.handle(.linkOpened(1, try fixture.opened(1)))
        let effects = fixture.handle(.received(1, .prune(of: Fixture.peer(9))))
        #expect(effects.closed == [1])
    }
}

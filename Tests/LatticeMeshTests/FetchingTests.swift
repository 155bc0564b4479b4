import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct FetchingTests {
    private func progress(_ isCaughtUp: Bool, fetched: Int = 0, missing: Int = 0, peers: Int = 0) -> ReconcileProgress {
        ReconcileProgress(isCaughtUp: isCaughtUp, fetched: fetched, missing: missing, peers: peers)
    }

    private func kept(_ id: RecordID, _ outcome: KeptRecord.Outcome) -> MeshEvent {
        .kept([KeptRecord(id, outcome)])
    }

    // MARK: - From the finding out to the store

    @Test func aRecordThatWasAskedForIsKeptAndItsGiverToldOnceItIsStored() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        #expect(fixture.mesh.antiEntropy.progress == progress(false, missing: 1, peers: 1))
        let record = Fixture.record(id)
        #expect(fixture.serve(id, on: 1) == [.keep(record, ageSeconds: 5, from: 1)])
        #expect(fixture.mesh.broadcast.hasSeen(id))
        #expect(
            fixture.handle(kept(id, .added)) == [.send(.stored(RecordIDs([id])), to: 1), .syncChanged])
        #expect(fixture.mesh.antiEntropy.progress == progress(true, fetched: 1, peers: 1))
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.gained) == [1])
    }

    @Test func aCopyThatTheFloodBringsOfWhatWasFetchedIsADuplicate() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        _ = fixture.serve(id, on: 1)
        let heard = fixture.handle(.heard(1, Fixture.record(id), RecordArrival(timeToLive: 9, hops: 2)))
        #expect(heard.deliveredCount == 0 && heard.forwarded.isEmpty)
    }

    @Test func whatTheFloodBringsIsWantedNoMoreAndItsSupplyNobodysFault() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        let heard = fixture.handle(.heard(1, Fixture.record(id), RecordArrival(timeToLive: 9, hops: 2)))
        #expect(heard.deliveredCount == 1)
        #expect(heard.last == .syncChanged)
        #expect(fixture.mesh.antiEntropy.progress == progress(true, peers: 1))
        #expect(fixture.serve(id, on: 1).isEmpty)
        // It was asked for once, and is excused once; 64 times are too many and no more.
        for _ in 0..<64 { #expect(fixture.serve(id, on: 1).isEmpty) }
        #expect(!fixture.compareAll(fixture.handle(.syncWanted).works).isEmpty)
        _ = fixture.serve(id, on: 1)
        #expect(fixture.handle(.syncWanted).works.isEmpty)
    }

    @Test func recordsThatNobodyAskedForAreRefusedAndAtSomePointItIsEnough() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        for number in 0..<64 { #expect(fixture.serve(try Fixture.id(number), on: 1).isEmpty) }
        #expect(!fixture.handle(.syncWanted).works.isEmpty)
        _ = fixture.serve(try Fixture.id(64), on: 1)
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [false])
        #expect(fixture.handle(.syncWanted).works.isEmpty)
        #expect(!fixture.mesh.broadcast.hasSeen(try Fixture.id(1)))
    }

    @Test func aSupplyFromALinkThatIsNotThereIsNothing() throws {
        var fixture = try Fixture()
        #expect(fixture.serve(try Fixture.id(1), on: 9).isEmpty)
    }

    // MARK: - From several

    @Test func whatTwoHaveIsAskedOfBothAndOfEachOnce() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<300)
        let first = try fixture.dialSource(200, on: 1, of: ids).fetches
        let second = try fixture.dialSource(201, on: 2, of: ids).fetches
        #expect(first.map(\.ids) == [Array(ids.prefix(MeshLimit.fetchWindowStart))])
        #expect(second.map(\.ids) == [Array(ids[MeshLimit.fetchWindowStart..<2 * MeshLimit.fetchWindowStart])])
    }

    @Test func whatOneLacksIsAskedOfAnotherAtOnce() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        #expect(try fixture.dialSource(201, on: 2, of: [id]).fetches.isEmpty)
        let fetches = fixture.handle(.received(1, .lack(RecordIDs([id])))).fetches
        #expect(fetches.map(\.link) == [2])
        #expect(fixture.handle(.received(2, .lack(RecordIDs([id])))) == [.syncChanged])
        #expect(fixture.mesh.antiEntropy.progress.missing == 0)
    }

    @Test func whatALinkOwedIsAskedOfAnotherWhenItEnds() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<3)
        try fixture.dialSource(200, on: 1, of: ids)
        try fixture.dialSource(201, on: 2, of: Array(ids.prefix(2)))
        let fetches = fixture.handle(.linkClosed(1, .broken(""))).fetches
        #expect(fetches.map(\.link) == [2])
        #expect(fetches.first.map { Set($0.ids) } == Set(ids.prefix(2)))
        #expect(fixture.mesh.antiEntropy.progress.missing == 2)
    }

    @Test func whatIsOwedByWhoeverIsSilentForTenSecondsIsAskedOfAnother() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<3)
        try fixture.dialSource(200, on: 1, of: ids)
        try fixture.dialSource(201, on: 2, of: ids)
        #expect(fixture.pass(.milliseconds(9_999)).fetches.isEmpty)
        let fetches = fixture.pass(.milliseconds(1)).fetches
        #expect(fetches.map(\.link) == [2])
        #expect(fetches.first.map { Set($0.ids) } == Set(ids))
        // It may still come, and is as good as any.
        #expect(fixture.serve(ids[0], on: 1).kept == [ids[0]])
        #expect(fixture.serve(ids[0], on: 2).kept == [])
        // Where nobody else has it the same is asked once more.
        #expect(fixture.pass(.seconds(10)).fetches.map(\.link) == [2])
        _ = fixture.pass(.seconds(10))
        #expect(fixture.mesh.antiEntropy.progress.missing == 1)
    }

    @Test func whatIsOwedForHalfAMinuteIsAskedOfAnotherWhateverElseComes() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<10)
        try fixture.dialSource(200, on: 1, of: ids)
        try fixture.dialSource(201, on: 2, of: ids)
        var fetches: [(ids: [RecordID], link: LinkID)] = []
        for number in 0..<4 {
            fetches += fixture.serve(ids[number], on: 1).fetches + fixture.pass(.milliseconds(7_500)).fetches
        }
        #expect(fetches.map(\.link) == [2])
        #expect(fetches.first.map { Set($0.ids) } == Set(ids.suffix(6)))
    }

    @Test func whatNobodyElseHasIsForgottenAndFoundAgainByComparing() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<2)
        try fixture.dialSource(200, on: 1, of: ids)
        #expect(fixture.pass(.seconds(10)).fetches.map(\.ids.count) == [2])
        #expect(fixture.pass(.seconds(10)).contains(.syncChanged))
        #expect(fixture.mesh.antiEntropy.progress.missing == 0)
        #expect(fixture.pass(.milliseconds(9_999)).works.isEmpty)
        #expect(fixture.pass(.milliseconds(1)).begun == [1])
    }

    @Test func aLinkIsAskedForMoreWhileItAnswersAndForLessWhenItIsLate() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<4_000)
        let only = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 0))])
        let found = fixture.compareAll(try fixture.dialled(200, on: 1, keeping: only).works, need: ids)
        var (asked, portions) = (found.fetches.flatMap(\.ids), found.fetches.map(\.ids.count))
        var next = 0
        while next < asked.count {
            for fetch in fixture.serve(asked[next], on: 1).fetches {
                asked += fetch.ids
                portions.append(fetch.ids.count)
            }
            next += 1
        }
        #expect(asked == ids)
        #expect(portions.first == MeshLimit.fetchWindowStart)
        #expect(portions.max() ?? 0 >= MeshLimit.fetchWindowMax / 2)
        #expect(portions.allSatisfy { $0 <= MeshLimit.fetchWindowMax })
    }

    @Test func longRecordsAreAskedForFewAtATime() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<4_000)
        let only = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 0))])
        let found = fixture.compareAll(try fixture.dialled(200, on: 1, keeping: only).works, need: ids)
        var asked = found.fetches.flatMap(\.ids)
        for next in 0..<500 {
            let fetches = fixture.serve(asked[next], on: 1, bytes: 50_000).fetches
            asked += fetches.flatMap(\.ids)
            _ = fixture.handle(kept(asked[next], .added))
        }
        #expect((asked.count - 500) * 50_000 <= MeshLimit.fetchWindowBytes)
    }

    // MARK: - What the store says

    @Test func nothingIsAskedForWhileTheStoreIsBehind() throws {
        var fixture = try Fixture()
        let only = Keeping([Keeping.Entry(.chat, since: HybridTime(rawValue: 0))])
        let works = try fixture.dialled(200, on: 1, keeping: only).works
        let found = fixture.compareAll(works, need: try Fixture.ids(0..<20_000))
        var asked = found.fetches.flatMap(\.ids)
        var next = 0
        while next < asked.count {
            asked += fixture.serve(asked[next], on: 1).fetches.flatMap(\.ids)
            next += 1
        }
        #expect(asked.count >= MeshLimit.arrivedMax && asked.count < MeshLimit.arrivedMax + MeshLimit.fetchWindowMax)
        let more = fixture.handle(.kept(asked.map { KeptRecord($0, .added) }))
        #expect(more.fetches.map(\.ids.count) == [MeshLimit.fetchWindowMax])
        #expect(more.storedTold.map(\.ids.count).reduce(0, +) == asked.count)
    }

    @Test func whatTheStoreCouldNotTakeIsFetchedAgainAfterLongerAndLongerWhiles() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        var wait: Duration = .seconds(1)
        for _ in 0..<7 {
            #expect(fixture.serve(id, on: 1).kept == [id])
            #expect(fixture.handle(kept(id, .failed)).isEmpty)
            #expect(fixture.pass(wait - .milliseconds(1)).fetches.isEmpty)
            #expect(fixture.pass(.milliseconds(1)).fetches.map(\.ids) == [[id]])
            wait = min(wait * 2, .seconds(30))
        }
        _ = fixture.serve(id, on: 1)
        #expect(fixture.handle(kept(id, .added)).storedTold.map(\.ids) == [[id]])
    }

    @Test func whatIsDeclinedIsNotFetchedAgainForAnHour() throws {
        for outcome in [KeptRecord.Outcome.declined, .faulty] {
            var fixture = try Fixture()
            let id = try Fixture.id(1)
            try fixture.dialSource(200, on: 1, of: [id])
            _ = fixture.serve(id, on: 1)
            let effects = fixture.handle(kept(id, outcome))
            #expect(effects == [.syncChanged])
            #expect(fixture.mesh.antiEntropy.progress == progress(true, peers: 1))
            #expect(fixture.handle(.received(1, .offer(RecordIDs([id])))).fetches.isEmpty)
            #expect(fixture.compareAll(fixture.handle(.syncWanted).works, need: [id]).fetches.isEmpty)
            fixture.now = fixture.now.advanced(by: MeshLimit.declinedFor)
            let works = fixture.handle(.syncWanted).works
            #expect(fixture.compareAll(works, need: [id]).fetches.map(\.ids) == [[id]])
        }
    }

    @Test func whatWasDeclinedMayBeWantedOnceTheClockIsSetOrMoreIsKept() throws {
        let id = try Fixture.id(1)
        for isClock in [true, false] {
            var fixture = try Fixture()
            try fixture.dialSource(200, on: 1, of: [id])
            _ = fixture.serve(id, on: 1)
            _ = fixture.handle(kept(id, .declined))
            if isClock {
                let works = fixture.handle(.clockLeapt).works
                #expect(fixture.compareAll(works, need: [id]).fetches.map(\.ids) == [[id]])
            } else {
                _ = fixture.handle(.keepingChanged(Keeping([])))
                _ = fixture.handle(.keepingChanged(.everything))
                let works = fixture.handle(.syncWanted).works
                #expect(fixture.compareAll(works, need: [id]).fetches.map(\.ids) == [[id]])
            }
        }
    }

    @Test func whatTheStoreLetGoIsNotFetchedAgain() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<3)
        try fixture.dialSource(200, on: 1, of: [ids[0]])
        #expect(fixture.handle(.dropped(ids)) == [.syncChanged])
        #expect(fixture.mesh.antiEntropy.progress.missing == 0)
        #expect(fixture.compareAll(fixture.handle(.syncWanted).works, need: ids).fetches.isEmpty)
    }

    @Test func whatIsOverByTheAgeThatOneToldIsAskedOfAnother() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        try fixture.dialSource(201, on: 2, of: [id])
        _ = fixture.serve(id, on: 1)
        #expect(fixture.handle(kept(id, .declinedForAge)).fetches.map(\.link) == [2])
        _ = fixture.serve(id, on: 2)
        #expect(fixture.handle(kept(id, .added)).storedTold.map(\.link) == [2])
        // The first is not asked for it again.
        #expect(fixture.handle(.received(1, .offer(RecordIDs([id])))).fetches.isEmpty)
    }

    @Test func recordsThatWereThereAlreadyAreNoHarmAndNoNews() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(201, on: 2, of: [])
        try fixture.dialSource(200, on: 1, of: [id])
        _ = fixture.serve(id, on: 1)
        #expect(fixture.handle(kept(id, .known)) == [.send(.stored(RecordIDs([id])), to: 1), .syncChanged])
        #expect(fixture.mesh.antiEntropy.progress == progress(true, peers: 1))
        #expect(fixture.pass(.seconds(5)).works.isEmpty)
    }

    @Test func aPresenceIsNobodysToSupply() throws {
        var fixture = try Fixture()
        let id = try Fixture.id(1)
        try fixture.dialSource(200, on: 1, of: [id])
        #expect(fixture.serve(id, on: 1, kind: .presence) == [.syncChanged])
        #expect(!fixture.mesh.broadcast.hasSeen(id))
    }

    @Test func whatBecameOfRecordsOfTheFloodIsHeardAndNothingComesOfIt() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        for outcome in [KeptRecord.Outcome.added, .known, .declined, .declinedForAge, .faulty] {
            #expect(fixture.handle(kept(try Fixture.id(1), outcome)).isEmpty)
        }
    }

    // MARK: - Offers and what is fetched from us

    @Test func whatIsOfferedIsFetchedUnlessItHasComeBy() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        let ids = try Fixture.ids(0..<3)
        _ = fixture.handle(.heard(1, Fixture.record(ids[0]), RecordArrival(timeToLive: 9, hops: 2)))
        let effects = fixture.handle(.received(1, .offer(RecordIDs(ids))))
        #expect(effects == [.send(.fetch(RecordIDs([ids[1], ids[2]])), to: 1), .syncChanged])
    }

    @Test func whoeverOffersMuchIsComparedWithSinceThereMayBeMore() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        let ids = try Fixture.ids(0..<RecordIDs.countMax)
        var asked = fixture.handle(.received(1, .offer(RecordIDs(ids)))).fetches.flatMap(\.ids)
        var next = 0
        while next < asked.count {
            asked += fixture.serve(asked[next], on: 1).fetches.flatMap(\.ids)
            next += 1
        }
        #expect(fixture.pass(.seconds(3)).works.isEmpty)
        let effects = fixture.handle(.kept(ids.map { KeptRecord($0, .added) })) + fixture.pass(.seconds(1))
        #expect(effects.begun == [1])
    }

    @Test func whatWeHaveIsOfferedAtABoundedRateTheNewestFirst() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<20_000)
        let offers = fixture.compareAll(try fixture.dialled(200, on: 1).works, have: ids).offers
        #expect(offers.flatMap(\.ids) == Array(ids.suffix(16_384)))
        #expect(offers.allSatisfy { $0.ids.count <= RecordIDs.countMax })
        let again = fixture.compareAll(fixture.handle(.syncWanted, after: .seconds(1)).works, have: ids).offers
        #expect(again.flatMap(\.ids) == Array(ids.suffix(64)))
    }

    @Test func whatIsAskedOfUsIsSuppliedAndWhatIsStoredThereConfirmed() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        let ids = try Fixture.ids(0..<2)
        #expect(fixture.handle(.received(1, .fetch(RecordIDs(ids)))) == [.serve(ids, to: 1)])
        let other = try Fixture.id(9)
        #expect(fixture.handle(.received(1, .stored(RecordIDs([ids[0], other])))) == [.confirmed([ids[0]])])
        #expect(fixture.handle(.received(1, .stored(RecordIDs([ids[0]])))).isEmpty)
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.given) == [1])
    }

    @Test func whoeverOffersAndIsSilentIsBelievedLessAndLess() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        var next = 0
        func isBelieved() throws -> Bool {
            next += 1
            return !fixture.handle(.received(1, .offer(RecordIDs([try Fixture.id(next)])))).fetches.isEmpty
        }
        for wait in [10, 20, 40, 80] as [Int64] {
            #expect(try isBelieved())
            _ = fixture.pass(.seconds(20))
            #expect(fixture.mesh.antiEntropy.progress.missing == 0)
            _ = fixture.pass(.milliseconds(wait * 1_000 - 1))
            #expect(try !isBelieved())
            _ = fixture.pass(.milliseconds(1))
        }
        // Who makes up for it begins anew.
        for _ in 0..<20 {
            #expect(try isBelieved())
            _ = fixture.serve(try Fixture.id(next), on: 1)
        }
        #expect(try isBelieved())
        _ = fixture.pass(.seconds(20))
        #expect(try isBelieved())
    }

    @Test func whoeverSendsAFewOfWhatItOwesIsAbandonedAllTheSame() throws {
        var fixture = try Fixture()
        var owed = try fixture.dialSource(200, on: 1, of: try Fixture.ids(0..<5_000)).fetches.flatMap(\.ids)
        var seconds = 0
        while fixture.mesh.antiEntropy.progress.missing > 100, seconds < 1_000 {
            let effects = fixture.serve(owed.removeFirst(), on: 1) + fixture.pass(.seconds(9))
            owed += effects.fetches.flatMap(\.ids)
            seconds += 9
        }
        #expect(seconds < 90)
    }

    @Test func whoeverLacksMostOfWhatItSaidItHasIsShunned() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        var lacked = 0
        for start in stride(from: 0, to: 60_000, by: 100) {
            let offer = RecordIDs(try Fixture.ids(start..<start + 100))
            let asked = fixture.handle(.received(1, .offer(offer)), after: .milliseconds(100)).fetches
            guard !asked.isEmpty else { break }
            for fetch in asked {
                lacked += fetch.ids.count
                let more = fixture.handle(.received(1, .lack(RecordIDs(fetch.ids)))).fetches
                #expect(more.isEmpty)
            }
        }
        #expect((2 * MeshLimit.lackedMax...20 * MeshLimit.lackedMax).contains(lacked))
        #expect(fixture.handle(.syncWanted).works.isEmpty)
    }

    @Test func theSharesOfNeighboursShrinkWhenMoreCome() throws {
        var fixture = try Fixture()
        for number in 0..<3 { try fixture.dialSource(UInt8(200 + number), on: UInt64(1 + number), of: []) }
        for start in stride(from: 0, to: 20_000, by: 1_000) {
            _ = fixture.handle(.received(1, .offer(RecordIDs(try Fixture.ids(start..<start + 1_000)))))
        }
        #expect(fixture.mesh.antiEntropy.progress.missing == MeshLimit.wantedMax / 3)
        // What another tells of, too, takes no place.
        let known = try Fixture.ids(0..<1_000)
        _ = fixture.handle(.received(2, .offer(RecordIDs(known))))
        #expect(fixture.mesh.antiEntropy.progress.missing == MeshLimit.wantedMax / 3)
    }

    @Test func whoeverAsksForEverythingAgainAndAgainIsSuppliedABoundedNumber() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        let ids = try Fixture.ids(0..<RecordIDs.countMax)
        var served = 0
        for _ in 0..<1_000 {
            for case .serve(let ids, _) in fixture.handle(.received(1, .fetch(RecordIDs(ids)))) {
                served += ids.count
            }
        }
        #expect(served == 65_536)
    }

    @Test func whoeverOffersForEverTakesItsOwnPlacesOnly() throws {
        var fixture = try Fixture()
        try fixture.dialSource(200, on: 1, of: [])
        try fixture.dialSource(201, on: 2, of: [])
        for start in stride(from: 0, to: 100_000, by: 1_000) {
            let ids = try Fixture.ids(start..<start + 1_000)
            _ = fixture.handle(.received(1, .offer(RecordIDs(ids))), after: .milliseconds(1))
        }
        #expect(fixture.mesh.antiEntropy.progress.missing == MeshLimit.wantedMax / 2)
        let honest = try Fixture.ids(200_000..<200_100)
        let fetches = fixture.handle(.received(2, .offer(RecordIDs(honest)))).fetches
        #expect(fetches.flatMap(\.ids) == honest)
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

@Suite struct SyncScheduleTests {
    private func kept(_ ids: [RecordID]) -> MeshEvent {
        .kept(ids.map { KeptRecord($0, .added) })
    }

    /// Linked and reconciled with this number of peers; ranks start at 200, links at 1.
    private func compared(_ count: Int) throws -> Fixture {
        var fixture = try Fixture()
        for number in 0..<count {
            try fixture.dialSource(UInt8(200 + number), on: UInt64(1 + number), of: [])
            fixture.now = fixture.now.advanced(by: .seconds(1))
        }
        return fixture
    }

    /// Lets time go by; every comparison that is begun finds nothing, or what the first has and the store here declines.
    ///
    /// - Returns: the links on which one was begun, and when.
    private func rounds(
        _ fixture: inout Fixture, for time: Duration, need: [RecordID] = []
    ) -> [(link: LinkID, at: Instant)] {
        let end = fixture.now.advanced(by: time)
        var begun: [(LinkID, Instant)] = []
        while fixture.now < end {
            let works = fixture.pass(.milliseconds(250)).works
            for link in works.map(\.link) where begun.last.map({ $0.0 != link || $0.1 != fixture.now }) ?? true {
                begun.append((link, fixture.now))
            }
            for id in fixture.compareAll(works, need: need).fetches.flatMap(\.ids) {
                _ = fixture.serve(id, on: 1)
                _ = fixture.handle(.kept([KeptRecord(id, .declined)]))
            }
        }
        return begun
    }

    @Test func everyMinuteTheNeighbourThatWasNotComparedWithForLongestIs() throws {
        var fixture = try compared(3)
        let begun = rounds(&fixture, for: .seconds(600))
        #expect((8...13).contains(begun.count))
        #expect(begun.prefix(6).map(\.link) == [1, 2, 3, 1, 2, 3])
        for (earlier, later) in zip(begun, begun.dropFirst()) {
            #expect((.seconds(44)...(.seconds(76))).contains(earlier.at.duration(to: later.at)))
        }
    }

    @Test func whoeverComparesWithUsNeedNotBeComparedWithSoon() throws {
        var fixture = try compared(3)
        let question = Comparison(
            side: .question, session: 1, scope: SyncScope(.chat), since: HybridTime(rawValue: 0), message: [1])
        let work = try #require(fixture.handle(.received(1, .comparison(question))).works.first)
        _ = fixture.handle(.compared(ComparisonOutcome(work, .step(reply: [1], have: [], need: []))))
        #expect(rounds(&fixture, for: .seconds(200)).prefix(3).map(\.link) == [2, 3, 1])
    }

    @Test func whereDifferencesAreFoundAndNothingComesOfThemIsComparedLessAndLessOften() throws {
        var fixture = try compared(1)
        let id = try Fixture.id(1)
        _ = fixture.handle(.dropped([id]))
        let begun = rounds(&fixture, for: .seconds(6 * 3_600), need: [id])
        #expect((8...16).contains(begun.count))
        let waits = zip(begun, begun.dropFirst()).map { $0.at.duration(to: $1.at) }
        #expect(waits.last ?? .zero > .seconds(3_400))
        #expect(waits.allSatisfy { $0 < .seconds(4_000) })
    }

    @Test func anythingThatIsKeptBringsTheComparisonsBack() throws {
        var fixture = try compared(1)
        let (id, other) = (try Fixture.id(1), try Fixture.id(2))
        _ = fixture.handle(.dropped([id]))
        _ = rounds(&fixture, for: .seconds(3_600), need: [id])
        #expect(rounds(&fixture, for: .seconds(300), need: [id]).count <= 1)
        _ = fixture.handle(.received(1, .offer(RecordIDs([other]))))
        _ = fixture.serve(other, on: 1)
        _ = fixture.handle(kept([other]))
        #expect(rounds(&fixture, for: .seconds(300)).count >= 3)
    }

    @Test func aNeighbourThatIsWrongEveryTimeDoesNotTakeTheTurnsOfOthers() throws {
        var fixture = try compared(3)
        let id = try Fixture.id(1)
        _ = fixture.handle(.dropped([id]))
        var turns: [LinkID: Int] = [:]
        for _ in 0..<7_200 {
            let works = fixture.pass(.milliseconds(500)).works
            for link in Set(works.map(\.link)) { turns[link, default: 0] += 1 }
            _ = fixture.compareAll(works.filter { $0.link == 1 }, need: [id])
            _ = fixture.compareAll(works.filter { $0.link != 1 })
        }
        #expect(turns[1, default: 0] < 8)
        #expect(turns[2, default: 0] > 20 && turns[3, default: 0] > 20)
    }

    @Test func aPersonMayAskForAComparisonWithEverybodyNow() throws {
        var fixture = try compared(6)
        #expect(fixture.handle(.syncWanted).begun == [1, 2, 3, 4, 5, 6])
        #expect(!fixture.mesh.antiEntropy.progress.isCaughtUp)
        #expect(fixture.handle(.syncWanted).works.isEmpty)
    }

    /// What it is asked for because of, a record that another process took away, say, may be missing in what goes on.
    @Test func whatIsAskedForWhileAComparisonGoesOnFollowsIt() throws {
        var fixture = try Fixture()
        let works = try fixture.dialled(200, on: 1).works
        #expect(fixture.handle(.syncWanted).works.isEmpty)
        #expect(fixture.handle(.syncWanted).works.isEmpty)
        #expect(fixture.compareAll(works).begun == [1])
    }

    @Test func fourAreComparedWithAtATime() throws {
        var fixture = try Fixture()
        for number in 0..<6 { try fixture.dialled(UInt8(200 + number), on: UInt64(1 + number)) }
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [true, true, true, true, false, false])
        // But nobody waits for ever for neighbours that take their time.
        _ = fixture.pass(.seconds(10))
        #expect(fixture.mesh.antiEntropy.neighbours.map(\.isComparing) == [true, true, true, true, true, true])
    }

    @Test func whileMuchIsMissingOthersAreNotComparedWithYet() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<MeshLimit.wantedLow + 2_000)
        try fixture.dialSource(200, on: 1, of: ids)
        #expect(try fixture.dialled(201, on: 2).works.isEmpty)
        #expect(fixture.pass(.milliseconds(9_500)).works.isEmpty)
        #expect(fixture.pass(.seconds(1)).begun == [2])
    }

    @Test func theOthersAreComparedWithSoonAfterRecordsWereGained() throws {
        var fixture = try compared(3)
        let ids = try Fixture.ids(0..<2)
        _ = fixture.handle(.received(1, .offer(RecordIDs(ids))))
        _ = fixture.handle(.received(2, .offer(RecordIDs(ids))))
        for id in ids { _ = fixture.serve(id, on: 1) }
        let gained = fixture.now
        _ = fixture.handle(kept([ids[0]]))
        #expect(fixture.pass(.milliseconds(150)).works.isEmpty)
        // More is coming.
        #expect(fixture.pass(.milliseconds(1_200)).works.isEmpty)
        _ = fixture.handle(kept([ids[1]]))
        let works = fixture.pass(.milliseconds(1_200)).works
        // Only the third may lack them, and only chat lines were gained.
        #expect(works.map(\.link) == [3])
        #expect(works.map(\.scope) == [SyncScope(.chat)])
        #expect(gained.duration(to: fixture.now) < .seconds(3))
    }

    @Test func newsIsToldInTheEndEvenIfSomethingIsMissingForEver() throws {
        var fixture = try compared(2)
        let ids = try Fixture.ids(0..<100)
        var owed = fixture.handle(.received(1, .offer(RecordIDs(ids)))).fetches.flatMap(\.ids)
        _ = fixture.serve(owed.removeFirst(), on: 1)
        _ = fixture.handle(kept([ids[0]]))
        var told: Instant?
        let began = fixture.now
        for _ in 0..<20 where told == nil {
            _ = fixture.serve(owed.removeFirst(), on: 1)
            let works = fixture.pass(.seconds(2)).works
            if works.contains(where: { $0.link == 2 && $0.scope.group == .chat }) { told = fixture.now }
            if works.count > 1 { _ = fixture.compareAll(works) }
        }
        #expect((.seconds(29)...(.seconds(33))).contains(began.duration(to: told ?? .zero)))
    }

    @Test func whoeverToldOfWhatCouldNotBeGraftedIsComparedWith() throws {
        var fixture = try compared(2)
        let have = Have(entries: [Have.Entry(id: try Fixture.id(1), hops: 1)])
        _ = fixture.handle(.received(2, .have(have)))
        var begun: [LinkID] = []
        for _ in 0..<10 where begun.isEmpty { begun = fixture.pass(.milliseconds(500)).begun }
        #expect(begun == [2])
    }

    @Test func whatIsOverIsDroppedWithItsLinkAndNobodyIsCaughtUpAlone() throws {
        var fixture = try compared(1)
        _ = fixture.handle(.received(1, .offer(RecordIDs([try Fixture.id(1)]))))
        _ = fixture.handle(.linkClosed(1, .broken("")))
        #expect(
            fixture.mesh.antiEntropy.progress == ReconcileProgress(isCaughtUp: false, fetched: 0, missing: 0, peers: 0))
        #expect(fixture.mesh.antiEntropy.neighbours.isEmpty)
    }

    @Test func whatIsBeingStoredWhenALinkEndsIsStoredAllTheSame() throws {
        var fixture = try compared(2)
        let id = try Fixture.id(1)
        _ = fixture.handle(.received(1, .offer(RecordIDs([id]))))
        _ = fixture.serve(id, on: 1)
        _ = fixture.handle(.linkClosed(1, .broken("")))
        #expect(fixture.mesh.antiEntropy.progress.missing == 1)
        #expect(fixture.handle(kept([id])) == [.syncChanged])
        #expect(fixture.mesh.antiEntropy.progress.missing == 0)
    }

    @Test func whoLeavesBeginsNothing() throws {
        var fixture = try compared(2)
        _ = fixture.handle(.received(1, .offer(RecordIDs([try Fixture.id(1)]))))
        _ = fixture.handle(.leaving)
        #expect(fixture.handle(.syncWanted).isEmpty)
        #expect(fixture.pass(.seconds(300)).isEmpty)
    }

    @Test func aQuietMeshIsWokenForComparisonsOnceAMinute() throws {
        var fixture = try compared(2)
        var wakes = 0
        let end = fixture.now.advanced(by: .seconds(120))
        while let deadline = fixture.mesh.nextDeadline, deadline <= end {
            #expect(deadline > fixture.now || wakes == 0)
            fixture.now = deadline
            wakes += 1
            let effects = fixture.handle(.woke)
            for ping in effects.pings { _ = fixture.handle(.received(ping.link, .pong(nonce: ping.nonce))) }
            _ = fixture.compareAll(effects.works)
        }
        // Pings every five seconds on two links make most of it.
        #expect(wakes < 120)
    }

    /// What was pushed while the store failed counts as seen, so offers of it are passed over; and both neighbours rest for an hour,
    /// since nothing came of comparing with them.
    @Test func onceTheStoreWorksAgainEverybodyIsComparedWith() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<2)
        try fixture.dialSource(200, on: 1, of: [ids[0]])
        _ = fixture.compareAll(try fixture.dialled(201, on: 2).works)
        for _ in 0..<10 {
            _ = fixture.serve(ids[0], on: 1)
            _ = fixture.handle(.kept([KeptRecord(ids[0], .failed)]))
            _ = fixture.compareAll(fixture.pass(.seconds(60)).works, need: [ids[0]])
        }
        let works = fixture.handle(.kept([KeptRecord(ids[1], .added)])).works + fixture.pass(.seconds(2)).works
        #expect(Set(works.map(\.link)) == [1, 2])
        // Once.
        #expect(fixture.handle(.kept([KeptRecord(ids[1], .known)])).works == [])
    }

    @Test func nobodyIsCaughtUpWhoseStoreFails() throws {
        var fixture = try Fixture()
        _ = fixture.compareAll(try fixture.dialled(200, on: 1).works)
        #expect(fixture.mesh.antiEntropy.progress.isCaughtUp)
        let ids = try Fixture.ids(0..<2)
        #expect(fixture.handle(.kept([KeptRecord(ids[0], .failed)])) == [.syncChanged])
        #expect(!fixture.mesh.antiEntropy.progress.isCaughtUp)
        let works = fixture.handle(.kept([KeptRecord(ids[1], .added)])).works + fixture.pass(.seconds(2)).works
        #expect(!fixture.mesh.antiEntropy.progress.isCaughtUp)
        _ = fixture.compareAll(works)
        #expect(fixture.mesh.antiEntropy.progress.isCaughtUp)
    }

    /// The store failed once, and nothing has been said since.
    @Test func whatCouldNotBeStoredAndIsNowhereAnyMoreIsNotWaitedFor() throws {
        var fixture = try Fixture()
        _ = fixture.compareAll(try fixture.dialled(200, on: 1).works)
        _ = fixture.handle(.kept([KeptRecord(try Fixture.id(1), .failed)]))
        #expect(!fixture.mesh.antiEntropy.progress.isCaughtUp)
        _ = fixture.compareAll(fixture.handle(.syncWanted).works)
        #expect(fixture.mesh.antiEntropy.progress.isCaughtUp)
    }
}

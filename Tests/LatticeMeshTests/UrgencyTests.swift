import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Urgent records: three a day of each author, and what they overtake.
@Suite struct UrgencyTests {
    /// Linked with peers 1 to 3; link 3 is busy.
    private func fixture(busy: Bool = false) throws -> Fixture {
        var fixture = try Fixture()
        for rank in UInt8(1)...3 { try fixture.connect(rank, on: UInt64(rank)) }
        if busy { #expect(fixture.handle(.linkBusy(3)).isEmpty) }
        return fixture
    }

    private static func body(isUrgent: Bool = true, bytes: Int = 10) throws -> [UInt8] {
        let text = String(repeating: "x", count: bytes)
        return ChatLine(style: .says, name: try PeerName("ann"), text: text, isUrgent: isUrgent).body
    }

    private func urgent(by rank: UInt8, bytes: Int = 10, in fixture: inout Fixture) throws -> VerifiedRecord {
        try fixture.record(by: rank, body: try Self.body(bytes: bytes))
    }

    private func usual(by rank: UInt8, bytes: Int = 10, in fixture: inout Fixture) throws -> VerifiedRecord {
        try fixture.record(by: rank, body: try Self.body(isUrgent: false, bytes: bytes))
    }

    private func hear(_ record: VerifiedRecord, on link: LinkID = 1, in fixture: inout Fixture) -> [MeshEffect] {
        fixture.handle(.heard(link, record, RecordArrival(timeToLive: 5, hops: 2)))
    }

    // MARK: - Who is urgent

    @Test func threeOfAnAuthorInADayAreUrgentWhateverItClaims() throws {
        var fixture = try fixture()
        for number in 0..<6 {
            let record = try urgent(by: 9, in: &fixture)
            #expect(hear(record, in: &fixture).first == .deliver(record, hops: 2, isUrgent: number < 3))
            #expect(fixture.mesh.urgency.contains(record.id) == (number < 3))
        }
        let other = try urgent(by: 8, in: &fixture)
        #expect(hear(other, in: &fixture).first == .deliver(other, hops: 2, isUrgent: true))
        fixture.now = fixture.now.advanced(by: .seconds(86_400))
        let next = try urgent(by: 9, in: &fixture)
        #expect(hear(next, in: &fixture).first == .deliver(next, hops: 2, isUrgent: true))
    }

    @Test func aCopyDoesNotCountAgain() throws {
        var fixture = try fixture()
        let record = try urgent(by: 9, in: &fixture)
        for link: LinkID in [1, 2, 1, 2] { _ = hear(record, on: link, in: &fixture) }
        #expect(fixture.mesh.urgency.left(of: Fixture.peer(9), at: fixture.now) == 2)
    }

    @Test func whatIsSaidHereCountsToo() throws {
        var fixture = try fixture()
        for number in 0..<4 {
            let record = try urgent(by: 100, in: &fixture)
            #expect(
                fixture.handle(.submitted(record)) == [
                    .deliver(record, hops: 0, isUrgent: number < 3),
                    .forward(record, timeToLive: 32, hops: 1, isUrgent: number < 3, to: [1, 2, 3]),
                ])
        }
        #expect(fixture.mesh.urgency.left(of: fixture.me, at: fixture.now) == 0)
    }

    @Test func whatCameBeforeThisProcessBeganCounts() throws {
        var fixture = try fixture()
        fixture.now = Instant(nanoseconds: 90_000_000_000_000)
        let earlier = try (0..<3).map { number in
            Urgency.Counted(
                try urgent(by: 9, in: &fixture).id, by: Fixture.peer(9), .relayed,
                at: number == 0 ? .zero : fixture.now.advanced(by: .seconds(-60)))
        }
        _ = fixture.handle(.urgentRemembered(earlier))
        #expect(fixture.mesh.urgency.left(of: Fixture.peer(9), at: fixture.now) == 1)
    }

    @Test func whatIsFetchedTakesNothingFromWhatHappensNow() throws {
        var fixture = try Fixture()
        let ids = try Fixture.ids(0..<5)
        try fixture.dialSource(200, on: 1, of: ids)
        let records = try ids.map { id in
            let record = try urgent(by: 9, in: &fixture)
            return VerifiedRecord(assumingVerified: record.signed, id: id)
        }
        for (number, record) in records.enumerated() {
            // The first is of yesterday.
            let age: UInt32 = number == 0 ? 86_400 : 5
            let isUrgent = (1...3).contains(number)
            #expect(
                fixture.handle(.served(1, record, ageSeconds: age)) == [
                    .keep(record, ageSeconds: age, isUrgent: isUrgent, from: 1)
                ])
        }
        #expect(fixture.mesh.urgency.left(of: Fixture.peer(9), at: fixture.now) == 3)
        let live = try urgent(by: 9, in: &fixture)
        #expect(hear(live, in: &fixture).first == .deliver(live, hops: 2, isUrgent: true))
    }

    @Test func theTableIsBoundedAndStrangersDoNotPushOutThePeopleIKnow() throws {
        var urgency = Urgency()
        func record(_ author: UInt64, _ number: UInt64) throws -> VerifiedRecord {
            let key = Bytes32(words: (author &* 0x9E37_79B9_7F4A_7C15, author, 0, 0))
            let record = Record(
                kind: .chat, author: PeerID(key), created: HybridTime(rawValue: number << 16), lifetimeSeconds: 600,
                topic: [], body: try Self.body())
            let signed = SignedRecord(record, signature: [UInt8](repeating: 0, count: 64))
            return VerifiedRecord(assumingVerified: signed, id: RecordID(Bytes32(words: (author, number, 1, 2))))
        }
        var now = Instant.zero
        for author in 0..<UInt64(MeshLimit.peopleMax) {
            for number in UInt64(0)..<3 {
                let one = try record(author, number)
                let isUrgent = urgency.allows(one, by: .relayed, isTrusted: false, at: now)
                #expect(isUrgent)
                urgency.count(one, by: .relayed, at: now)
            }
        }
        #expect(urgency.authorCount == MeshLimit.peopleMax && urgency.count == 3 * MeshLimit.peopleMax)
        let late = try record(1_000_000, 0)
        let isUrgent = [false, true].map { urgency.allows(late, by: .relayed, isTrusted: $0, at: now) }
        #expect(isUrgent == [false, true])
        urgency.count(late, by: .relayed, at: now)
        #expect(urgency.authorCount == MeshLimit.peopleMax + 1)
        now = now.advanced(by: .seconds(86_400))
        for author in 0..<UInt64(MeshLimit.peopleMax) {
            urgency.count(try record(2_000_000 + author, 0), by: .relayed, at: now)
        }
        #expect(urgency.authorCount <= MeshLimit.peopleMax + 1 && urgency.count <= MeshLimit.peopleMax + 1)
    }

    // MARK: - Where it goes

    @Test func anUrgentRecordIsPushedOnEveryLinkAndChangesNoTree() throws {
        var fixture = try fixture()
        _ = fixture.handle(.received(2, .prune(of: nil)))
        _ = fixture.handle(.received(3, .prune(of: Fixture.peer(9))))
        let record = try urgent(by: 9, in: &fixture)
        let effects = hear(record, in: &fixture)
        #expect(effects.pushed.tree.isEmpty && effects.pushed.beside == [2, 3])
        #expect(effects.haves.isEmpty)
        for link: LinkID in [2, 3, 2, 3] { #expect(hear(record, on: link, in: &fixture).isEmpty) }
        #expect(fixture.pass(.seconds(1)).haves.isEmpty)
    }

    @Test func aNewNeighbourIsPushedWhatIsUrgentAndAnnouncedTheRest() throws {
        var fixture = try fixture()
        let record = try urgent(by: 9, in: &fixture)
        _ = hear(record, in: &fixture)
        let other = try usual(by: 9, in: &fixture)
        _ = hear(other, in: &fixture)
        let effects = try fixture.connect(4, on: 4)
        #expect(
            effects.contains(
                .forward(record, timeToLive: 4, hops: 3, isStray: true, isUrgent: true, to: [4])))
        #expect(fixture.pass(.seconds(1)).haves.filter { $0.link == 4 }.flatMap(\.entries).map(\.id) == [other.id])
    }

    @Test func whatWaitedForAFirstNeighbourIsStillUrgent() throws {
        var fixture = try Fixture()
        let record = try urgent(by: 100, in: &fixture)
        #expect(fixture.handle(.submitted(record)) == [.deliver(record, hops: 0, isUrgent: true)])
        #expect(
            try fixture.connect(1, on: 1).contains(.forward(record, timeToLive: 32, hops: 1, isUrgent: true, to: [1])))
    }

    @Test func anUrgentRecordPassesABusyLink() throws {
        var fixture = try fixture(busy: true)
        let waiting = try usual(by: 8, in: &fixture)
        #expect(hear(waiting, in: &fixture).forwarded.map(\.links) == [[2]])
        let record = try urgent(by: 9, in: &fixture)
        #expect(
            hear(record, in: &fixture) == [
                .deliver(record, hops: 2, isUrgent: true),
                .forward(record, timeToLive: 4, hops: 3, isUrgent: true, to: [2, 3]),
            ])
        #expect(fixture.mesh.fairness.backlogCount == 1)
    }

    @Test func aLiarsFourthWaitsBehindOthersLikeAnyRecord() throws {
        var (liar, honest) = (try fixture(busy: true), try fixture(busy: true))
        for _ in 0..<3 {
            _ = hear(try urgent(by: 9, bytes: 100, in: &liar), in: &liar)
            _ = hear(try usual(by: 9, bytes: 102, in: &honest), in: &honest)
        }
        _ = honest.handle(.linkFree(3))
        _ = honest.handle(.linkBusy(3))
        // From here on both get the same turns.
        for _ in 0..<40 {
            _ = hear(try urgent(by: 9, bytes: 100, in: &liar), in: &liar)
            _ = hear(try usual(by: 9, bytes: 102, in: &honest), in: &honest)
            _ = hear(try usual(by: 8, bytes: 100, in: &liar), in: &liar)
            _ = hear(try usual(by: 8, bytes: 100, in: &honest), in: &honest)
        }
        func authors(_ effects: [MeshEffect]) -> [RecordID] { effects.forwarded.map(\.record) }
        let sent = liar.handle(.linkFree(3))
        #expect(sent.allSatisfy { if case .forward(_, _, _, _, false, _) = $0 { true } else { false } })
        #expect(authors(sent) == authors(honest.handle(.linkFree(3))) && sent.count == 80)
    }

    @Test func urgentRecordsOfManyAuthorsFillNeitherALinkNorItsQueue() throws {
        var fixture = try fixture(busy: true)
        var (urgentCount, passed) = (0, 0)
        // They are strangers. Half of what they bring comes over each of two links.
        for rank in UInt8(101)...228 where rank != 100 {
            let record = try urgent(by: rank, bytes: 4_000, in: &fixture)
            let effects = hear(record, on: rank % 2 == 0 ? 1 : 2, in: &fixture)
            if effects.first == .deliver(record, hops: 2, isUrgent: true) { urgentCount += 1 }
            if effects.forwarded.contains(where: { $0.links.contains(3) }) { passed += record.signed.bytes.count }
        }
        let cost = Int64(5)
        #expect(Int64(urgentCount) == 2 * (MeshLimit.urgent.halved.burst / cost))
        #expect(passed > 0 && passed <= MeshLimit.urgentPassedBytesMax)
    }

    @Test func aFloodingAuthorIsLimitedEvenIfItIsUrgent() throws {
        var options = MeshOptions(mesh: try MeshName("test"), meshTag: 7)
        options.originRate = 60
        let rate = options.originRate * MeshLimit.burstSeconds
        var fairness = Fairness(originRate: options.originRate, linkRate: MeshOptions.linkRateUsual)
        fairness.linkOpened()
        var fixture = try Fixture()
        for _ in 0..<rate {
            let record = try usual(by: 9, in: &fixture)
            let admission = fairness.admits(record, isOfNewcomer: false, isUrgent: false, on: 0, at: .zero)
            #expect(admission == .asUsual)
        }
        let record = try urgent(by: 9, in: &fixture)
        let admission = fairness.admits(record, isOfNewcomer: false, isUrgent: true, on: 0, at: .zero)
        #expect(admission == .refused)
    }

    @Test func anUrgentRecordPassesALinkThatBringsTooMuch() throws {
        var fairness = Fairness(originRate: 60, linkRate: 120)
        fairness.linkOpened()
        var fixture = try Fixture()
        var rank: UInt8 = 101
        while fairness.admits(
            try usual(by: rank, bytes: 4_000, in: &fixture), isOfNewcomer: false, isUrgent: false, on: 0, at: .zero)
            == .asUsual
        {
            rank += 1
        }
        let record = try urgent(by: 9, in: &fixture)
        let admission = fairness.admits(record, isOfNewcomer: false, isUrgent: true, on: 0, at: .zero)
        #expect(admission == .asUrgent)
    }

    @Test func anUrgentRecordOfABlockedAuthorIsDropped() throws {
        var fixture = try fixture()
        _ = fixture.handle(.blockedChanged([Fixture.peer(9)]))
        #expect(hear(try urgent(by: 9, in: &fixture), in: &fixture).isEmpty)
        #expect(fixture.mesh.urgency.left(of: Fixture.peer(9), at: fixture.now) == 3)
    }
}

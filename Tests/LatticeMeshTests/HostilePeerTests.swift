import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// A neighbour that lies or floods costs others no more than its own share.
@Suite struct HostilePeerTests {
    /// A peer whose neighbours take every place.
    private func full(_ links: UInt8) throws -> Fixture {
        var fixture = try Fixture(activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private func peer(_ number: Int) throws -> PeerID {
        var key = [UInt8](repeating: 7, count: 32)
        for byte in 0..<3 { key[byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
        return PeerID(try #require(Bytes32(key)))
    }

    private func card(_ number: Int) throws -> PeerCard {
        let host = "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
        return try #require(PeerCard(peer: try peer(number), address: PeerAddress(host: host, port: 4_000)))
    }

    private func id(_ number: Int) throws -> RecordID {
        RecordID(try peer(number).key)
    }

    // MARK: - Grafts and haves

    @Test func recordsThatNobodyOfferedAreGivenWithinBoundsWhoeverAsks() throws {
        var fixture = try full(2)
        let record = try fixture.record(by: 9, body: [UInt8](repeating: 1, count: 50_000))
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        let ids = [RecordID](repeating: record.id, count: Graft.countMax)
        let graft = Frame.graft(Graft(ids: ids))
        var given = 0
        for _ in 0..<10 { given += fixture.handle(.received(2, graft)).forwarded.count }
        let size = Int64(record.signed.bytes.count / 1_024)
        #expect(given > 0 && Int64(given) * size <= MeshLimit.grafts.burst)
        // Who asks too much is out of it; others are not.
        #expect(fixture.handle(.received(1, .graft(Graft(ids: [record.id])))).forwarded.count == 1)
        #expect(fixture.handle(.received(2, .graft(Graft(ids: [record.id])))).forwarded.isEmpty)
    }

    @Test func askingForWhatNobodyHasCostsTheAskerItsShareToo() throws {
        var fixture = try full(2)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
        let unknown = try (0..<Graft.countMax).map { try id($0) }
        for _ in 0...MeshLimit.grafts.burst / Int64(Graft.countMax) {
            #expect(fixture.handle(.received(2, .graft(Graft(ids: unknown)))).isEmpty)
        }
        #expect(fixture.handle(.received(2, .graft(Graft(ids: [record.id])))).isEmpty)
        #expect(fixture.handle(.received(1, .graft(Graft(ids: [record.id])))).forwarded.count == 1)
    }

    @Test func recordsThatDoNotExistTakeNoMoreThanTheirPlaces() throws {
        var fixture = try full(2)
        for batch in 0..<20 {
            let entries = try (0..<Have.countMax).map { Have.Entry(id: try id(batch << 12 + $0), hops: 1) }
            _ = fixture.handle(.received(2, .have(Have(entries: entries))))
        }
        #expect(fixture.mesh.broadcast.missing.count <= MeshLimit.missingMax)
        let record = try fixture.record(by: 9)
        _ = fixture.handle(.received(1, .have(Have(entries: [Have.Entry(id: record.id, hops: 1)]))))
        let asked = fixture.pass(fixture.mesh.options.graftDelay).grafts
        #expect(asked.contains { $0.link == 1 && $0.ids == [record.id] })
        #expect(asked.allSatisfy { $0.ids.count <= Graft.countMax })
        _ = fixture.pass(.seconds(60))
        #expect(fixture.mesh.broadcast.missing.count == 0)
    }

    @Test func aLinkThatFlipsTheTreeHasNoMoreThanItsPrunes() throws {
        var fixture = try full(2)
        var prunes = 0
        for _ in 0..<MeshLimit.prunes.burst * 2 {
            let record = try fixture.record(by: 9)
            _ = fixture.handle(.heard(1, record, RecordArrival(timeToLive: 5, hops: 2)))
            _ = fixture.handle(.received(2, .graft(Graft(ids: []))))
            if fixture.handle(.heard(2, record, RecordArrival(timeToLive: 5, hops: 2))).contains(
                .send(.prune(of: nil), to: 2))
            {
                prunes += 1
            }
        }
        #expect(Int64(prunes) == MeshLimit.prunes.burst)
    }

    // MARK: - Walks and shuffles

    @Test func walksBeyondTheRateGoNoFurther() throws {
        var fixture = try full(2)
        let walk = Frame.walk(Walk(kind: .seek, timeToLive: 9, origin: try Fixture.card(50)))
        var passed = 0
        for _ in 0..<MeshLimit.walks.burst * 3 { passed += fixture.handle(.received(1, walk)).walks.count }
        #expect(Int64(passed) == MeshLimit.walks.burst)
        #expect(fixture.handle(.received(2, walk)).walks.map(\.link) == [1])
    }

    @Test func shufflesBeyondTheRateAreNeitherPassedOnNorAnswered() throws {
        for timeToLive in [UInt8(0), 3] {
            var fixture = try full(2)
            let shuffle = Shuffle(
                direction: .request, timeToLive: timeToLive, origin: Fixture.peer(50), cards: [try Fixture.card(50)])
            var sent = 0
            for _ in 0..<MeshLimit.shuffles.burst * 3 {
                sent += fixture.handle(.received(1, .shuffle(shuffle))).shuffles.count
            }
            #expect(Int64(sent) == MeshLimit.shuffles.burst)
            #expect(fixture.handle(.received(2, .shuffle(shuffle))).shuffles.count == 1)
        }
    }

    @Test func aForgedTimeToLiveIsCutToWhatIsUsual() throws {
        var fixture = try full(2)
        let usual = [(Walk.Kind.join, MeshLimit.joinWalkSteps), (.seek, MeshLimit.seekWalkSteps)]
        for (kind, steps) in usual {
            let walk = Walk(kind: kind, timeToLive: Walk.timeToLiveMax, origin: try Fixture.card(50))
            #expect(fixture.handle(.received(1, .walk(walk))).walks.map(\.walk.timeToLive) == [steps - 1])
        }
        let shuffle = Shuffle(
            direction: .request, timeToLive: Shuffle.timeToLiveMax, origin: Fixture.peer(50), cards: [])
        let passed = fixture.handle(.received(1, .shuffle(shuffle))).shuffles
        #expect(passed.map(\.shuffle.timeToLive) == [MeshLimit.shuffleSteps - 1])
    }

    @Test func aRecordWithTheLargestTimeToLiveStillEndsByItsHops() throws {
        var fixture = try full(2)
        let record = try fixture.record(by: 9)
        let last = RecordFrame.timeToLiveMax
        #expect(
            fixture.handle(.heard(1, record, RecordArrival(timeToLive: last, hops: last))) == [
                .deliver(record, hops: last)
            ])
    }

    // MARK: - Addresses

    @Test func strangersThatNeighboursTellOfAreLimited() throws {
        for policy in [MeshOptions.Policy.auto, .contacts] {
            for kind in [Walk.Kind.offer, .join] {
                var fixture = try Fixture(policy: policy, contacts: [1, 2], activeMax: 2)
                for rank in UInt8(1)...2 { try fixture.connect(rank, on: UInt64(rank)) }
                for number in 0..<1_000 {
                    fixture.now = fixture.now.advanced(by: .milliseconds(100))
                    let steps = kind == .join ? MeshLimit.joinWalkRememberedAt : 0
                    let walk = Walk(kind: kind, timeToLive: steps, origin: try card(number))
                    let ping = fixture.handle(.received(1, .walk(walk))).pings.first { $0.link == 2 }
                    if let ping { _ = fixture.handle(.received(2, .pong(nonce: ping.nonce))) }
                    if number % 20 == 0 { _ = fixture.handle(.received(2, .ping(nonce: 1))) }
                }
                let options = fixture.mesh.options
                let count = fixture.mesh.membership.overlay.candidates.count
                #expect(count <= options.passiveMax + options.activeMax, "\(policy) \(kind)")
            }
        }
    }

    @Test func strangersInShufflesAreLimited() throws {
        var fixture = try full(1)
        for number in 0..<30 {
            let cards = try (0..<Shuffle.cardsMax).map { try card(number << 8 + $0) }
            let shuffle = Shuffle(direction: .request, timeToLive: 0, origin: try peer(number), cards: cards)
            _ = fixture.handle(.received(1, .shuffle(shuffle)))
        }
        let options = fixture.mesh.options
        #expect(fixture.mesh.membership.overlay.candidates.count == options.passiveMax + options.activeMax)
    }

    @Test func theAddressesOneNeighbourTellsOfAreDialledAtABoundedRate() throws {
        var fixture = try Fixture(activeMax: 60)
        try fixture.connect(1, on: 1)
        var dials = 0
        let seconds = 60
        for second in 0..<seconds {
            for number in 0..<Int(MeshLimit.shuffles.burst / 10) {
                let cards = try (0..<Shuffle.cardsMax).map { try card(second << 12 + number << 6 + $0) }
                let shuffle = Shuffle(direction: .request, timeToLive: 0, origin: try peer(second), cards: cards)
                var effects = fixture.handle(.received(1, .shuffle(shuffle)))
                while !effects.dials.isEmpty {
                    dials += effects.dials.count
                    effects = effects.dialIDs.flatMap {
                        fixture.handle(.dialFailed($0, .noConnection(reason: "refused")))
                    }
                }
            }
            dials += fixture.pass(.seconds(1)).dials.count
        }
        #expect(Int64(dials) <= MeshLimit.toldDials.burst + Int64(seconds + 1) * 4)
        #expect(dials > 0)
    }

    // MARK: - Places

    @Test func strangersThatInviteUrgentlyDisplaceOneAnotherAndNotThePeersWeChose() throws {
        var fixture = try Fixture()
        let places = fixture.mesh.options.activeMax
        for number in 0..<places { try fixture.dial(UInt8(150 + number), on: UInt64(number + 1)) }
        for number in 0..<100 {
            _ = try fixture.connect(UInt8(number), on: UInt64(100 + number), isUrgent: true)
            fixture.now = fixture.now.advanced(by: .milliseconds(100))
        }
        let chosen = fixture.mesh.register.rows.filter { $0.isConnected && $0.isOurs }
        #expect(chosen.count == places - 1)
        #expect(fixture.mesh.register.neighbourCount == places)
    }

    @Test func strangersThatAreSentRoundDisplaceOneAnotherAndNotThePeersWeChose() throws {
        for isTakenUp in [true, false] {
            var fixture = try Fixture()
            let places = fixture.mesh.options.activeMax
            for number in 0..<places { try fixture.dial(UInt8(150 + number), on: UInt64(number + 1)) }
            for rank in UInt8(1)...30 {
                let walk = Walk(kind: .join, timeToLive: 0, origin: try Fixture.card(rank))
                let giver = try #require(fixture.mesh.register.rows.first { $0.isConnected }).id
                let effects = fixture.handle(.received(giver, .walk(walk)), after: .milliseconds(100))
                guard let dial = effects.dialIDs.first else { continue }
                let link = LinkID(rawValue: 100 + UInt64(rank))
                _ = fixture.handle(.linkOpened(link, try fixture.opened(rank, dial: dial.rawValue)))
                for offer in fixture.handle(.received(link, .accept(room: 7))).walks where isTakenUp {
                    _ = fixture.handle(.linkClosed(offer.link, .goodbye(Goodbye(.full, ""))))
                }
            }
            _ = fixture.pass(MeshLimit.offerTimeout * 2)
            let chosen = fixture.mesh.register.rows.filter { $0.isConnected && $0.peer >= Fixture.peer(150) }
            // The first of them finds nobody else to displace.
            #expect(chosen.count == (isTakenUp ? places - 1 : places))
            #expect(fixture.mesh.register.neighbourCount == places)
        }
    }

    @Test func placesAreGivenUpAtABoundedRate() throws {
        var fixture = try full(4)
        var accepted = 0
        for number in 0..<Int(MeshLimit.evictions.burst) * 3 {
            let effects = try fixture.connect(UInt8(number + 110), on: UInt64(100 + number), isUrgent: true)
            accepted += effects.refusals.isEmpty ? 1 : 0
            for link in effects.closed { _ = fixture.handle(.linkClosed(link, .left)) }
        }
        #expect(Int64(accepted) == MeshLimit.evictions.burst)
        #expect(fixture.mesh.register.neighbourCount == 4)
    }
}

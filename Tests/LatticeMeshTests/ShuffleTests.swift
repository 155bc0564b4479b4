import LatticeCore
import LatticeMesh
import LatticeWire
import Testing

/// Exchanges of addresses: our own, those that pass through, those that end here.
@Suite struct ShuffleTests {
    private func full(_ links: UInt8) throws -> Fixture {
        var fixture = try Fixture(activeMax: Int(links))
        for rank in 1...links { try fixture.connect(rank, on: UInt64(rank)) }
        return fixture
    }

    private func request(_ timeToLive: UInt8, of rank: UInt8 = 50, _ cards: [PeerCard]) -> Shuffle {
        Shuffle(direction: .request, timeToLive: timeToLive, origin: Fixture.peer(rank), cards: cards)
    }

    private func answer(to peer: PeerID, _ cards: [PeerCard]) -> Shuffle {
        Shuffle(direction: .answer, timeToLive: 0, origin: peer, cards: cards)
    }

    private func received(_ shuffle: Shuffle, on link: LinkID, by fixture: inout Fixture) -> [MeshEffect] {
        fixture.handle(.received(link, .shuffle(shuffle)))
    }

    /// Whom a full peer dials once its neighbours are gone: whom it remembered.
    private func remembered(by fixture: inout Fixture) -> Set<PeerAddress> {
        var dials: [PeerAddress] = []
        for link in UInt64(1)...UInt64(fixture.mesh.options.activeMax) {
            dials += fixture.handle(.linkClosed(LinkID(rawValue: link), .goodbye(Goodbye(.leaving, "")))).dials
        }
        for dial in UInt64(1)...100 {
            dials += fixture.handle(.dialFailed(DialID(rawValue: dial), .noConnection(reason: "refused"))).dials
        }
        return Set(dials)
    }

    // MARK: - Ours

    @Test func oursNamesUsFirstAndThenNeighboursAndGoesToOne() throws {
        var fixture = try full(3)
        let shuffle = try #require(fixture.pass(MeshLimit.shuffleDelayMin).shuffles.first).shuffle
        #expect(shuffle.direction == .request && shuffle.timeToLive == MeshLimit.shuffleSteps)
        #expect(shuffle.origin == fixture.me && shuffle.cards.first == .own(fixture.me))
        #expect(Set(shuffle.cards.dropFirst()) == Set(try (UInt8(1)...3).map { try Fixture.card($0) }))
    }

    @Test func whoKnowsFewGoesOnAskingMoreSeldom() throws {
        var fixture = try full(3)
        let first = fixture.pass(MeshLimit.shuffleDelayMin * 10).shuffles.count
        #expect(first >= 3)
        _ = fixture.pass(.seconds(60))
        let later = fixture.pass(MeshLimit.shuffleDelayMax * 10).shuffles.count
        #expect((10...20).contains(later))
    }

    @Test func anAnswerIsLearnedOnceAndInTime() throws {
        var fixture = try full(2)
        let answers = try (UInt8(50)...53).map { answer(to: fixture.me, [try Fixture.card($0)]) }
        #expect(received(answers[0], on: 1, by: &fixture).isEmpty)
        _ = try #require(fixture.pass(MeshLimit.shuffleDelayMin).shuffles.first)
        #expect(received(answers[1], on: 1, by: &fixture).isEmpty)
        #expect(received(answers[2], on: 1, by: &fixture).isEmpty)
        #expect(remembered(by: &fixture) == [Fixture.address(51)])
    }

    @Test func anAnswerThatComesTooLateIsNotLearned() throws {
        var fixture = try full(2)
        while fixture.handle(.woke, after: .milliseconds(10)).shuffles.isEmpty {}
        fixture.now = fixture.now.advanced(by: MeshLimit.shuffleTimeout + .nanoseconds(1))
        let late = answer(to: fixture.me, [try Fixture.card(50)])
        // The event that brings it makes the next exchange due, too: what counts is that it came before that.
        _ = received(late, on: 1, by: &fixture)
        #expect(!remembered(by: &fixture).contains(Fixture.address(50)))
    }

    @Test func whoIsRefusedForWantOfRoomLearnsOfOthers() throws {
        var fixture = try Fixture()
        let dial = try #require(fixture.handle(.sighted(Fixture.sighting(101))).dialIDs.first)
        _ = fixture.handle(.linkOpened(101, try fixture.opened(101, dial: dial.rawValue)))
        let effects = received(answer(to: fixture.me, [try Fixture.card(50)]), on: 101, by: &fixture)
        #expect(effects.dials == [Fixture.address(50)])
        #expect(fixture.handle(.received(101, .refuse(.full))).closed == [101])
    }

    // MARK: - Of others

    @Test func aShuffleGoesOnWithWhatWasSeenOfItsGiver() throws {
        var fixture = try full(2)
        let cards = [PeerCard.own(Fixture.peer(1)), try Fixture.card(51), .own(Fixture.peer(52))]
        let passed = request(3, of: 1, [try Fixture.card(1), try Fixture.card(51)])
        #expect(received(request(4, of: 1, cards), on: 1, by: &fixture) == [.send(.shuffle(passed), to: 2)])
        #expect(remembered(by: &fixture).isEmpty)
    }

    @Test func nothingIsPassedOnThatWouldNotBeBelieved() throws {
        var fixture = try full(2)
        let cards = [
            try Fixture.card(50), try Fixture.card(51, host: "127.0.0.1"), try Fixture.card(52, host: "ff02::1"),
        ]
        let passed = request(3, [try Fixture.card(50)])
        #expect(received(request(4, cards), on: 1, by: &fixture) == [.send(.shuffle(passed), to: 2)])
        let back = received(answer(to: Fixture.peer(50), cards), on: 2, by: &fixture)
        #expect(back == [.send(.shuffle(answer(to: Fixture.peer(50), [try Fixture.card(50)])), to: 1)])
    }

    @Test func aShuffleAtItsEndIsAnsweredAndLearned() throws {
        var fixture = try full(1)
        let effects = received(request(0, [try Fixture.card(50), try Fixture.card(51)]), on: 1, by: &fixture)
        #expect(effects == [.send(.shuffle(answer(to: Fixture.peer(50), [try Fixture.card(1)])), to: 1)])
        #expect(remembered(by: &fixture) == [Fixture.address(50), Fixture.address(51)])
    }

    @Test func aShuffleThatCanGoToNobodyElseEndsHere() throws {
        var fixture = try full(1)
        let effects = received(request(4, [try Fixture.card(50)]), on: 1, by: &fixture)
        #expect(effects.shuffles.map(\.shuffle.direction) == [.answer])
    }

    @Test func theAnswerNamesNobodyTwiceAndNotWhoAsked() throws {
        var fixture = try full(2)
        for rank in UInt8(1)...2 { _ = received(request(0, [try Fixture.card(50 + rank)]), on: 1, by: &fixture) }
        let shuffle = try #require(received(request(0, of: 1, []), on: 1, by: &fixture).shuffles.first).shuffle
        #expect(Set(shuffle.cards) == Set(try [2, 51, 52].map { try Fixture.card($0) }))
        #expect(Set(shuffle.cards).count == shuffle.cards.count)
    }

    @Test func anAnswerGoesBackTheWayTheQuestionCameOnce() throws {
        var fixture = try full(3)
        let sent = received(request(4, [try Fixture.card(50)]), on: 1, by: &fixture)
        let next = try #require(sent.shuffles.first).link
        let back = answer(to: Fixture.peer(50), [try Fixture.card(51)])
        #expect(received(back, on: next, by: &fixture) == [.send(.shuffle(back), to: 1)])
        #expect(received(back, on: next, by: &fixture).isEmpty)
    }

    @Test func anAnswerForSomebodyWhoIsGoneEndsHere() throws {
        var fixture = try full(2)
        _ = received(request(4, [try Fixture.card(50)]), on: 1, by: &fixture)
        _ = fixture.handle(.linkClosed(1, .broken("reset")))
        let back = answer(to: Fixture.peer(50), [try Fixture.card(51)])
        #expect(received(back, on: 2, by: &fixture).isEmpty)
    }

    @Test func ourOwnShuffleThatComesRoundIsIgnored() throws {
        var fixture = try full(2)
        let own = Shuffle(direction: .request, timeToLive: 3, origin: fixture.me, cards: [])
        #expect(received(own, on: 1, by: &fixture).isEmpty)
    }
}

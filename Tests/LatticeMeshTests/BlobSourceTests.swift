import LatticeCore
import LatticeWire
import Testing

@testable import LatticeMesh

/// Sources that change their mind, send in another order, stay silent or leave.
@Suite struct BlobSourceTests {
    /// One peer; its neighbours are played by the test.
    private struct Stage {
        var exchange = BlobExchange(seed: 1)
        var now = Instant.zero
        /// The newest ask on each link.
        private(set) var asks: [LinkID: UInt32] = [:]
        private(set) var opens: [LinkID: Int] = [:]

        init(links: Int) {
            for number in 1...UInt64(links) {
                handle(.linkOpened(LinkID(rawValue: number), Self.peer(number)))
            }
        }

        static func peer(_ number: UInt64) -> PeerID { PeerID(Bytes32(words: (number, 0, 0, 0))) }

        @discardableResult
        mutating func handle(_ event: BlobExchange.Event) -> [BlobExchange.Effect] {
            let effects = exchange.handle(event, at: now)
            for case .send(.want(let want), let link) in effects {
                guard case .open = want.kind else { continue }
                asks[link] = want.ask
                opens[link, default: 0] += 1
            }
            return effects
        }

        @discardableResult
        mutating func want(_ name: BlobName) -> [BlobExchange.Effect] {
            handle(.wanted(name, have: PieceSet(of: BlobShape(name).pieceCount), from: nil))
        }

        @discardableResult
        mutating func have(_ pieces: [Int]?, away: UInt8 = 0, on link: LinkID) -> [BlobExchange.Effect] {
            let ranges = pieces.map { PieceRanges(asking: $0) }
            return handle(.received(.holds(.have(ask: asks[link] ?? 0, away: away, pieces: ranges)), on: link))
        }

        @discardableResult
        mutating func decline(_ pieces: [Int] = [], on link: LinkID) -> [BlobExchange.Effect] {
            let absent = Absent(ask: asks[link] ?? 0, .notHere, pieces: PieceRanges(asking: pieces))
            return handle(.received(.absent(absent), on: link))
        }

        @discardableResult
        mutating func piece(_ number: Int, on link: LinkID) -> [BlobExchange.Effect] {
            handle(.pieceCame(ask: asks[link] ?? 0, number: number, on: link))
        }

        /// Time passes; whatever is due happens.
        mutating func pass(until end: Instant, _ each: (inout Stage, [BlobExchange.Effect]) -> Void = { _, _ in }) {
            while let deadline = exchange.nextDeadline, deadline <= end {
                now = max(now, deadline)
                let effects = handle(.tick)
                each(&self, effects)
            }
            now = end
        }
    }

    private static func more(_ effects: [BlobExchange.Effect], on link: LinkID) -> [Int] {
        effects.flatMap { effect -> [Int] in
            guard case .send(.want(let want), link) = effect, case .more(let ranges) = want.kind else { return [] }
            return Array(ranges.numbers)
        }
    }

    private static func haves(_ effects: [BlobExchange.Effect], to link: LinkID) -> [Holds] {
        effects.compactMap { effect in
            guard case .send(.holds(let holds), link) = effect else { return nil }
            return holds
        }
    }

    private static func seconds(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    // MARK: - Sources that decline

    @Test func whatASourceDeclinedAndClaimsAgainIsNotAskedForAtOnce() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        stage.want(name)
        var asked = Self.more(stage.have(nil, on: 1), on: 1)
        var askedCount = 0
        while !asked.isEmpty, askedCount < 1_000 {
            askedCount += asked.count
            var effects = stage.decline(asked, on: 1)
            effects += stage.have(nil, on: 1)
            asked = Self.more(effects, on: 1)
        }
        #expect(askedCount <= BlobShape(name).pieceCount)
        // It is asked again later, and less and less often.
        var later = 0
        stage.pass(until: Self.seconds(600)) { stage, effects in
            var asked = Self.more(effects, on: 1)
            while !asked.isEmpty, later < 100_000 {
                later += asked.count
                var effects = stage.decline(asked, on: 1)
                effects += stage.have(nil, on: 1)
                asked = Self.more(effects, on: 1)
            }
        }
        #expect(later > 0 && later <= 32 * BlobShape(name).pieceCount)
    }

    /// A relay that had no source for a moment.
    @Test func whatASourceDeclinedAndClaimsAgainIsAskedForInTheEnd() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 100_000)
        stage.want(name)
        let asked = Self.more(stage.have(nil, on: 1), on: 1)
        #expect(asked == [0, 1, 2, 3, 4])
        #expect(Self.more(stage.decline(asked, on: 1), on: 1) == [])
        stage.have([1], on: 1)
        stage.have(nil, on: 1)
        var again: [Int] = []
        stage.pass(until: Self.seconds(5)) { _, effects in again += Self.more(effects, on: 1) }
        #expect(again == asked)
    }

    @Test func aSourceThatEndsItsAskAgainAndAgainIsAskedLessAndLessOften() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        stage.want(name)
        stage.have(nil, on: 1)
        stage.decline(on: 1)
        var opens = 1
        stage.pass(until: Self.seconds(600)) { stage, _ in
            guard let count = stage.opens[1], count > opens else { return }
            opens = count
            stage.have(nil, on: 1)
            stage.decline(on: 1)
        }
        #expect((3...40).contains(opens), "\(opens)")
    }

    /// One that is busy holds up nobody but itself.
    @Test func whileASourceIsBusyOthersAreAsked() throws {
        var stage = Stage(links: 2)
        let name = try BlobWorld.blob(1, size: 3_000_000)
        stage.want(name)
        let asked = Self.more(stage.have(nil, on: 1), on: 1)
        let busy = Absent(ask: stage.asks[1] ?? 0, .busy, pieces: PieceRanges(asking: asked))
        #expect(Self.more(stage.handle(.received(.absent(busy), on: 1)), on: 1) == [])
        #expect(Self.more(stage.have(nil, on: 2), on: 2).contains(0))
        var later: [Int] = []
        stage.pass(until: Self.seconds(2)) { _, effects in later += Self.more(effects, on: 1) }
        #expect(!later.isEmpty)
    }

    @Test func whoOnlyTalksIsAsLateAsOneThatIsSilent() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        stage.want(name)
        #expect(Self.more(stage.have(nil, on: 1), on: 1).contains(0))
        let ask = stage.asks[1] ?? 0
        var isGivenUp = false
        for time in 1...12 {
            stage.pass(until: Self.seconds(Int64(time))) { _, effects in
                isGivenUp = isGivenUp || effects.contains(.send(.want(Want(ask: ask, .less(.none))), to: 1))
            }
            stage.have([], on: 1)
        }
        #expect(isGivenUp)
    }

    /// Many small blobs with several sources: none comes twice.
    @Test func whatIsOnItsWayIsNotAskedOfAnIdleSourceAtOnce() throws {
        var stage = Stage(links: 2)
        let name = try BlobWorld.blob(1, size: 20_000)
        stage.want(name)
        #expect(Self.more(stage.have(nil, on: 1), on: 1) == [0])
        #expect(Self.more(stage.have(nil, on: 2), on: 2) == [])
        var asked: [Int] = []
        stage.pass(until: Self.seconds(1)) { _, effects in asked += Self.more(effects, on: 2) }
        #expect(asked == [0])
    }

    /// A source whose pieces always come second makes nobody fetch everything twice.
    @Test func onlyAFewPiecesComeTwice() throws {
        var stage = Stage(links: 2)
        let name = try BlobWorld.blob(1, size: 30_000_000)
        stage.handle(.received(.want(Want(ask: 1, .open(name, hops: 1, .none))), on: 1))
        stage.handle(.looked(name, ask: 1, on: 1, .nothing))
        stage.have(nil, on: 2)
        stage.handle(.began(name, PieceSet(of: BlobShape(name).pieceCount)))
        stage.handle(.linkOpened(3, Stage.peer(3)))
        stage.have(nil, on: 3)
        var doubledCount = 0
        for number in 0..<500 {
            let more = Frame.want(Want(ask: 1, .more(PieceRanges(asking: [number]))))
            var effects = stage.handle(.received(more, on: 1))
            stage.pass(until: stage.now.advanced(by: .seconds(1))) { effects += $1 }
            let isDoubled = !Self.more(effects, on: 2).isEmpty && !Self.more(effects, on: 3).isEmpty
            doubledCount += isDoubled ? 1 : 0
            stage.piece(number, on: 2)
            stage.handle(.checked(name, number: number, from: 2, .kept))
            if isDoubled { stage.piece(number, on: 3) }
        }
        #expect((1...BlobLimit.doubledMax + 500 / BlobLimit.doubledShare).contains(doubledCount), "\(doubledCount)")
    }

    // MARK: - Another order

    @Test func aPieceBeforeWhatProvesItIsNotAskedForInALoop() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 30_000_000)
        stage.want(name)
        var asked = Self.more(stage.have(nil, on: 1), on: 1)
        var askedCount = 0
        // All but the first piece, which proves the others.
        while let number = asked.popLast(), askedCount < 10_000 {
            askedCount += 1
            guard number > 0 else { continue }
            let effects = stage.piece(number, on: 1)
            asked += Self.more(effects, on: 1)
            for case .check(_, let number, let link) in effects {
                asked += Self.more(stage.handle(.checked(name, number: number, from: link, .again)), on: 1)
            }
        }
        #expect(askedCount < 100)
    }

    /// The disk was full when the node came, and is not any more when its leaves come.
    @Test func aPieceBeforeWhatProvesItIsAskedForAgainOnceThatIsHere() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 100_000)
        stage.want(name)
        #expect(Self.more(stage.have(nil, on: 1), on: 1) == [0, 1, 2, 3, 4])
        for number in 0...4 { stage.piece(number, on: 1) }
        stage.handle(.checked(name, number: 0, from: 1, .notStored))
        for number in 1...4 {
            #expect(Self.more(stage.handle(.checked(name, number: number, from: 1, .again)), on: 1) == [])
        }
        var asked: [Int] = []
        stage.pass(until: Self.seconds(3)) { _, effects in asked += Self.more(effects, on: 1) }
        #expect(asked == [0])
        stage.piece(0, on: 1)
        asked += Self.more(stage.handle(.checked(name, number: 0, from: 1, .kept)), on: 1)
        #expect(Set(asked) == [0, 1, 2, 3, 4])
    }

    /// The store lost a node of the tree: it reports that for each leaf, at most once a second.
    @Test func whenTheStoreLosesANodeItIsFetchedAgainAndNotInALoop() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        stage.want(name)
        var asked = Self.more(stage.have(nil, on: 1), on: 1)
        var askedCount = 0
        while !asked.isEmpty, askedCount < 10_000 {
            let number = asked.removeFirst()
            askedCount += 1
            asked += Self.more(stage.piece(number, on: 1), on: 1)
            let verdict: BlobExchange.Verdict = number == 0 ? .kept : .again
            asked += Self.more(stage.handle(.checked(name, number: number, from: 1, verdict)), on: 1)
        }
        #expect(askedCount < 200)
    }

    // MARK: - Behind a relay

    /// A relay that asks the second neighbour for the first one.
    private func relay(_ name: BlobName, links: Int = 2) -> Stage {
        var stage = Stage(links: links)
        stage.handle(.received(.want(Want(ask: 1, .open(name, hops: 2, .none))), on: 1))
        stage.handle(.looked(name, ask: 1, on: 1, .nothing))
        return stage
    }

    @Test func whatASourceBehindARelayAddsIsPassedOn() throws {
        let name = try BlobWorld.blob(1, size: 3_000_000)
        var stage = relay(name)
        var told = Self.haves(stage.have(Array(0..<10), on: 2), to: 1)
        #expect(told == [.have(ask: 1, away: 1, pieces: PieceRanges(asking: 0..<10))])
        told = Self.haves(stage.have(Array(10..<20), on: 2), to: 1)
        stage.pass(until: Self.seconds(1)) { _, effects in told += Self.haves(effects, to: 1) }
        #expect(told == [.have(ask: 1, away: 1, pieces: PieceRanges(asking: 0..<20))])
    }

    @Test func whatSeveralSourcesBehindARelayHaveIsPutTogether() throws {
        let name = try BlobWorld.blob(1, size: 3_000_000)
        var stage = relay(name, links: 3)
        stage.have(Array(0..<10), on: 2)
        var told = Self.haves(stage.have(Array(30..<40), away: 1, on: 3), to: 1)
        stage.pass(until: Self.seconds(1)) { _, effects in told += Self.haves(effects, to: 1) }
        #expect(told == [.have(ask: 1, away: 1, pieces: PieceRanges(asking: Array(0..<10) + Array(30..<40)))])
    }

    @Test func whenTheLastSourceBehindARelayLeavesItSaysSoAtOnce() throws {
        let name = try BlobWorld.blob(1, size: 3_000_000)
        var stage = relay(name)
        stage.have(nil, on: 2)
        stage.handle(.began(name, PieceSet(of: BlobShape(name).pieceCount)))
        stage.handle(.received(.want(Want(ask: 1, .more(PieceRanges(asking: 0..<4)))), on: 1))
        let effects = stage.handle(.linkClosed(2))
        #expect(effects.contains(.send(.absent(Absent(ask: 1, .notHere)), to: 1)))
    }

    @Test func whileAnotherSourceIsBehindARelayNothingIsTakenBack() throws {
        let name = try BlobWorld.blob(1, size: 3_000_000)
        var stage = relay(name, links: 3)
        stage.have(nil, on: 2)
        stage.have(nil, away: 1, on: 3)
        stage.handle(.began(name, PieceSet(of: BlobShape(name).pieceCount)))
        var effects = stage.handle(.received(.want(Want(ask: 1, .more(PieceRanges(asking: 0..<4)))), on: 1))
        effects += stage.handle(.linkClosed(2))
        #expect(!effects.contains { if case .send(.absent, 1) = $0 { true } else { false } })
        #expect(Self.more(effects, on: 3) == [0, 1, 2, 3])
    }

    /// Relays whose questions cross ask each other on behalf of a third one. When that one leaves, they stop.
    @Test func relaysThatAskEachOtherDoNotKeepEachOtherAsking() throws {
        let name = try BlobWorld.blob(1, size: 3_000_000)
        var stage = relay(name, links: 3)
        stage.have([0], on: 2)
        stage.have([0], on: 3)
        stage.handle(.received(.want(Want(ask: 1, .open(name, hops: 1, .none))), on: 2))
        stage.handle(.looked(name, ask: 1, on: 2, .nothing))
        var effects: [BlobExchange.Effect] = []
        stage.pass(until: Self.seconds(40)) { _, news in effects += news }
        #expect(!effects.contains(.dropped(name)))
        stage.handle(.received(.want(Want(ask: 1, .less(.none))), on: 1))
        stage.pass(until: Self.seconds(80)) { _, news in effects += news }
        #expect(effects.contains(.dropped(name)))
        #expect(effects.contains(.send(.absent(Absent(ask: 1, .notHere)), to: 2)))
    }

    @Test func whoSeeksForEverLeavesSlotsToOthers() throws {
        var stage = Stage(links: 3)
        func seek(_ number: UInt32, on link: LinkID) throws -> Bool {
            let name = try BlobWorld.blob(UInt64(link.rawValue << 32 | UInt64(number)), size: 1_000)
            stage.handle(.received(.want(Want(ask: number, .open(name, hops: 2, .none))), on: link))
            let effects = stage.handle(.looked(name, ask: number, on: link, .nothing))
            return effects.contains { if case .send(.want, 3) = $0 { true } else { false } }
        }
        let first = try (1...60).filter { try seek($0, on: 1) }
        #expect(first.count == BlobLimit.furtherOfLinkMax / 2)
        let isSought = try seek(1, on: 2)
        #expect(isSought)
    }

    /// The neighbour looks for 8 blobs a second on behalf of this node, its own among them.
    @Test func whoSeeksOneAfterAnotherLeavesTurnsToOthers() throws {
        var stage = Stage(links: 3)
        func seek(_ number: UInt32, on link: LinkID) throws -> Bool {
            let name = try BlobWorld.blob(UInt64(link.rawValue << 32 | UInt64(number)), size: 1_000)
            stage.handle(.received(.want(Want(ask: number, .open(name, hops: 2, .none))), on: link))
            let effects = stage.handle(.looked(name, ask: number, on: link, .nothing))
            let asks = effects.compactMap { effect -> (UInt32, LinkID)? in
                if case .send(.want(let want), let other) = effect { (want.ask, other) } else { nil }
            }
            for (ask, other) in asks { stage.handle(.received(.absent(Absent(ask: ask, .notHere)), on: other)) }
            return asks.contains { $0.1 == 3 }
        }
        let first = try (1...60).filter { try seek($0, on: 1) }
        #expect(first.count == BlobLimit.passedForIt.burst)
        let second = try (1...60).filter { try seek($0, on: 2) }
        #expect(second.count == (BlobLimit.passed.burst - BlobLimit.passedForIt.burst) / 2)
    }

    @Test func whatNobodyCanBeAskedForIsDeclinedAtOnce() throws {
        var stage = Stage(links: 2)
        let most = UInt32(BlobLimit.furtherOfLinkMax / 2)
        for number in 1...most + 1 {
            let name = try BlobWorld.blob(UInt64(number), size: 1_000)
            stage.handle(.received(.want(Want(ask: number, .open(name, hops: 2, .none))), on: 1))
            let effects = stage.handle(.looked(name, ask: number, on: 1, .nothing))
            let isDeclined = effects.contains(.send(.absent(Absent(ask: number, .notHere)), to: 1))
            #expect(isDeclined == (number > most))
        }
    }

    /// The one who asks for pieces came when the blob had been looked for in vain.
    @Test func aRelayMakesSpaceBeforeItFetches() throws {
        let name = try BlobWorld.blob(1, size: 100_000)
        var stage = relay(name)
        stage.have([], on: 2)
        stage.handle(.linkOpened(3, Stage.peer(3)))
        stage.decline(on: 3)
        stage.handle(.received(.want(Want(ask: 1, .open(name, hops: 0, .none))), on: 3))
        stage.handle(.looked(name, ask: 1, on: 3, .nothing))
        // Only the neighbour that looked for the blob learns what comes behind the second link.
        var effects = stage.handle(.received(.want(Want(ask: 1, .less(.none))), on: 1))
        effects += stage.have(nil, on: 2)
        effects += stage.handle(.received(.want(Want(ask: 1, .more(PieceRanges(asking: [0])))), on: 3))
        #expect(effects.contains(.begin(name)) && Self.more(effects, on: 2) == [])
        #expect(Self.more(stage.handle(.began(name, PieceSet(of: 5))), on: 2) == [0])
    }

    /// Who asks again after that is not left without an answer until it gives the relay up.
    @Test func aRelayWithoutASourceAnswersWhoAsksAgain() throws {
        let name = try BlobWorld.blob(1, size: 3_000_000)
        var stage = relay(name)
        stage.have(nil, on: 2)
        stage.handle(.began(name, PieceSet(of: BlobShape(name).pieceCount)))
        stage.decline(on: 2)
        stage.now = Self.seconds(1)
        stage.handle(.received(.want(Want(ask: 2, .open(name, hops: 2, .none))), on: 1))
        let effects = stage.handle(.looked(name, ask: 2, on: 1, .some(PieceSet(of: BlobShape(name).pieceCount))))
        #expect(effects.contains(.send(.absent(Absent(ask: 2, .notHere)), to: 1)))
    }

    /// Two neighbours want what neither has: each goes on asking the other, and neither is thought silent.
    @Test func twoThatWantTheSameTellEachOtherThatTheyHaveNothingYet() throws {
        var world = BlobWorld(3)
        let name = try BlobWorld.blob(1, size: 1_000_000)
        world.link(0, 1, as: 1)
        for rank in 0...1 { world.want(name, at: rank) }
        world.run(until: Self.seconds(300))
        world.keep(name, at: 2)
        world.link(1, 2, as: 2)
        world.run(until: Self.seconds(303))
        #expect(world.peers[0].completed == [name] && world.peers[1].completed == [name])
    }

    /// The relay next to the wanter knows a neighbour with a part of it, and the rest is one link further.
    @Test func aRelayThatFoundAPartOfItLooksFurtherForTheRest() throws {
        var world = BlobWorld(4)
        let name = try BlobWorld.blob(1, size: 100_000)
        world.keep(name, at: 1, 0..<3)
        world.keep(name, at: 0)
        for rank in 0..<3 { world.link(rank, rank + 1, as: LinkID(rawValue: UInt64(rank + 1))) }
        world.want(name, at: 3)
        world.run(until: Self.seconds(60))
        #expect(world.peers[3].completed == [name])
    }

    // MARK: - Sources that are given up

    /// Who claims leaves and lacks what proves them does not keep others from being looked for.
    @Test func whoHasOnlyWhatCannotBeProvenIsNoSource() throws {
        var stage = Stage(links: 2)
        stage.want(try BlobWorld.blob(1, size: 70_000_000))
        stage.decline(on: 2)
        let asked = Self.more(stage.have(nil, on: 1), on: 1)
        #expect(asked == [0, 1, 2, 3, 4, 5, 6, 7])
        stage.decline(asked, on: 1)
        stage.have(nil, on: 1)
        #expect(stage.opens[2] == 1)
        stage.pass(until: Self.seconds(1))
        #expect(stage.opens[2] == 2)
    }

    /// A path that stalls and then brings everything, also what was asked for once more.
    @Test func whatComesTwiceAfterAStallBlamesNobody() throws {
        var stage = Stage(links: 1)
        let name = try BlobWorld.blob(1, size: 30_000_000)
        stage.want(name)
        var asked = Self.more(stage.have(nil, on: 1), on: 1)
        // Five quick round trips, so that much is asked for at once.
        for _ in 0..<5 {
            stage.now = stage.now.advanced(by: .milliseconds(10))
            var next: [Int] = []
            for number in asked {
                next += Self.more(stage.piece(number, on: 1), on: 1)
                next += Self.more(stage.handle(.checked(name, number: number, from: 1, .kept)), on: 1)
            }
            asked = next
        }
        #expect(asked.count > 200)
        var again: [Int] = []
        stage.pass(until: stage.now.advanced(by: .seconds(6))) { _, effects in again += Self.more(effects, on: 1) }
        #expect(again.count > BlobLimit.unasked.burst)
        for number in asked + again { stage.piece(number, on: 1) }
        #expect(!stage.exchange.isShunned(Stage.peer(1), at: stage.now))
    }

    /// The pieces that a shunned peer owes of other blobs are asked of others, too.
    @Test func whatAShunnedPeerOwesIsAskedOfOthersAtOnce() throws {
        var stage = Stage(links: 2)
        stage.want(try BlobWorld.blob(1, size: 100_000))
        #expect(Self.more(stage.have(nil, on: 1), on: 1) == [0, 1, 2, 3, 4])
        var effects = stage.have(nil, on: 2)
        for number in 0..<200 {
            effects += stage.handle(.pieceCame(ask: 900, number: number, on: 1))
        }
        #expect(stage.exchange.isShunned(Stage.peer(1), at: stage.now))
        #expect(Self.more(effects, on: 2) == [0, 1, 2, 3, 4])
    }

    /// A silent source of one blob is given up; the link is free for another blob at once.
    @Test func whatALinkIsFreeForIsAskedForAtOnce() throws {
        var stage = Stage(links: 1)
        let (first, second) = (try BlobWorld.blob(1, size: 3_000_000), try BlobWorld.blob(2, size: 3_000_000))
        stage.want(first)
        #expect(Self.more(stage.have(nil, on: 1), on: 1).count == 8)
        let ask = stage.asks[1] ?? 0
        stage.want(second)
        #expect(Self.more(stage.have(nil, on: 1), on: 1) == [])
        var asked: [Int] = []
        stage.pass(until: Self.seconds(11)) { _, effects in
            let isGivenUp = effects.contains(.send(.want(Want(ask: ask, .less(.none))), to: 1))
            if isGivenUp { asked = Self.more(effects, on: 1) }
        }
        #expect(!asked.isEmpty)
    }
}

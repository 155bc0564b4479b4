import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

@testable import LatticeNode

/// Two tables, and a path between them that a seed breaks now and then: frames under way are lost, and both sides are notified.
struct StreamTableTests {
    /// One of them, with what programs there do.
    private final class Side {
        var table = StreamTable()
        var effects: [StreamEffect] = []
        let session: SessionIdentity
        let introduction: Introduction

        init() throws {
            session = SessionIdentity(identity: .generate())
            introduction = session.introduction(
                name: try PeerName("peer"), instance: 1, clock: WallTime(milliseconds: 0), port: 1)
        }

        var peer: PeerID { session.peer }

        func open(to peer: PeerID, at now: Instant = .zero) throws -> Int {
            let cipher = StreamCipher(.initiator, with: peer, me: session, introduction: introduction)
            let key = StreamKey(peer: peer, stream: 7)
            let number = table.open(key, for: .usual, cipher, at: now, into: &effects)
            return try #require(number)
        }

        func listen() throws -> Int {
            let number = table.listen(for: .usual, from: nil)
            return try #require(number)
        }

        func came(_ listener: Int) -> (number: Int, peer: PeerID)? { table.came(listener).map { ($0.stream, $0.peer) } }

        func send(_ bytes: [UInt8], on number: Int) throws -> Bool {
            try table.send(on: number, into: &effects) { $0 += bytes }
        }

        func finish(_ number: Int) throws -> Bool { try table.finish(number, into: &effects) }

        /// What was read before has been dealt with.
        func confirm(_ number: Int) { table.confirmRead(number, into: &effects) }

        /// - Returns: nothing at the end; `nil` if it has yet to come.
        func read(_ number: Int, atMost count: Int = 10, at now: Instant = .zero) throws -> [UInt8]? {
            try table.read(number, atMost: count, at: now, into: &effects)?.bytes
        }

        func take(_ number: Int) -> StreamArrival {
            table.take(number, atMost: 10, at: .zero, into: &effects)
        }

        func reset(_ number: Int) { table.reset(number, .ended, into: &effects) }

        func next(for peer: PeerID, at now: Instant = .zero) -> StreamMessage? {
            guard let bytes = table.next(for: peer, at: now, into: &effects) else { return nil }
            do {
                return try StreamMessage.decode(bytes)
            } catch {
                Issue.record("a message that nobody understands: \(error)")
                return nil
            }
        }

        func hear(_ message: StreamMessage, from peer: PeerID, at now: Instant = .zero) {
            let (session, introduction) = (session, introduction)
            table.heard(
                message, from: peer, at: now,
                makeCipher: { StreamCipher(.responder, with: $0, me: session, introduction: introduction) },
                into: &effects)
        }

        func breakOff(from peer: PeerID, _ reason: DataError = .interrupted, at now: Instant) {
            table.interrupted(peer, reason, at: now, into: &effects)
        }

        func tick(at now: Instant) { table.tick(at: now, into: &effects) }
    }

    private final class World {
        let left: Side
        let right: Side
        private(set) var now = Instant.zero

        init() throws {
            (left, right) = (try Side(), try Side())
        }

        /// Lets each side say what it has to say, up to `count` messages, and the other hear it.
        func carry(_ count: Int = .max) {
            var rest = count
            while rest > 0 {
                let there = left.next(for: right.peer, at: now)
                let back = right.next(for: left.peer, at: now)
                guard there != nil || back != nil else { return }
                if let there { right.hear(there, from: left.peer, at: now) }
                if let back { left.hear(back, from: right.peer, at: now) }
                rest -= 1
            }
        }

        /// Frames under way are lost, and both sides are notified.
        func breakOff(losing count: Int) {
            for _ in 0..<count {
                _ = left.next(for: right.peer, at: now)
                _ = right.next(for: left.peer, at: now)
            }
            left.breakOff(from: right.peer, at: now)
            right.breakOff(from: left.peer, at: now)
            pass(StreamLimit.resumeDelayMax)
        }

        func pass(_ time: Duration) {
            now = now.advanced(by: time)
            left.tick(at: now)
            right.tick(at: now)
        }

        func opened() throws -> (left: Int, right: Int) {
            let listener = try right.listen()
            let mine = try left.open(to: right.peer, at: now)
            carry()
            let came = try #require(right.came(listener))
            #expect(came.peer == left.peer)
            #expect(left.table.isOpen(mine) == .success(true))
            return (mine, came.number)
        }
    }

    @Test func onlyTheFirstBytesThatWaitWakeWhatSends() throws {
        let world = try World()
        let (mine, _) = try world.opened()
        func isWoken() throws -> Bool {
            world.left.effects = []
            #expect(try world.left.send([1], on: mine))
            return world.left.effects == [.write(world.right.peer)]
        }
        #expect(try isWoken())
        #expect(try !isWoken() && !isWoken())
        world.carry()
        #expect(try isWoken())
    }

    @Test func aStreamBeginsAndEndsOnBothSides() throws {
        let world = try World()
        let (mine, theirs) = try world.opened()
        #expect(try world.left.send([1, 2], on: mine))
        #expect(try !world.left.finish(mine))
        world.carry()
        #expect(try world.right.read(theirs) == [1, 2])
        world.carry()
        // Reading is not yet taking.
        #expect(try !world.left.finish(mine))
        world.right.confirm(theirs)
        #expect(try world.right.read(theirs) == [])
        world.carry()
        #expect(try world.left.finish(mine))
        // Once more it is heard when the other way has ended.
        #expect(try world.right.read(theirs) == nil)
        #expect(try !world.right.finish(theirs))
        world.carry()
        #expect(try world.left.read(mine) == [])
        world.carry()
        #expect(try world.right.finish(theirs))
        #expect(try world.right.read(theirs) == [])
        #expect(throws: StreamFault(end: .finished)) { _ = try world.left.send([1], on: mine) }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverIsLostOnTheWayAllBytesComeInOrderBothWays(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let world = try World()
        let listener = try world.right.listen()
        let mine = try world.left.open(to: world.right.peer)
        var came: Int?
        // More of them take longer than a beginning may.
        var breaksLeft = 3
        for _ in 0..<400 where came == nil || world.left.table.isOpen(mine) == nil {
            world.carry(Int.random(in: 0...3, using: &dice))
            if breaksLeft > 0, Int.random(in: 0..<4, using: &dice) == 0 {
                breaksLeft -= 1
                world.breakOff(losing: Int.random(in: 0...3, using: &dice))
            }
            came = came ?? world.right.came(listener)?.number
        }
        let theirs = try #require(came)
        var left = Talk(number: mine, saying: (0..<200_000).map(Self.byte))
        var right = Talk(number: theirs, saying: (0..<90_000).map { Self.byte($0 + 13) })
        for _ in 0..<20_000 where !(left.hasHeardAll && right.hasHeardAll) {
            try left.say(at: world.left, &dice)
            try right.say(at: world.right, &dice)
            world.carry(Int.random(in: 0...6, using: &dice))
            if Int.random(in: 0..<12, using: &dice) == 0 { world.breakOff(losing: Int.random(in: 0...4, using: &dice)) }
            try left.hear(at: world.left, world.now, &dice)
            try right.hear(at: world.right, world.now, &dice)
        }
        let areSame = (left.heard == right.all, right.heard == left.all)
        #expect(areSame == (true, true))
        #expect(left.hasHeardAll && right.hasHeardAll)
        for _ in 0..<3 {
            world.breakOff(losing: 1)
            world.carry()
        }
        #expect(try world.left.finish(mine))
        #expect(try world.right.finish(theirs))
    }

    private static func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8) }

    /// What the program of one side does.
    private struct Talk {
        let number: Int
        let all: [UInt8]
        var said = 0
        var heard: [UInt8] = []
        var hasHeardAll = false

        init(number: Int, saying all: [UInt8]) {
            (self.number, self.all) = (number, all)
        }

        mutating func say(at side: Side, _ dice: inout SeededGenerator) throws {
            guard said < all.count else {
                _ = try side.finish(number)
                return
            }
            let count = min(all.count - said, Int.random(in: 1...40_000, using: &dice))
            if try side.send(Array(all[said..<said + count]), on: number) { said += count }
        }

        mutating func hear(at side: Side, _ now: Instant, _ dice: inout SeededGenerator) throws {
            guard Bool.random(using: &dice), !hasHeardAll else { return }
            side.confirm(number)
            guard let bytes = try side.read(number, atMost: 30_000, at: now) else { return }
            heard += bytes
            hasHeardAll = bytes.isEmpty
        }
    }

    @Test func aPartThatWasChangedEndsTheStreamOnBothSides() throws {
        let world = try World()
        let (mine, theirs) = try world.opened()
        #expect(try world.left.send([1, 2], on: mine))
        guard case .part(let number, var octets)? = world.left.next(for: world.right.peer)?.kind else {
            Issue.record("there is a part")
            return
        }
        octets[0] ^= 1
        world.right.hear(StreamMessage(stream: 7, .part(number: number, octets)), from: world.left.peer)
        #expect(throws: StreamFault(end: .untrusted)) { _ = try world.right.read(theirs) }
        world.carry()
        #expect(throws: StreamFault(end: .reset(.untrusted))) { _ = try world.left.send([3], on: mine) }
    }

    @Test func aConnectionCarriesWhatCameBeforeItsStreamBroke() throws {
        let world = try World()
        let (mine, theirs) = try world.opened()
        #expect(try world.left.send([1, 2], on: mine))
        world.carry()
        world.left.reset(mine)
        world.carry()
        #expect(world.right.table.attachFault(theirs) == nil)
        #expect(world.right.take(theirs) == .bytes([[1, 2]]))
        #expect(world.right.take(theirs) == .over)
        let fault = StreamFault(end: .reset(.ended))
        #expect(world.right.table.attachFault(theirs) == fault)
        #expect(throws: fault) { _ = try world.right.read(theirs) }
    }

    @Test func nobodyBetweenCanSayThatAllWasTaken() throws {
        let world = try World()
        let (mine, theirs) = try world.opened()
        #expect(try world.left.send([1, 2], on: mine))
        #expect(try !world.left.finish(mine))
        world.carry()
        // Two of the handshake, the request, the bytes and the end.
        world.left.hear(StreamMessage(stream: 7, .taken(5, heard: 5)), from: world.right.peer)
        #expect(try !world.left.finish(mine))
        #expect(try world.right.read(theirs) == [1, 2])
        world.right.confirm(theirs)
        #expect(try world.right.read(theirs) == [])
        world.carry()
        #expect(try world.left.finish(mine))
    }

    @Test func whoeverPretendsToBeSomebodyElseIsNotHeard() throws {
        let world = try World()
        let listener = try world.right.listen()
        let mine = try world.left.open(to: world.right.peer)
        let victim = Identity.generate().peer
        // A relay gives another sender's name to all that the left side says.
        for _ in 0..<20 {
            while let message = world.left.next(for: world.right.peer) { world.right.hear(message, from: victim) }
            while let message = world.right.next(for: victim) { world.left.hear(message, from: world.right.peer) }
        }
        #expect(world.right.came(listener) == nil)
        #expect(world.left.table.isOpen(mine) == .failure(StreamFault(end: .reset(.untrusted))))
    }

    @Test func aListenerForAnyLabelTakesWhatHasNoOther() throws {
        var listeners = StreamListeners()
        let (peer, other) = (Identity.generate().peer, Identity.generate().peer)
        func info(_ stream: Int, _ label: String) throws -> StreamInfo {
            StreamInfo(stream: stream, peer: peer, label: try StreamLabel(label))
        }
        var answers = [listeners.offer(try info(1, "x"))]
        let areAdded = [
            listeners.add(1, for: nil, from: nil), listeners.add(2, for: nil, from: nil),
            listeners.add(3, for: try StreamLabel("y"), from: other),
        ]
        #expect(areAdded == [true, false, true])
        for (stream, label) in [(2, "lattice.x"), (3, "y"), (4, "x"), (5, "z")] {
            answers.append(listeners.offer(try info(stream, label)))
        }
        #expect(answers == [.nobodyListens, .nobodyListens, .notForYou, .taken(by: 1), .nobodyListens])
        let (came, none) = (listeners.take(1), listeners.take(1))
        #expect(came == (try info(4, "x")))
        #expect(none == nil)
        #expect(listeners.numbers == [3])
    }

    @Test func beginningsTakeNoMoreThanTheirPlacesAndNoneForEver() throws {
        let world = try World()
        let listener = try world.right.listen()
        var greetings = 0
        for stream in 0..<100 as Range<UInt64> {
            let stranger = try Side()
            let cipher = StreamCipher(
                .initiator, with: world.right.peer, me: stranger.session, introduction: stranger.introduction)
            world.right.hear(StreamMessage(stream: stream, .begin(cipher.begin())), from: stranger.peer)
            while let answer = world.right.next(for: stranger.peer) {
                if case .part = answer.kind { greetings += 1 }
            }
        }
        #expect(greetings == StreamLimit.halfOpenMax)
        for _ in 0..<3 { world.pass(StreamLimit.openTimeout) }
        let mine = try world.left.open(to: world.right.peer, at: world.now)
        world.carry()
        #expect(world.right.came(listener) != nil)
        #expect(world.left.table.isOpen(mine) == .success(true))
    }

    @Test func aPeerThatAnswersNothingAnyMoreIsLost() throws {
        let world = try World()
        let (mine, _) = try world.opened()
        let other = try Side()
        var now = world.now
        var asks = 0
        for _ in 0..<400 where world.left.table.isOpen(mine) == .success(true) {
            now = now.advanced(by: .milliseconds(100))
            world.left.tick(at: now)
            while let message = world.left.next(for: world.right.peer, at: now) {
                if message.kind == .ask { asks += 1 }
            }
        }
        #expect(asks == StreamLimit.asksMax)
        #expect(world.left.table.isOpen(mine) == .failure(StreamFault(end: .lost)))
        #expect(other.next(for: world.left.peer) == nil)
    }

    /// For a peer that never took a stream the error was, in the end, that it had gone.
    @Test(arguments: [DataError.unwanted, .noRoute])
    func whoeverTriesAgainAndAgainIsToldTheSameEachTime(reason: DataError) throws {
        let world = try World()
        var now = world.now
        for _ in 0..<200 {
            let mine = try world.left.open(to: world.right.peer, at: now)
            var tries = 0
            while world.left.next(for: world.right.peer, at: now) == nil, tries < 3 {
                tries += 1
                now = now.advanced(by: StreamLimit.tickInterval)
                world.left.tick(at: now)
            }
            #expect(tries == 0)
            world.left.breakOff(from: world.right.peer, reason, at: now)
            let end: StreamEnd = reason == .unwanted ? .reset(.nobodyListens) : .noRoute
            #expect(world.left.table.isOpen(mine) == .failure(StreamFault(end: end)))
            now = now.advanced(by: StreamLimit.retryInterval)
            world.left.tick(at: now)
        }
    }

    @Test func whatIsSaidOfAStreamThatNobodyKnowsIsAnsweredOnceAndNeverForEver() throws {
        let world = try World()
        world.left.hear(StreamMessage(stream: 9, .taken(0, heard: 1)), from: world.right.peer)
        #expect(world.left.next(for: world.right.peer) == StreamMessage(stream: 9, .reset(.unknown)))
        world.left.hear(StreamMessage(stream: 9, .reset(.unknown)), from: world.right.peer)
        #expect(world.left.next(for: world.right.peer) == nil)
    }
}

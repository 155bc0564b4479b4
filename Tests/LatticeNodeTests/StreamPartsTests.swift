import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import Testing

@testable import LatticeNode

/// The parts of a stream, and two tables that talk over a way that loses what it likes.
struct StreamPartsTests {
    @Test func partsGoOutInOrderAndAreKeptUntilTheyAreTaken() {
        var parts = OutgoingParts()
        for number: UInt8 in 0..<3 { parts.add([number]) }
        #expect((0..<4).map { _ in parts.next()?.number } == [0, 1, 2, nil])
        #expect(parts.told(taken: 1, heard: 2))
        parts.rewind()
        // What the other side has heard it need not hear again.
        #expect(parts.next()?.octets == [2] && parts.next() == nil)
        #expect(parts.told(taken: 3, heard: 3) && parts.isAllTaken)
    }

    @Test func whatWasNeverSentCannotHaveBeenHeard() {
        var parts = OutgoingParts()
        parts.add([1])
        #expect(!parts.told(taken: 0, heard: 2))
        #expect(!parts.isAllTaken)
    }

    @Test func anOldAnswerChangesNothing() {
        var parts = OutgoingParts()
        for number: UInt8 in 0..<4 { parts.add([number]) }
        #expect(parts.told(taken: 3, heard: 3))
        #expect(parts.told(taken: 1, heard: 2))
        #expect(parts.taken == 3 && parts.next()?.octets == [3])
    }

    @Test func noMorePartsWaitThanTheWindowHas() {
        var parts = OutgoingParts()
        var count = 0
        while parts.hasRoom {
            parts.add([0])
            count += 1
        }
        #expect(count == StreamLimit.windowParts)
        #expect(parts.told(taken: 1, heard: 1) && parts.hasRoom)
    }

    @Test func partsAreHeardInOrderOnceAndWithinTheWindow() {
        var parts = IncomingParts()
        #expect(!parts.heard(1, taken: 0))
        #expect(parts.heard(0, taken: 0) && !parts.heard(0, taken: 0))
        for number in 1..<StreamLimit.windowParts { #expect(parts.heard(number, taken: 0)) }
        #expect(!parts.heard(StreamLimit.windowParts, taken: 0))
        #expect(parts.heard(StreamLimit.windowParts, taken: 1))
    }

    @Test func theOtherSideIsToldWhenNothingWaitsOrMuchWasTaken() {
        var parts = IncomingParts()
        for number in 0..<StreamLimit.toldParts { _ = parts.heard(number, taken: 0) }
        #expect(!parts.isWorthTelling(taken: 0, isEmpty: true))
        #expect(parts.isWorthTelling(taken: 1, isEmpty: true) && !parts.isWorthTelling(taken: 1, isEmpty: false))
        #expect(parts.isWorthTelling(taken: StreamLimit.toldParts, isEmpty: false))
        #expect(parts.tell(taken: 3) == .taken(3, heard: StreamLimit.toldParts))
        #expect(!parts.isWorthTelling(taken: 3, isEmpty: true))
    }
}

/// Two tables, and a way between them that a seed breaks now and then: what was under way is lost, and both are told.
struct StreamTableTests {
    fileprivate struct Side {
        var table = StreamTable()
        let session: SessionIdentity
        var wire: [StreamMessage] = []

        func introduction() throws -> Introduction {
            session.introduction(
                name: try PeerName("peer"), instance: 1, clock: WallTime(milliseconds: 0), port: 1)
        }

        func cipher(_ role: Handshake.Role, with peer: PeerID) throws -> StreamCipher {
            StreamCipher(role, with: peer, me: session, introduction: try introduction())
        }
    }

    /// Everything that happens between two of them.
    private struct World {
        var left: Side
        var right: Side
        var now = Instant.zero
        var effects: [StreamEffect] = []

        init() {
            left = Side(session: SessionIdentity(identity: .generate()))
            right = Side(session: SessionIdentity(identity: .generate()))
        }

        mutating func open(_ label: StreamLabel = .usual) throws -> Int? {
            let key = StreamKey(peer: right.session.peer, stream: 7)
            let cipher = try left.cipher(.initiator, with: key.peer)
            return left.table.open(key, for: label, cipher, at: now, into: &effects)
        }

        /// Lets each side say what it has to say, up to `count` messages, and the other hear it.
        mutating func carry(_ count: Int = .max) throws {
            let (l, r) = (left.session.peer, right.session.peer)
            let (toLeft, toRight) = (try left.introduction(), try right.introduction())
            let (leftSession, rightSession) = (left.session, right.session)
            var rest = count
            while rest > 0 {
                let there = left.table.next(for: r, at: now)
                let back = right.table.next(for: l, at: now)
                guard there != nil || back != nil else { return }
                if let there {
                    right.table.heard(
                        there, from: l, at: now,
                        makeCipher: { StreamCipher(.responder, with: $0, me: rightSession, introduction: toRight) },
                        into: &effects)
                }
                if let back {
                    left.table.heard(
                        back, from: r, at: now,
                        makeCipher: { StreamCipher(.responder, with: $0, me: leftSession, introduction: toLeft) },
                        into: &effects)
                }
                rest -= 1
            }
        }

        /// What is under way is lost, and both are told.
        mutating func breakOff(losing count: Int) {
            let (l, r) = (left.session.peer, right.session.peer)
            for _ in 0..<count {
                _ = left.table.next(for: r, at: now)
                _ = right.table.next(for: l, at: now)
            }
            left.table.interrupted(r, .interrupted, at: now, into: &effects)
            right.table.interrupted(l, .interrupted, at: now, into: &effects)
            now = now.advanced(by: StreamLimit.resumeDelayMax)
            left.table.tick(at: now, into: &effects)
            right.table.tick(at: now, into: &effects)
        }

        mutating func opened() throws -> (left: Int, right: Int) {
            let listener = try #require(right.table.listen(for: .usual, from: nil))
            let mine = try #require(try open())
            try carry()
            let came = try #require(right.table.came(listener))
            #expect(came.peer == left.session.peer)
            #expect(left.table.isOpen(mine) == .success(true))
            return (mine, came.number)
        }
    }

    @Test func aStreamBeginsAndEndsOnBothSides() throws {
        var world = World()
        let (mine, theirs) = try world.opened()
        #expect(try world.left.table.send([1, 2], on: mine, into: &world.effects))
        #expect(try !world.left.table.finish(mine, into: &world.effects))
        try world.carry()
        let read = try world.right.table.read(theirs, atMost: 10, at: world.now, into: &world.effects)
        #expect(read?.bytes == [1, 2] && read?.isEnd == false)
        try world.carry()
        #expect(try !world.left.table.finish(mine, into: &world.effects))
        world.right.table.confirmRead(theirs, into: &world.effects)
        let end = try world.right.table.read(theirs, atMost: 10, at: world.now, into: &world.effects)
        #expect(end?.isEnd == true)
        try world.carry()
        #expect(try world.left.table.finish(mine, into: &world.effects))
        #expect(try !world.right.table.finish(theirs, into: &world.effects))
        try world.carry()
        #expect(try world.left.table.read(mine, atMost: 10, at: world.now, into: &world.effects)?.isEnd == true)
        try world.carry()
        #expect(try world.right.table.finish(theirs, into: &world.effects))
        #expect(throws: StreamFault(end: .finished)) {
            _ = try world.left.table.send([1], on: mine, into: &world.effects)
        }
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func whateverIsLostOnTheWayAllBytesComeInOrderBothWays(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var world = World()
        let listener = try #require(world.right.table.listen(for: .usual, from: nil))
        let mine = try #require(try world.open())
        var theirs: Int?
        for _ in 0..<400 where theirs == nil {
            try world.carry(Int.random(in: 0...3, using: &dice))
            if Int.random(in: 0..<4, using: &dice) == 0 {
                world.breakOff(losing: Int.random(in: 0...3, using: &dice))
            }
            theirs = world.right.table.came(listener)?.number
        }
        let numbers = (mine, try #require(theirs))
        let (there, back) = ((0..<200_000).map(Self.byte), (0..<90_000).map { Self.byte($0 + 13) })
        var (sent, heard) = ((0, 0), ([UInt8](), [UInt8]()))
        var ends = (false, false)
        for _ in 0..<20_000 where ends != (true, true) {
            try Self.say(there, &sent.0, on: numbers.0, &world.left.table, &world.effects, &dice)
            try Self.say(back, &sent.1, on: numbers.1, &world.right.table, &world.effects, &dice)
            try world.carry(Int.random(in: 0...6, using: &dice))
            if Int.random(in: 0..<12, using: &dice) == 0 {
                world.breakOff(losing: Int.random(in: 0...4, using: &dice))
            }
            try Self.hear(&heard.1, &ends.1, on: numbers.0, &world.left.table, &world.effects, world.now, &dice)
            try Self.hear(&heard.0, &ends.0, on: numbers.1, &world.right.table, &world.effects, world.now, &dice)
        }
        let areSame = (heard.0 == there, heard.1 == back)
        #expect(areSame == (true, true))
        #expect(ends == (true, true))
        world.breakOff(losing: 3)
        try world.carry()
        #expect(try world.left.table.finish(numbers.0, into: &world.effects))
        #expect(try world.right.table.finish(numbers.1, into: &world.effects))
    }

    private static func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8) }

    private static func say(
        _ all: [UInt8], _ sent: inout Int, on number: Int, _ table: inout StreamTable, _ effects: inout [StreamEffect],
        _ dice: inout SeededGenerator
    ) throws {
        guard sent < all.count else {
            _ = try table.finish(number, into: &effects)
            return
        }
        let count = min(all.count - sent, Int.random(in: 1...40_000, using: &dice))
        if try table.send(Array(all[sent..<sent + count]), on: number, into: &effects) { sent += count }
    }

    private static func hear(
        _ heard: inout [UInt8], _ isEnd: inout Bool, on number: Int, _ table: inout StreamTable,
        _ effects: inout [StreamEffect], _ now: Instant, _ dice: inout SeededGenerator
    ) throws {
        guard Bool.random(using: &dice), !isEnd else { return }
        table.confirmRead(number, into: &effects)
        guard let part = try table.read(number, atMost: 30_000, at: now, into: &effects) else { return }
        heard += part.bytes
        isEnd = part.isEnd
    }

    @Test func aPartThatWasChangedEndsTheStreamOnBothSides() throws {
        var world = World()
        let (mine, theirs) = try world.opened()
        _ = try world.left.table.send([1, 2], on: mine, into: &world.effects)
        let (l, r) = (world.left.session.peer, world.right.session.peer)
        guard case .part(let number, var octets)? = world.left.table.next(for: r, at: world.now)?.kind else {
            Issue.record("there is a part")
            return
        }
        octets[0] ^= 1
        let cipher = try world.right.cipher(.responder, with: l)
        world.right.table.heard(
            StreamMessage(stream: 7, .part(number: number, octets)), from: l, at: world.now,
            makeCipher: { _ in cipher }, into: &world.effects)
        #expect(throws: StreamFault(end: .untrusted)) {
            _ = try world.right.table.read(theirs, atMost: 9, at: world.now, into: &world.effects)
        }
        try world.carry()
        #expect(throws: StreamFault(end: .reset(.untrusted))) {
            _ = try world.left.table.send([3], on: mine, into: &world.effects)
        }
    }

    @Test func whoeverPretendsToBeSomebodyElseIsNotHeard() throws {
        var world = World()
        _ = try #require(world.right.table.listen(for: .usual, from: nil))
        _ = try world.open()
        let (l, r) = (world.left.session.peer, world.right.session.peer)
        let victim = Identity.generate().peer
        let (introduction, session) = (try world.right.introduction(), world.right.session)
        // A relay gives another sender's name to all that the left side says.
        for _ in 0..<20 {
            while let message = world.left.table.next(for: r, at: world.now) {
                world.right.table.heard(
                    message, from: victim, at: world.now,
                    makeCipher: { StreamCipher(.responder, with: $0, me: session, introduction: introduction) },
                    into: &world.effects)
            }
            while let message = world.right.table.next(for: victim, at: world.now) {
                let cipher = try world.left.cipher(.responder, with: l)
                world.left.table.heard(
                    message, from: r, at: world.now, makeCipher: { _ in cipher }, into: &world.effects)
            }
        }
        #expect(world.left.table.isOpen(1) == .failure(StreamFault(end: .reset(.untrusted))))
    }

    @Test func beginningsTakeNoMoreThanTheirPlaces() throws {
        var world = World()
        _ = try #require(world.right.table.listen(for: .usual, from: nil))
        let (introduction, session) = (try world.right.introduction(), world.right.session)
        var answers: [StreamMessage] = []
        for stream in 0..<100 as Range<UInt64> {
            let stranger = SessionIdentity(identity: .generate())
            let begin = StreamCipher(
                .initiator, with: world.right.session.peer, me: stranger, introduction: try world.left.introduction(of: stranger)
            ).begin()
            world.right.table.heard(
                StreamMessage(stream: stream, .begin(begin)), from: stranger.peer, at: world.now,
                makeCipher: { StreamCipher(.responder, with: $0, me: session, introduction: introduction) },
                into: &world.effects)
            while let answer = world.right.table.next(for: stranger.peer, at: world.now) { answers.append(answer) }
        }
        let greeted = answers.filter { if case .part = $0.kind { true } else { false } }
        #expect(greeted.count == StreamLimit.halfOpenMax)
        world.now = world.now.advanced(by: StreamLimit.openTimeout)
        world.right.table.tick(at: world.now, into: &world.effects)
        _ = try world.opened()
    }
}

extension StreamTableTests.Side {
    fileprivate func introduction(of session: SessionIdentity) throws -> Introduction {
        session.introduction(name: try PeerName("peer"), instance: 1, clock: WallTime(milliseconds: 0), port: 1)
    }
}

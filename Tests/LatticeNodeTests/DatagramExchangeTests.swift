import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeSession
import LatticeWire
import Testing

@testable import LatticeNode

/// Keys and seals of datagrams, and those that wait for keys, by hand.
struct DatagramExchangeTests {
    /// A program with its streams.
    private final class Side {
        var table = StreamTable()
        var effects: [StreamEffect] = []
        private let session = SessionIdentity(identity: .generate())
        private let introduction: Introduction

        init() throws {
            introduction = session.introduction(
                name: try PeerName("peer"), instance: 1, clock: WallTime(milliseconds: 0), port: 1)
        }

        var peer: PeerID { session.peer }

        func open(_ stream: UInt64, to peer: PeerID, for label: StreamLabel = .messages) -> Int? {
            let cipher = StreamCipher(.initiator, with: peer, me: session, introduction: introduction)
            let key = StreamKey(peer: peer, stream: stream)
            return table.open(key, for: label, cipher, at: .zero, into: &effects)
        }

        func listen(for label: StreamLabel = .messages) throws -> Int {
            let number = table.listen(for: label, from: nil)
            return try #require(number)
        }

        /// Says the next thing to the other side.
        ///
        /// - Returns: whether there was any.
        func say(to other: Side) throws -> Bool {
            guard let bytes = table.next(for: other.peer, at: .zero, into: &effects) else { return false }
            let (session, introduction) = (other.session, other.introduction)
            let message = try #require(try StreamMessage.decode(bytes))
            other.table.heard(
                message, from: peer, at: .zero,
                makeCipher: { StreamCipher(.responder, with: $0, me: session, introduction: introduction) },
                into: &other.effects)
            return true
        }

        func talk(with other: Side) throws {
            while try say(to: other) || other.say(to: self) {}
        }

        /// - Returns: `nil` without a key.
        func seal(_ payload: [UInt8], to other: Side) -> (sequence: UInt64, octets: [UInt8])? {
            table.cipherToSeal(for: other.peer)?.sealDatagram(
                payload, authenticating: DatagramFrame.authenticated(from: peer, to: other.peer))
        }

        /// - Returns: what one of the keys of `from` opens.
        func open(
            _ sealed: (sequence: UInt64, octets: [UInt8]), from: PeerID, as to: PeerID? = nil
        ) -> [UInt8]? {
            let frame = DatagramFrame(
                route: DataRoute(timeToLive: 3, from: from, to: to ?? peer), sequence: sealed.sequence,
                ageMilliseconds: 0, octets: sealed.octets)
            let data = DatagramFrame.authenticated(from: from, to: to ?? peer)
            for cipher in table.ciphersToOpen(from: from) {
                if let payload = cipher.openDatagram(frame, authenticating: data) { return payload }
            }
            return nil
        }

        var keyed: [PeerID] {
            effects.compactMap { if case .keyed(let peer) = $0 { peer } else { nil } }
        }
    }

    /// The left one has opened a stream of messages to the right one.
    private func pair() throws -> (left: Side, right: Side, number: Int) {
        let (left, right) = (try Side(), try Side())
        _ = try right.listen()
        let number = try #require(left.open(1, to: right.peer))
        try left.talk(with: right)
        return (left, right, number)
    }

    private func time(_ milliseconds: Int) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    // MARK: - Keys

    @Test func whatIsSealedOpensOnceAndOnlyAsItWasSent() throws {
        let (left, right, _) = try pair()
        let first = try #require(left.seal([1], to: right))
        let second = try #require(left.seal([2], to: right))
        #expect(first.sequence == 0 && second.sequence == 1)
        let stranger = try Side()
        var changed = first
        changed.octets[0] ^= 1
        var renumbered = first
        renumbered.sequence = 1
        // Somebody else's name, another target, other bytes, another number: a relay can send all of them.
        #expect(right.open(first, from: stranger.peer) == nil)
        #expect(right.open(first, from: left.peer, as: stranger.peer) == nil)
        for forged in [changed, renumbered] { #expect(right.open(forged, from: left.peer) == nil) }
        // What was forged has used up no number.
        #expect(right.open(second, from: left.peer) == [2])
        #expect(right.open(first, from: left.peer) == [1])
        for again in [first, second] { #expect(right.open(again, from: left.peer) == nil) }
    }

    @Test func aReflectionOpensNowhere() throws {
        let (left, right, _) = try pair()
        let sealed = try #require(left.seal([1], to: right))
        #expect(left.open(sealed, from: right.peer) == nil)
        let honest = try #require(right.seal([2], to: left))
        #expect(left.open(honest, from: right.peer) == [2])
    }

    @Test func bothHaveKeysOnceTheirStreamIsOpenAndOnlyAStreamOfMessagesYieldsAny() throws {
        let (left, right) = (try Side(), try Side())
        _ = try right.listen(for: .usual)
        _ = left.open(1, to: right.peer, for: .usual)
        try left.talk(with: right)
        #expect(left.seal([], to: right) == nil && right.seal([], to: left) == nil)
        #expect(left.keyed.isEmpty && right.keyed.isEmpty)
        _ = try right.listen()
        _ = left.open(2, to: right.peer)
        #expect(left.seal([], to: right) == nil)
        try left.talk(with: right)
        #expect(left.seal([], to: right) != nil && right.seal([], to: left) != nil)
        #expect(left.keyed == [right.peer] && right.keyed == [left.peer])
    }

    @Test func theOpenerOpensWhatIsSealedBeforeItsWelcomeComes() throws {
        let (left, right) = (try Side(), try Side())
        _ = try right.listen()
        _ = left.open(1, to: right.peer)
        while right.keyed.isEmpty {
            let hasSaid = try left.say(to: right)
            if right.keyed.isEmpty {
                let hasAnswered = try right.say(to: left)
                try #require(hasSaid || hasAnswered)
            }
        }
        #expect(left.seal([1], to: right) == nil)
        let early = try #require(right.seal([2], to: left))
        #expect(left.open(early, from: right.peer) == [2])
    }

    @Test func ofTwoStreamsTheNewestSealsAndBothOpen() throws {
        let (left, right, number) = try pair()
        let old = try #require(left.seal([1], to: right))
        #expect(old.sequence == 0)
        // The right one opens another, as if both had begun at once.
        _ = try left.listen()
        _ = right.open(2, to: left.peer)
        try left.talk(with: right)
        let new = try #require(left.seal([2], to: right))
        // Its own numbers, under its own key.
        #expect(new.sequence == 0 && new.octets != old.octets)
        #expect(right.open(new, from: left.peer) == [2])
        #expect(right.open(old, from: left.peer) == [1])
        let late = try #require(right.seal([3], to: left))
        // A key lives as long as its stream.
        left.table.reset(number, .ended, into: &left.effects)
        try left.talk(with: right)
        #expect(left.open(late, from: right.peer) == [3])
        #expect(left.seal([], to: right) != nil)
    }

    @Test func aStreamThatEndsTakesItsKeysAlong() throws {
        let (left, right, number) = try pair()
        let sealed = try #require(left.seal([1], to: right))
        let isTaken = try left.table.finish(number, into: &left.effects)
        #expect(!isTaken)
        // Its program goes: nothing new, but what is under way still comes.
        #expect(left.seal([2], to: right) == nil)
        #expect(right.open(sealed, from: left.peer) == [1])
        left.table.reset(number, .ended, into: &left.effects)
        try left.talk(with: right)
        #expect(right.open(sealed, from: left.peer) == nil && right.seal([3], to: left) == nil)
    }

    /// Everybody may open streams; the keys of others must not make place for theirs.
    @Test func strangersTakeNobodysKeys() throws {
        let (left, right, _) = try pair()
        for number in 0..<100 as Range<UInt64> {
            let stranger = try Side()
            // Once all streams are taken, nobody else takes the place of the one that listens.
            _ = right.table.listen(for: .messages, from: nil)
            _ = stranger.open(number, to: right.peer)
            try stranger.talk(with: right)
        }
        let sealed = try #require(left.seal([1], to: right))
        #expect(right.open(sealed, from: left.peer) == [1])
        #expect(right.seal([2], to: left) != nil)
    }

    // MARK: - Waiting

    @Test func sixtyFourWaitForKeysAndNoneForTooLong() {
        let exchange = DatagramExchange()
        let (ada, bob) = (Identity.generate().peer, Identity.generate().peer)
        let dropped = (0..<70).map { exchange.wait([UInt8($0)], for: bob, at: time($0)) }
        #expect(dropped.reduce(0, +) == 6 && exchange.counts.droppedWhenFull == 6)
        // Those that are too old make place first.
        #expect(exchange.wait([], for: ada, at: time(510)) == 0)
        #expect(exchange.counts.droppedOld == 4)
        let waited = exchange.takeWaiting(for: bob, at: time(550))
        #expect(waited.map(\.payload) == (50..<70).map { [UInt8($0)] })
        #expect(waited.first?.age == 500 && waited.last?.age == 481)
        #expect(exchange.counts.droppedOld == 44)
        #expect(exchange.takeWaiting(for: bob, at: time(550)).isEmpty)
        #expect(exchange.takeWaiting(for: ada, at: time(550)).count == 1)
    }

    @Test func whatNobodyTakesAndWhatStillWaitsAtTheEndIsCounted() {
        let exchange = DatagramExchange()
        let bob = Identity.generate().peer
        exchange.received([1], from: bob)
        exchange.dropped(.invalid)
        _ = exchange.wait([2], for: bob, at: .zero)
        exchange.finish()
        let counts = exchange.counts
        #expect(counts.received == 1 && counts.droppedUnread == 1)
        #expect(counts.droppedInvalid == 1 && counts.droppedWithoutWay == 1)
    }
}

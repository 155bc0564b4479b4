import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import Synchronization
import Testing

@testable import LatticeNode

/// Keys and seals of datagrams, by hand.
struct DatagramExchangeTests {
    private let ada = Identity.generate().peer
    private let bob = Identity.generate().peer

    /// What came.
    private final class Heard: Sendable {
        private let all = Mutex<[[UInt8]]>([])
        var payloads: [[UInt8]] { all.withLock { $0 } }

        init(_ exchange: DatagramExchange) {
            exchange.onReceived { [weak self] _, payload in self?.all.withLock { $0.append(payload) } }
        }
    }

    private func time(_ milliseconds: Int) -> Instant { Instant.zero.advanced(by: .milliseconds(milliseconds)) }

    private func frame(
        _ sealed: (sequence: UInt64, octets: [UInt8]), from: PeerID, to: PeerID
    ) -> DatagramFrame {
        DatagramFrame(
            route: DataRoute(timeToLive: 3, from: from, to: to), sequence: sealed.sequence, ageMilliseconds: 0,
            octets: sealed.octets)
    }

    /// Ada has a key of Bob's.
    private func agree(_ left: DatagramExchange, _ right: DatagramExchange) {
        _ = left.wait([], for: bob, at: .zero)
        let isTaken = left.takeKey(right.drawKey(for: ada), from: ada, to: bob)
        #expect(isTaken)
        _ = left.takeWaiting(for: bob, at: .zero)
    }

    @Test func whatIsSealedOpensOnceAndOnlyAsItWasSent() throws {
        let (left, right) = (DatagramExchange(), DatagramExchange())
        let heard = Heard(right)
        agree(left, right)
        let first = try #require(left.seal([1], to: bob))
        let second = try #require(left.seal([2], to: bob))
        #expect(first.sequence == 0 && second.sequence == 1)
        let stranger = Identity.generate().peer
        var changed = first
        changed.octets[0] ^= 1
        var renumbered = first
        renumbered.sequence = 1
        // Somebody else's name, another target, other bytes, another number: a relay can send all of them.
        for (forged, from, to) in [
            (first, stranger, bob), (first, ada, stranger), (changed, ada, bob), (renumbered, ada, bob),
        ] {
            right.received(frame(forged, from: from, to: to), from: from)
        }
        #expect(heard.payloads.isEmpty && right.counts.received == 0)
        // What was forged has used up no number.
        right.received(frame(second, from: ada, to: bob), from: ada)
        for _ in 0..<3 { right.received(frame(first, from: ada, to: bob), from: ada) }
        #expect(heard.payloads == [[2], [1]])
        #expect(right.counts.received == 2)
    }

    @Test func aReflectionOpensNowhere() throws {
        let (left, right) = (DatagramExchange(), DatagramExchange())
        let heard = Heard(left)
        agree(left, right)
        // Both have keys, each for one direction.
        _ = right.wait([], for: ada, at: .zero)
        #expect(right.takeKey(left.drawKey(for: bob), from: bob, to: ada))
        let sealed = try #require(left.seal([1], to: bob))
        left.received(frame(sealed, from: bob, to: ada), from: bob)
        #expect(heard.payloads.isEmpty)
        let honest = try #require(right.seal([2], to: ada))
        left.received(frame(honest, from: bob, to: ada), from: bob)
        #expect(heard.payloads == [[2]])
    }

    @Test func theLastTwoKeysOpen() throws {
        let (left, right) = (DatagramExchange(), DatagramExchange())
        let heard = Heard(right)
        var sealed: [(sequence: UInt64, octets: [UInt8])] = []
        for number in 0..<3 as Range<UInt8> {
            left.forgetKey(to: bob)
            agree(left, right)
            sealed.append(try #require(left.seal([number], to: bob)))
        }
        for one in sealed { right.received(frame(one, from: ada, to: bob), from: ada) }
        #expect(heard.payloads == [[1], [2]])
    }

    @Test func aKeyThatNobodyAskedForIsNotTaken() {
        let exchange = DatagramExchange()
        let key = [UInt8](repeating: 1, count: 32)
        #expect(!exchange.takeKey(key, from: ada, to: bob))
        _ = exchange.wait([], for: bob, at: .zero)
        #expect(!exchange.takeKey([1], from: ada, to: bob))
        #expect(exchange.takeKey(key, from: ada, to: bob))
        // The same numbers would be used again.
        #expect(!exchange.takeKey(key, from: ada, to: bob))
        #expect(exchange.seal([], to: bob)?.sequence == 0 && exchange.seal([], to: bob)?.sequence == 1)
    }

    @Test func sixtyFourWaitAndAPeerIsAskedEveryTwoSeconds() {
        let exchange = DatagramExchange()
        let answers = (0..<70).map { exchange.wait([UInt8($0)], for: bob, at: time($0)) }
        #expect(answers.map(\.asks) == [true] + Array(repeating: false, count: 69))
        #expect(answers.reduce(0) { $0 + $1.dropped } == 6 && exchange.counts.droppedWhenFull == 6)
        #expect(exchange.wait([], for: ada, at: time(70)).asks)
        #expect(exchange.wait([], for: ada, at: time(2_070)).asks)
        // Two more of Bob's have made place for Ada's.
        let waited = exchange.takeWaiting(for: bob, at: time(550))
        #expect(waited.map(\.payload) == (50..<70).map { [UInt8($0)] })
        #expect(waited.first?.age == 500 && waited.last?.age == 481)
        #expect(exchange.counts.droppedOld == 42)
        #expect(exchange.takeWaiting(for: bob, at: time(550)).isEmpty)
    }

    @Test func keysOf64PeersAreHeld() {
        let exchange = DatagramExchange()
        let peers = (0...DatagramExchange.peersMax).map { _ in Identity.generate().peer }
        for peer in peers {
            _ = exchange.wait([], for: peer, at: .zero)
            #expect(exchange.takeKey([UInt8](repeating: 1, count: 32), from: ada, to: peer))
        }
        #expect(exchange.seal([], to: peers[0]) == nil)
        #expect(exchange.seal([], to: peers[1]) != nil)
    }
}

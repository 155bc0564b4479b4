import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeWire
import Synchronization
import Testing

@testable import LatticeNode

/// Datagrams over real links.
@Suite(.timeLimit(.minutes(10))) struct DatagramTests {
    private let nodes = BareNodes(mesh: "datagrams")

    /// What came to a node, each with who sent it.
    private final class Heard: Sendable {
        private let all = Mutex<[(peer: PeerID, payload: [UInt8])]>([])
        var payloads: [[UInt8]] { all.withLock { $0.map(\.payload) } }
        var peers: Set<PeerID> { all.withLock { Set($0.map(\.peer)) } }

        init(_ node: Node) {
            node.data.datagrams.onReceived { [weak self] peer, payload in
                self?.all.withLock { $0.append((peer, payload)) }
            }
        }
    }

    @Test func neighboursGetThemInOrder() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        let heard = Heard(bob)
        try await nodes.running([alice, bob]) {
            let b = await bob.me.id
            try await eventually("a link") { await alice.sendDatagram([0], to: [b]).unreachable.isEmpty }
            // On a busy machine some may be too old.
            var next = [UInt8(1), 0]
            try await eventually("20 of them") {
                #expect(await alice.sendDatagram(next, to: [b]).unreachable.isEmpty)
                (next[0], next[1]) = (next[0] &+ 1, next[0] == 255 ? next[1] + 1 : next[1])
                return heard.payloads.count >= 20
            }
            let numbers = heard.payloads.map { Int($0[0]) + ($0.count > 1 ? Int($0[1]) << 8 : 0) }
            #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
            #expect(await heard.peers == [alice.me.id])
            #expect(alice.data.datagrams.counts.sent >= 20 && bob.data.datagrams.counts.received >= 20)
        }
    }

    @Test func overARelayTheyWaitForAStreamAndGoSealed() async throws {
        let middle = try await nodes.node("middle")
        let left = try await nodes.node("left", given: [middle], invitations: .none)
        let right = try await nodes.node("right", given: [middle], invitations: .none)
        let (heard, read) = (Heard(right), Heard(middle))
        try await nodes.running([left, middle, right]) {
            let (l, r) = (await left.me.id, await right.me.id)
            // As long as no way is known it waits for no key.
            try await eventually("a way") { await left.sendDatagram([1], to: [r]).waiting == [r] }
            #expect(heard.payloads.isEmpty)
            async let accepted = right.streams.listen(for: .messages, from: nil)
            let stream = try await left.streams.open(r, for: .messages, patience: .seconds(60))
            #expect(try await accepted.peer == l && stream.peer == r)
            #expect(await left.sendDatagram([2], to: [r]).waiting.isEmpty)
            // Those that waited may be old by now on a busy machine.
            try await eventually("a sealed one") {
                _ = await left.sendDatagram([3], to: [r])
                return heard.payloads.contains([3])
            }
            #expect(heard.peers == [l])
            #expect(read.payloads.isEmpty)
            #expect(middle.data.datagrams.counts.forwarded >= 1)
            #expect(middle.data.datagrams.counts.received == 0)
            left.streams.reset(stream.stream)
            #expect(await left.sendDatagram([4], to: [r]).waiting == [r])
        }
    }

    @Test func aReaderThatStallsHoldsUpNobodyAndTheRestIsCounted() async throws {
        let alice = try await nodes.node("alice")
        let deaf = try await Stranger(
            mesh: try MeshName("datagrams"), clock: WallTime(milliseconds: 0), isDeaf: true)
        try await nodes.running([alice]) {
            let address = PeerAddress(host: "127.0.0.1", port: await alice.me.port)
            try await deaf.visit(address) {
                let peer = deaf.identity.peer
                let payload = [UInt8](repeating: 1, count: DatagramFrame.payloadBytesMax)
                try await eventually("a link") { await alice.sendDatagram([], to: [peer]).unreachable.isEmpty }
                let before = alice.data.datagrams.counts
                #expect(before.droppedWhenFull == 0)
                var (given, reported) = (UInt64(0), 0)
                // The kernel of the other side takes some megabytes, though its program takes none.
                while reported < 200 {
                    let outcome = await alice.sendDatagram(payload, to: [peer])
                    try #require(outcome.unreachable.isEmpty, "the link ended")
                    reported += outcome.dropped
                    given += 1
                    await Task.yield()
                }
                let counts = alice.data.datagrams.counts
                #expect(counts.droppedWhenFull == UInt64(reported))
                let gone = (counts.sent - before.sent) + counts.droppedWhenFull + counts.droppedOld
                // Three of the longest wait, and perhaps the one that found the link.
                #expect((0...4).contains(Int(given) + 1 - Int(gone)))
            }
        }
    }

    @Test func whatAStrangerSaysInOthersNamesOrAgainIsNotTaken() async throws {
        let alice = try await nodes.node("alice")
        let heard = Heard(alice)
        let stranger = try await Stranger(mesh: try MeshName("datagrams"), clock: WallTime(milliseconds: 0))
        try await nodes.running([alice]) {
            let me = await alice.me.id
            let address = PeerAddress(host: "127.0.0.1", port: await alice.me.port)
            try await stranger.visit(address) {
                let bob = Identity.generate().peer
                for (from, to) in [(bob, me), (me, me), (me, bob), (stranger.identity.peer, me)] {
                    for sequence in 0..<100 as Range<UInt64> {
                        let route = DataRoute(timeToLive: 9, from: from, to: to)
                        stranger.say(
                            .datagram(
                                DatagramFrame(
                                    route: route, sequence: sequence, ageMilliseconds: 0,
                                    octets: [UInt8](repeating: 0, count: 16))))
                    }
                }
                let own = DatagramFrame(route: nil, sequence: 7, ageMilliseconds: 0, octets: [7])
                for _ in 0..<100 { stranger.say(.datagram(own)) }
                stranger.say(.datagram(DatagramFrame(route: nil, sequence: 8, ageMilliseconds: 0, octets: [8])))
                try await eventually("the last one") { heard.payloads.last == [8] }
                #expect(heard.payloads == [[7], [8]])
                #expect(heard.peers == [stranger.identity.peer])
                #expect(stranger.closure == nil)
                // 100 in Bob's name, 100 in its own, and 99 that had come before.
                #expect(alice.data.datagrams.counts.droppedInvalid == 299)
            }
        }
    }

    /// The relay is honest with some and changes others: only what it leaves alone is taken.
    @Test func whatARelayChangesOrRepeatsIsNotTakenAndTheRestIs() async throws {
        let alice = try await nodes.node("alice")
        let bob = try await nodes.node("bob", given: [alice])
        let heard = Heard(alice)
        let relay = try await Stranger(mesh: try MeshName("datagrams"), clock: WallTime(milliseconds: 0))
        try await nodes.running([alice, bob]) {
            let (a, b) = (await alice.me.id, await bob.me.id)
            try await eventually("a way") { await bob.sendDatagram([0], to: [a]).unreachable.isEmpty }
            async let accepted = alice.streams.listen(for: .messages, from: nil)
            _ = try await bob.streams.open(a, for: .messages, patience: .seconds(60))
            _ = try await accepted
            let address = PeerAddress(host: "127.0.0.1", port: await alice.me.port)
            try await relay.visit(address) {
                for number in 1...20 as ClosedRange<UInt8> {
                    let sealed = try #require(bob.streams.sealDatagram([number], to: a))
                    var changed = sealed.octets
                    changed[0] ^= 1
                    let route = DataRoute(timeToLive: 9, from: b, to: a)
                    for octets in [changed, sealed.octets, sealed.octets] {
                        relay.say(
                            .datagram(
                                DatagramFrame(
                                    route: route, sequence: sealed.sequence, ageMilliseconds: 0, octets: octets)))
                    }
                }
                try await eventually("the last one") { heard.payloads.contains([20]) }
                #expect(heard.payloads.filter { $0 != [0] } == (1...20).map { [$0] })
                #expect(heard.peers == [b])
                try await eventually("all others are refused") {
                    alice.data.datagrams.counts.droppedInvalid == 40
                }
            }
        }
    }
}

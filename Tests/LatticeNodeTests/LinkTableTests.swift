import LatticeCore
import LatticeCrypto
import LatticeSession
import NIOCore
import NIOPosix
import Testing

@testable import LatticeLink
@testable import LatticeNode

/// What waits on each link.
@Suite(.timeLimit(.minutes(10)))
struct LinkTableTests {
    private static let id = LinkID(rawValue: 77)
    private static let frame = [UInt8](repeating: 0, count: 60_000)

    /// A link that sends only what the test takes.
    private struct Slow {
        let link: Link
        let queue: OutboundQueue
        let channel: any Channel

        init(bytesMax: Int = LinkLimits().queueBytesMax) async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let limits = LinkLimits()
            channel = try await DatagramBootstrap(group: loop).bind(host: "127.0.0.1", port: 0).get()
            queue = OutboundQueue(
                bytesMax: bytesMax, framesMax: limits.queueFramesMax, batchBytesMax: limits.batchBytesMax,
                piecesMax: limits.bulkPiecesMax)
            let peer = SessionIdentity(identity: .generate(), meshKey: nil).introduction(
                name: try PeerName("bob"), instance: 1, clock: WallTime(milliseconds: 0), port: 4_000, capabilities: 0)
            link = Link(
                id: LinkTableTests.id, peer: peer, address: PeerAddress(host: "127.0.0.1", port: 4_001), dial: nil,
                queue: queue, channel: channel, limits: limits)
        }

        /// Queues whole frames until more than this many bytes wait.
        func fill(beyond bytes: Int) {
            while queue.waitingBytes <= bytes { #expect(queue.push(LinkTableTests.frame)) }
        }

        func drain() {
            while queue.take() != nil {}
        }
    }

    /// Works on a copy of the table of a node that runs.
    private func withTable(_ slow: Slow, _ work: (inout LinkTable) throws -> Void) async throws {
        let nodes = BareNodes(mesh: "links")
        let node = try await nodes.node("alice")
        try await nodes.running([node]) {
            var table = await node.links
            table.opened(slow.link)
            try work(&table)
        }
        // A link that is closed closes it as well, some time later.
        slow.channel.close(promise: nil)
    }

    @Test func aLinkIsBusyOnceItsQueueIsFullUntilItIsFree() async throws {
        let slow = try await Slow()
        try await withTable(slow) { table in
            slow.fill(beyond: LinkTable.freeBytes)
            var became = [table.becameBusy(Self.id)]
            slow.fill(beyond: LinkTable.busyBytes)
            for _ in 0..<2 { became.append(table.becameBusy(Self.id)) }
            #expect(became == [false, true, false])
            let (isBusy, waiting) = (table.isBusy(Self.id), table.waitingBytes)
            #expect(isBusy && waiting == slow.queue.waitingBytes)
            var watched = [table.watch(Self.id) != nil, table.watch(Self.id) != nil]
            table.unwatch(Self.id)
            watched.append(table.watch(Self.id) != nil)
            #expect(watched == [true, false, true])
            table.becameFree(Self.id)
            let isStillBusy = table.isBusy(Self.id)
            #expect(!isStillBusy)
            table.closed(Self.id)
            let isBusyAgain = table.becameBusy(Self.id)
            #expect(!isBusyAgain)
        }
    }

    @Test func writersWaitForASlowLinkButNotForOneThatTakesNothing() async throws {
        let slow = try await Slow()
        try await withTable(slow) { table in
            var slowLinks = [table.slow()]
            slow.fill(beyond: LinkTable.freeBytes)
            let excess = slow.queue.waitingBytes
            var found = [table.excess(on: Self.id)]
            // It took something.
            table.waited(for: Self.id, excessBefore: excess + 1)
            slowLinks.append(table.slow())
            // It took nothing.
            table.waited(for: Self.id, excessBefore: excess)
            slowLinks.append(table.slow())
            found.append(table.excess(on: Self.id))
            // Once it has drained it counts again.
            slow.drain()
            slowLinks.append(table.slow())
            slow.fill(beyond: LinkTable.freeBytes)
            slowLinks.append(table.slow())
            #expect(slowLinks == [[], [Self.id], [], [], [Self.id]])
            #expect(found == [excess, nil])
        }
    }

    @Test func aLinkWithAFullQueueIsClosed() async throws {
        let slow = try await Slow(bytesMax: 100_000)
        try await withTable(slow) { table in
            let sent = [table.send(Self.frame, to: Self.id), table.send(Self.frame, to: Self.id)]
            #expect(sent == [true, false] && slow.link.isClosing)
            let isSentToNobody = table.send([1], to: LinkID(rawValue: 1))
            #expect(!isSentToNobody)
        }
    }

    @Test func dataLeavesRoomForChat() async throws {
        let slow = try await Slow()
        try await withTable(slow) { table in
            var sent = [table.sendData([1], to: Self.id)]
            slow.fill(beyond: LinkTable.busyBytes)
            sent += [table.sendData([1], to: Self.id), table.sendData([1], to: LinkID(rawValue: 1))]
            #expect(sent == [true, false, nil] && !slow.link.isClosing)
        }
    }

    @Test func linksHaveTheirTurnEverySoManyLines() async throws {
        let slow = try await Slow()
        try await withTable(slow) { table in
            var turns: [Int] = []
            for line in 1...130 where table.isTurnOver(after: 1) { turns.append(line) }
            #expect(turns == [64, 128])
        }
    }
}

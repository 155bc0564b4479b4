import Foundation
import Testing

@testable import Lattice
@testable import LatticeNode

/// Unreliable messages between sessions.
@Suite(.timeLimit(.minutes(10))) struct DatagramTests {
    private func number(_ message: Received) -> UInt32 {
        message.bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Sends numbers until 20 have come.
    private func numbers(from sender: Session, to peer: Peer, readBy reader: Session) async throws -> [Received] {
        try await withThrowingTaskGroup(of: [Received].self) { group in
            group.addTask {
                var all: [Received] = []
                for await message in reader.received {
                    all.append(message)
                    if all.count == 20 { break }
                }
                return all
            }
            group.addTask {
                var last: UInt32 = 0
                while !Task.isCancelled {
                    last += 1
                    _ = try await sender.send(bytes(last), to: [peer], mode: .unreliable)
                    await Task.yield()
                }
                return []
            }
            let all = try await group.next() ?? []
            group.cancelAll()
            return all
        }
    }

    /// Sends the same again and again until the work is done: each one may be lost.
    private func repeating(
        _ bytes: [UInt8], from sender: Session, to peer: Peer, _ work: () async throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                do throws(LatticeError) {
                    while !Task.isCancelled {
                        try await sender.send(bytes, to: [peer], mode: .unreliable)
                        await Task.yield()
                    }
                } catch {
                    // The work is done.
                    guard error.code == .cancelled else { throw error }
                }
            }
            defer { group.cancelAll() }
            try await work()
        }
    }

    @Test func theyComeAtMostOnceAndWithTheirMode() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            let all = try await numbers(from: ada, to: peer, readBy: bob)
            #expect(Set(all.map(number)).count == 20)
            let me = try await ada.me
            #expect(all.allSatisfy { $0.mode == .unreliable && $0.peer == me && $0.peer.name == "ada" })
            #expect(all.allSatisfy { $0.hops == 1 })
        }
    }

    @Test func theyCrossARelayThatReadsNothing() async throws {
        try await withSession(Loopback.open("relay")) { relay in
            let address = try await Loopback.address(of: relay)
            try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                try await withSession(Loopback.configuration("bob", to: [address])) { bob in
                    let peer = try await Loopback.peer(bob, of: ada)
                    let all = try await numbers(from: ada, to: peer, readBy: bob)
                    #expect(Set(all.map(number)).count == 20)
                    let me = try await ada.me
                    #expect(all.allSatisfy { $0.mode == .unreliable && $0.peer == me })
                    #expect(relay.datagramStatistics.forwarded >= 20)
                    #expect(relay.datagramStatistics.received == 0)
                    #expect(ada.datagramStatistics.sent >= 20)
                }
            }
        }
    }

    @Test func aPeerThatBeginsAgainGetsThemOnceMore() async throws {
        try await withSession(Loopback.open("relay")) { relay in
            let address = try await Loopback.address(of: relay)
            try await Loopback.folder { folder in
                try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                    for _ in 0..<2 {
                        try await withSession(Loopback.configuration("bob", to: [address], in: folder)) { bob in
                            let peer = try await Loopback.peer(bob, of: ada)
                            let all = try await numbers(from: ada, to: peer, readBy: bob)
                            #expect(Set(all.map(number)).count == 20)
                        }
                    }
                }
            }
        }
    }

    @Test func whatNobodyReadsIsDroppedOldestFirstAndCounted() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            // Until some are dropped as nobody reads; on a busy machine links drop some, too.
            var next: UInt32 = 0
            while bob.datagramStatistics.droppedUnread < 100 {
                let report = try await ada.send(bytes(next), to: [peer], mode: .unreliable)
                #expect(report.unreachable.isEmpty && report.waiting.isEmpty)
                next += 1
                await Task.yield()
            }
            var unread: [UInt32] = []
            for await message in bob.received {
                unread.append(number(message))
                if unread.count == DatagramInbox.countMax { break }
            }
            #expect(unread == unread.sorted() && Set(unread).count == unread.count)
            // The oldest were dropped, and each one was counted.
            #expect(unread[0] >= 100)
            let (came, sent) = (bob.datagramStatistics, ada.datagramStatistics)
            #expect(came.received <= sent.sent && sent.sent <= UInt64(next))
            #expect(came.droppedUnread + UInt64(unread.count) <= came.received)
        }
    }

    @Test func oneThatIsTooLongOrHasNoWayIsNotSent() async throws {
        let nobody = Peer(try #require(PeerID(String(repeating: "7", count: 64))).core, name: "nobody")
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            await expect(.tooLong) {
                try await ada.send(
                    [UInt8](repeating: 0, count: Session.datagramBytesMax + 1), to: [peer], mode: .unreliable)
            }
            let longest = [UInt8](repeating: 3, count: Session.datagramBytesMax)
            let report = try await ada.send(longest, to: [nobody, peer], mode: .unreliable)
            #expect(report == SendReport(dropped: 0, unreachable: [nobody], waiting: []))
            #expect(ada.datagramStatistics.droppedWithoutWay == 1)
            try await repeating(longest, from: ada, to: peer) {
                for await message in bob.received {
                    #expect(message.bytes == longest)
                    break
                }
            }
            #expect(try await ada.send([1], to: [peer]) == SendReport(dropped: 0, unreachable: [], waiting: []))
        }
    }

    @Test func afterTheEndTheStatisticsStay() async throws {
        let session = try Session(Loopback.open("ada"))
        #expect(session.datagramStatistics.sent == 0)
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            try await repeating([1], from: ada, to: peer) {
                for await _ in bob.received { break }
            }
            await ada.close()
            #expect(ada.datagramStatistics.sent >= 1)
            await expect(.closed) { try await ada.send([1], to: [peer], mode: .unreliable) }
        }
    }

    @Test func oneOfAPeerThatIsNotConnectedIsDroppedAndCounted() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            let node = try await ada.running().node
            node.data.datagrams.received([1], from: try #require(PeerID(String(repeating: "7", count: 64))).core)
            let counts = ada.datagramStatistics
            #expect(counts.received == 1 && counts.droppedUnread == 1)
            let message = ada.inbox.change { $0.take() }
            #expect(message == nil)
        }
    }

    // MARK: - Parts

    @Test func eachPeerHasItsOwnShareOfTheInbox() throws {
        let peers = ["1", "2"].compactMap { digit in
            PeerID(String(repeating: digit, count: 64)).map { Peer($0.core, name: digit) }
        }
        func message(_ peer: Int, _ number: UInt32, count: Int = 4) -> Received {
            Received(
                peer: peers[peer], bytes: bytes(number) + [UInt8](repeating: 0, count: count - 4), mode: .unreliable,
                hops: 1)
        }
        var inbox = DatagramInbox()
        inbox.put(message(1, 7))
        for number in 0..<300 as Range<UInt32> { inbox.put(message(0, number)) }
        #expect(inbox.dropped == 44)
        let taken = (0..<4).compactMap { _ in inbox.take() }
        #expect(taken.map(\.peer.name) == ["2", "1", "1", "1"])
        #expect(taken.map { number($0) } == [7, 44, 45, 46])
        for number in 0..<40 as Range<UInt32> { inbox.put(message(1, number, count: 8_192)) }
        // 31 of 8 KiB and what each takes beside them are 256 KiB.
        #expect(inbox.dropped == 53)
        var count = 0
        while inbox.take() != nil { count += 1 }
        #expect(count == 253 + 31)
    }

    @Test func manyPeersTogetherHaveABoundAndTheLoudestPays() throws {
        let peers = (10..<99).compactMap { digits in
            PeerID(String(repeating: "\(digits)", count: 32)).map { Peer($0.core, name: "\(digits)") }
        }
        var inbox = DatagramInbox()
        inbox.put(Received(peer: peers[0], bytes: [7], mode: .unreliable, hops: 1))
        let bytes = [UInt8](repeating: 0, count: 8_192)
        for _ in 0..<100 {
            for peer in peers.dropFirst() {
                inbox.put(Received(peer: peer, bytes: bytes, mode: .unreliable, hops: 1))
                #expect(inbox.bytesInAll <= DatagramInbox.bytesMaxInAll)
            }
        }
        var taken: [Received] = []
        while let message = inbox.take() { taken.append(message) }
        #expect(taken.count == 1 + DatagramInbox.bytesMaxInAll / (8_192 + DatagramInbox.overheadBytes))
        #expect(taken.count(where: { $0.peer == peers[0] }) == 1)
        #expect(UInt64(taken.count) + inbox.dropped == 8_801)
        #expect(inbox.bytesInAll == 0 && inbox.isEmpty)
        // All others had about as many.
        let counts = Dictionary(grouping: taken.dropFirst(), by: \.peer).values.map(\.count)
        #expect(counts.allSatisfy { (4...7).contains($0) })
    }

    @Test func theTwoKindsAreReadByTurns() throws {
        let peer = Peer(try #require(PeerID(String(repeating: "1", count: 64))).core, name: "one")
        var inbox = MessageInbox()
        // A look that finds nothing changes nothing.
        let nothing = inbox.take()
        #expect(nothing == nil)
        for number in 0..<3 as Range<UInt8> {
            let count = inbox.put([Received(peer: peer, bytes: [number], mode: .reliable, hops: 1)])
            #expect(count == 1)
            let isFirst = inbox.putDatagram(Received(peer: peer, bytes: [10 + number], mode: .unreliable, hops: 1))
            // Only the first one has a reader to wake.
            #expect(isFirst == (number == 0))
        }
        _ = inbox.putDatagram(Received(peer: peer, bytes: [13], mode: .unreliable, hops: 1))
        var order: [UInt8] = []
        while let message = inbox.take() { order += message.bytes }
        #expect(order == [10, 0, 11, 1, 12, 2, 13])
    }

    @Test func datagramsOpenOneStreamToAPeerAndAFailureHoldsThemBack() throws {
        let peer = try #require(PeerID(String(repeating: "1", count: 64))).core
        let start = ContinuousClock.now
        var channels = MessageChannels()
        func mayOpen(after time: Duration) -> Bool {
            channels.mayOpenForDatagrams(to: peer, at: start.advanced(by: time))
        }
        var now = Duration.zero
        for delay in [1, 2, 4, 8, 16, 16] {
            #expect(mayOpen(after: now))
            // The first attempt is under way.
            #expect(!mayOpen(after: now + .seconds(100)))
            channels.couldNotOpen(to: peer, LatticeError(.timedOut, ""), at: start.advanced(by: now))
            now += .seconds(delay)
            #expect(!mayOpen(after: now - .milliseconds(1)))
        }
        #expect(mayOpen(after: now))
        channels.hasOpened(3, to: peer)
        #expect(!mayOpen(after: now + .seconds(100)))
        // Nothing of the program was lost with it.
        channels.hasEnded(3, with: peer, isBroken: true)
        var awaited: UInt64?
        let way = channels.way(to: peer, awaited: &awaited)
        #expect(way == .toOpen)
        channels.couldNotOpen(to: peer, .cancelled, at: start)
        // The good end has reset the delays.
        #expect(mayOpen(after: .zero))
    }

    @Test func whoWaitedForAnAttemptThatFailedFailsWithIt() throws {
        let peer = try #require(PeerID(String(repeating: "1", count: 64))).core
        let start = ContinuousClock.now
        let error = LatticeError(.unwanted, "nobody listens")
        var channels = MessageChannels()
        let mayOpen = channels.mayOpenForDatagrams(to: peer, at: start)
        #expect(mayOpen)
        var (first, later): (UInt64?, UInt64?)
        let waits = channels.way(to: peer, awaited: &first)
        #expect(waits == nil)
        channels.couldNotOpen(to: peer, error, at: start)
        let failed = channels.way(to: peer, awaited: &first)
        #expect(failed == .failed(error))
        // One that did not wait tries for itself, and so does one whose attempt was cancelled.
        for _ in 0..<2 {
            let way = channels.way(to: peer, awaited: &later)
            #expect(way == .toOpen)
            var third: UInt64?
            let waits = channels.way(to: peer, awaited: &third)
            #expect(waits == nil)
            later = third
            channels.couldNotOpen(to: peer, .cancelled, at: start)
        }
    }

    @Test func asManyOpenAtATimeAsThereAreStreams() throws {
        let peers = (10..<50).compactMap { PeerID(String(repeating: "\($0)", count: 32))?.core }
        var channels = MessageChannels()
        let answers = peers.map { channels.mayOpenForDatagrams(to: $0, at: .now) }
        #expect(answers == (0..<40).map { $0 < MessageChannels.openingMax })
        channels.hasOpened(1, to: peers[0])
        let mayOpen = channels.mayOpenForDatagrams(to: peers[39], at: .now)
        #expect(mayOpen)
    }
}

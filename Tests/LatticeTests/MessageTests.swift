import Foundation
import Testing

@testable import Lattice

@Suite struct MessageTests {
    @Test func messagesComeInOrderAndEachOnce() async throws {
        let count: UInt32 = 3_000
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<count {
                        // From nothing at all to the largest; 6 MB in all, more than all buffers on the way.
                        let size = number % 30 == 0 ? Session.messageBytesMax : Int(number % 7) * 4
                        let bytes = [UInt8](repeating: UInt8(number % 251), count: size)
                        try await ada.send(bytes, to: [peer])
                    }
                }
                var number: UInt32 = 0
                for await message in bob.received {
                    let size = number % 30 == 0 ? Session.messageBytesMax : Int(number % 7) * 4
                    #expect(message.bytes.count == size)
                    #expect(message.bytes.first == (size == 0 ? nil : UInt8(number % 251)))
                    #expect(message.peer.name == "ada" && message.hops == 1)
                    number += 1
                    if number == count { break }
                }
                #expect(number == count)
                try await group.waitForAll()
            }
        }
    }

    @Test func messagesCrossARelayThatReadsNothing() async throws {
        try await withSession(Loopback.open("relay")) { relay in
            let address = try await Loopback.address(of: relay)
            try await withSession(Loopback.configuration("ada", to: [address])) { ada in
                try await withSession(Loopback.configuration("bob", to: [address])) { bob in
                    let peer = try await Loopback.peer(bob, of: ada)
                    try await ada.send("over two links".utf8, to: [peer])
                    for await message in bob.received {
                        #expect(message.bytes == Array("over two links".utf8))
                        #expect(try await message.peer == ada.me)
                        #expect(message.hops == 2)
                        break
                    }
                    #expect(ada.peers.first { $0.peer == peer }?.hops == 2)
                }
            }
        }
    }

    @Test func aMessageGoesToSeveralAndTheErrorNamesTheOthers() async throws {
        let nobody = Peer(try #require(PeerID(String(repeating: "7", count: 64))).core, name: "nobody")
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            do throws(LatticeError) {
                try await ada.send([1], to: [nobody, peer])
                Issue.record("nobody got it")
            } catch {
                #expect(error.code == .noRoute)
                #expect(error.peers == [nobody.id])
            }
            for await message in bob.received {
                #expect(message.bytes == [1])
                break
            }
        }
    }

    @Test func tooMuchIsRefused() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            let bytes = [UInt8](repeating: 0, count: Session.messageBytesMax + 1)
            await expect(.tooLong) { try await ada.send(bytes, to: [peer]) }
            let peers = Array(repeating: peer, count: Session.recipientsMax + 1)
            await expect(.invalid) { try await ada.send([], to: peers) }
            await expect(.invalid) { try await ada.flush(peers) }
        }
    }

    @Test func aFlushWaitsUntilEverythingIsRead() async throws {
        try await Loopback.pair { ada, bob in
            let peer = try await Loopback.peer(bob, of: ada)
            try await ada.flush([peer])
            for number in 0..<100 as Range<UInt8> { try await ada.send([number], to: [peer]) }
            await expect(.timedOut) { try await ada.flush([peer], timeout: .milliseconds(50)) }
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    var count = 0
                    for await _ in bob.received { count += 1 }
                    return count
                }
                try await ada.flush([peer], timeout: .seconds(60))
                group.cancelAll()
                #expect(try await group.next() == 100)
            }
        }
    }

    /// Each answers a flush while its own messages fill the stream.
    @Test func bothSendAndFlushAtOnce() async throws {
        try await Loopback.pair { ada, bob in
            let (atAda, atBob) = (try await Loopback.peer(bob, of: ada), try await Loopback.peer(ada, of: bob))
            try await withThrowingTaskGroup(of: Void.self) { group in
                var work = 0
                for (session, peer) in [(ada, atAda), (bob, atBob)] {
                    group.addTask { for await _ in session.received {} }
                    let bytes = [UInt8](repeating: 1, count: Session.messageBytesMax)
                    for _ in 0..<4 {
                        group.addTask { for _ in 0..<40 { try await session.send(bytes, to: [peer]) } }
                    }
                    for _ in 0..<4 {
                        group.addTask {
                            for _ in 0..<50 { try await session.flush([peer], timeout: .seconds(120)) }
                        }
                    }
                    work += 8
                }
                // The two readers go on.
                for _ in 0..<work { try await group.next() }
                group.cancelAll()
            }
        }
    }

    @Test func whatWasSentBeforeTheEndArrives() async throws {
        try await withSession(Loopback.open("ada")) { ada in
            let address = try await Loopback.address(of: ada)
            try await withSession(Loopback.open("bob", to: [address])) { bob in
                let peer = try await Loopback.peer(ada, of: bob)
                for number in 0..<50 as Range<UInt8> {
                    try await bob.send([UInt8](repeating: number, count: 1_000), to: [peer])
                }
            }
            var numbers: [UInt8] = []
            for await message in ada.received {
                numbers += message.bytes.prefix(1)
                if numbers.count == 50 { break }
            }
            #expect(numbers == Array(0..<50))
        }
    }

    @Test func aCancelledSendThrowsThat() async throws {
        try await Loopback.pair { ada, bob in
            let (peer, me) = (try await Loopback.peer(bob, of: ada), try await ada.me)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Nobody reads: it ends only by the cancellation.
                    await expect(.cancelled) {
                        while true {
                            try await ada.send([UInt8](repeating: 0, count: Session.messageBytesMax), to: [peer])
                        }
                    }
                }
                // As much as the inbox takes has come.
                let isFull: Void? = await bob.inbox.first { inbox -> Void? in
                    var copy = inbox
                    let message = Received(
                        peer: me, bytes: [UInt8](repeating: 0, count: 60_000), mode: .reliable, hops: 1)
                    return copy.put([message]) == 1 ? nil : ()
                }
                #expect(isFull != nil)
                group.cancelAll()
            }
        }
    }

    // MARK: - Parts

    @Test func framesAreCutFromAnyPieces() throws {
        let frames: [MessageFrame] = [
            .message([]), .message([1, 2, 3]), .flush(.max), .flushed(7),
        ]
        let bytes = frames.flatMap(\.bytes)
        for size in 1...bytes.count {
            var reader = MessageReader()
            var found: [MessageFrame] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.add(Array(bytes[start..<min(bytes.count, start + size)]))
                while let frame = try reader.next() { found.append(frame) }
            }
            #expect(found == frames)
        }
    }

    @Test func aFrameOfALaterKindIsSkipped() throws {
        var reader = MessageReader()
        reader.add([9, 0, 0, 0, 1, 5] + MessageFrame.message([4]).bytes)
        let (first, second) = (try reader.next(), try reader.next())
        #expect(first == .message([4]))
        #expect(second == nil)
    }

    @Test(
        arguments: [
            [0, 0, 0, 0xEA, 0x61], [1, 0, 0, 0, 1, 0], [0, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func whatIsNoFrameIsAFault(bytes: [UInt8]) {
        var reader = MessageReader()
        reader.add(bytes)
        #expect(throws: MessageFault.self) { try reader.next() }
    }

    @Test func theInboxHasRoomForEachPeer() throws {
        var inbox = MessageInbox()
        let peers = ["1", "2"].compactMap { digit in
            PeerID(String(repeating: digit, count: 64)).map { Peer($0.core, name: digit) }
        }
        func message(_ peer: Int, _ count: Int) -> Received {
            Received(peer: peers[peer], bytes: [UInt8](repeating: 0, count: count), mode: .reliable, hops: 1)
        }
        var count = 0
        while inbox.put([message(0, 60_000)]) == 1 { count += 1 }
        #expect(count == MessageInbox.bytesMax / 60_000)
        let forAnother = inbox.put([message(1, 60_000)])
        #expect(forAnother == 1)
        #expect(!inbox.hasRead(all: peers[1].id))
        for _ in 0...count {
            inbox.beginReading()
            let message = inbox.take()
            #expect(message != nil)
            inbox.endReading()
        }
        #expect(inbox.hasRead(all: peers[0].id))
        // The reader may still be busy with the last one.
        #expect(!inbox.hasRead(all: peers[1].id))
        inbox.beginReading()
        #expect(inbox.hasRead(all: peers[1].id))
    }

    @Test func manyPeersTogetherHaveABound() throws {
        var inbox = MessageInbox()
        var bytes = 0
        for digits in 10..<99 {
            let id = try #require(PeerID(String(repeating: "\(digits)", count: 32)))
            for _ in 0..<8 {
                let message = Received(
                    peer: Peer(id.core, name: "peer"), bytes: [UInt8](repeating: 0, count: 60_000), mode: .reliable,
                    hops: 1)
                bytes += 60_000 * inbox.put([message])
            }
        }
        #expect(bytes <= MessageInbox.bytesMaxInAll && bytes > MessageInbox.bytesMaxInAll - 60_000)
        // Who was refused waits until half of it is read.
        let last = try #require(PeerID(String(repeating: "98", count: 32)))
        let one = Received(
            peer: Peer(last.core, name: "peer"), bytes: [UInt8](repeating: 0, count: 60_000), mode: .reliable, hops: 1)
        while bytes > MessageInbox.bytesMaxInAll / 2 {
            let count = inbox.put([one])
            #expect(count == 0)
            let message = inbox.take()
            bytes -= try #require(message).bytes.count
        }
        let (hasNews, count) = (inbox.takeNews(), inbox.put([one]))
        #expect(hasNews && count == 1)
    }

    /// A sender wakes when there is room, a flush when all messages are handled, and neither wakes for anything else.
    @Test func theReaderWakesOthersOnlyWhenTheyMayGoOn() throws {
        let id = try #require(PeerID(String(repeating: "1", count: 64)))
        let message = Received(
            peer: Peer(id.core, name: "peer"), bytes: [UInt8](repeating: 0, count: 1_024), mode: .reliable, hops: 1)
        var inbox = MessageInbox()
        let isFitting = inbox.put(Array(repeating: message, count: 600)[...])
        #expect(isFitting == 512)
        for number in 1...512 {
            inbox.beginReading()
            let (taken, hasNews) = (inbox.take(), inbox.takeNews())
            inbox.endReading()
            #expect(taken != nil && hasNews == (number == 256), "\(number)")
            if number == 255 {
                let count = inbox.put([message])
                #expect(count == 0)
            }
        }
        #expect(!inbox.hasRead(all: id))
        inbox.beginReading()
        let hasNews = inbox.takeNews()
        #expect(hasNews && inbox.hasRead(all: id))
        let count = inbox.put([message])
        #expect(count == 1 && !inbox.hasRead(all: id))
    }

    @Test func theSenderAfterABreakLearnsIt() throws {
        let peer = try #require(PeerID(String(repeating: "1", count: 64))).core
        var channels = MessageChannels()
        var awaited: UInt64?
        func expectWay(_ way: MessageChannels.Way?, location: SourceLocation = #_sourceLocation) {
            let found = channels.way(to: peer, awaited: &awaited)
            #expect(found == way, sourceLocation: location)
        }
        expectWay(.toOpen)
        expectWay(nil)
        channels.hasOpened(3, to: peer)
        expectWay(.stream(3))
        channels.hasEnded(2, with: peer, isBroken: true)
        expectWay(.stream(3))
        channels.hasEnded(3, with: peer, isBroken: true)
        expectWay(.broken)
        expectWay(.toOpen)
        channels.couldNotOpen(to: peer, .cancelled, at: .now)
        channels.hasAccepted(4, from: peer)
        channels.hasAccepted(5, from: peer)
        expectWay(.stream(4))
        let flush = channels.nextFlush()
        let before = channels.outcome(of: flush, over: 4, to: peer)
        #expect(before == nil)
        channels.hasEnded(4, with: peer, isBroken: false)
        let after = channels.outcome(of: flush, over: 4, to: peer)
        #expect(after == false)
        expectWay(.toOpen)
    }
}

import Foundation
import LatticeAPI
import LatticeCore
import Logging
import Synchronization
import Testing

@testable import LatticeControl

/// Real sockets, and a node that says what it was asked.
@Suite struct ControlSocketTests {
    @Test func aFrontBehindTheSocketSeesTheNode() async throws {
        try await Served().run { served in
            try await served.attached { client in
                let hello = try await client.hello()
                #expect(hello == ControlHello(version: 1, me: Samples.me))
                let events = await client.events()
                let said = try await client.perform(Say("hi", style: .says, room: Samples.room))
                #expect(said.record == Samples.record)
                await served.node.tell(.message(Samples.message))
                var told = events.makeAsyncIterator()
                #expect(await told.next() == .sync(Samples.progress))
                #expect(await told.next() == .message(Samples.message))
            }
            let usual: [AnyHashable] = [ShowMe(), ListPeers(), ShowSyncStatus()]
            #expect(
                await served.node.requests.filter { !usual.contains($0) } == [
                    Say("hi", style: .says, room: Samples.room)
                ])
        }
    }

    @Test func whatTheNodeRefusesIsRefusedThere() async throws {
        try await Served().run { served in
            await served.node.refuse(RequestError.unknownPeer(text: "nobody"))
            try await served.attached { client in
                await #expect(throws: RequestError.unknownPeer(text: "nobody")) {
                    _ = try await client.perform(ListPeers())
                }
            }
        }
    }

    @Test func aNameReachesTheNodeAsItWasSaid() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":1,"method":"tell","params":{"peer":"bob#k7f3","text":"psst"}}"## + "\n")
            #expect(try await socket.line().contains(##""result":{"told""##))
            #expect(await served.node.requests == [SendPrivateMessage(Samples.bob, "psst", style: .says)])
            // An ambiguous name gets an error.
            let several = RequestError.ambiguousPeer(candidates: [Samples.person], at: Samples.date)
            await served.node.refuse(several)
            socket.send(##"{"id":2,"method":"tell","params":{"peer":"bob","text":"psst"}}"## + "\n")
            let line = try await socket.line()
            #expect(line.contains(##""code":"ambiguous""##) && line.contains(Samples.peer.hex), "\(line)")
        }
    }

    /// A script says many lines and reads the answers afterwards.
    @Test func linesAreSaidInTheOrderTheyWereSent() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            let lines = (0..<500).map {
                ##"{"id":\##($0),"method":"say","params":{"text":"\##($0)","room":"#park"}}"##
            }
            socket.send(lines.joined(separator: "\n") + "\n")
            for number in 0..<500 {
                #expect(try await socket.line().hasPrefix(##"{"id":\##(number),"jsonrpc":"2.0","result":{"said":"##))
            }
            #expect(
                await served.node.requests
                    == (0..<500).map { AnyHashable(Say("\($0)", style: .says, room: Samples.room)) })
        }
    }

    /// A request that waits holds up no other, not even on its own connection.
    @Test func aRequestThatWaitsLetsOthersPass() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(
                ##"{"id":1,"method":"flush","params":{"timeout":3600}}"## + "\n" + ##"{"id":2,"method":"sync"}"## + "\n"
            )
            #expect(try await socket.line() == ##"{"id":2,"jsonrpc":"2.0","result":{"done":{}}}"##)
            await served.node.letGo()
            #expect(try await socket.line() == ##"{"id":1,"jsonrpc":"2.0","result":{"flushed":{"unconfirmed":2}}}"##)
        }
    }

    /// A late subscriber gets the present state.
    @Test func aSubscriberIsToldHowThingsAre() async throws {
        try await Served().run { served in
            await served.node.know([
                PeerInfo(
                    id: Samples.peer, prefix: nil, name: "bob", state: .connected, hops: 1, isHere: true,
                    rooms: [Samples.room]),
                PeerInfo(id: nil, prefix: Samples.peer.prefix, name: "announced", state: .notConnected),
            ])
            await served.node.tell(.ready(Samples.me))
            await served.node.tell(.sync(Samples.progress))
            try await served.attached { client in
                var told = await client.events().makeAsyncIterator()
                // The node's own event may come before, when there is no subscriber yet, or after.
                var first = await told.next()
                while case .ready = first { first = await told.next() }
                #expect(
                    first == .peer(PeerChange(id: Samples.peer, name: Samples.name, state: .connected, reason: nil)))
                let presence = PresenceChange(
                    id: Samples.peer, name: Samples.name, isHere: true, rooms: [Samples.room], hops: 1)
                #expect(await told.next() == .presence(presence))
            }
        }
    }

    /// An event that nobody reads wakes nobody.
    @Test func theNodeIsAskedForEventsOnlyWhileSomebodyReadsThem() async throws {
        @Sendable func eventually(_ what: Comment, _ holds: @Sendable () async -> Bool) async throws {
            for _ in 0..<60_000 {
                if await holds() { return }
                try await Task.sleep(for: .milliseconds(1))
            }
            Issue.record(what)
            throw CancellationError()
        }
        let progress = SyncProgress(isCaughtUp: false, fetched: 4, total: 9, peers: 2)
        try await Served().run { served in
            await served.node.tell(.ready(Samples.me))
            try await eventually("without a client none are wanted") { await served.node.areGone == [true] }
            for count in 2...3 {
                let gone = Array(repeating: true, count: count - 1)
                try await served.attached { client in
                    var told = await client.events().makeAsyncIterator()
                    #expect(await served.node.areGone == gone + [false])
                    await served.node.tell(.sync(progress))
                    while await told.next() != .sync(progress) {}
                }
                await served.idle()
                await served.node.tell(.sync(progress))
                try await eventually("the client has left") { await served.node.areGone == gone + [true] }
            }
        }
    }

    @Test func aSubscriberIsToldWhatItAskedFor() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":1,"method":"subscribe","params":{"topics":["sync"]}}"## + "\n")
            _ = try await socket.line()
            func line(fetched: Int) -> String {
                ##"{"jsonrpc":"2.0","method":"sync","params":{"fetched":\##(fetched),"isCaughtUp":false,"peers":2,"total":9}}"##
            }
            #expect(try await socket.line() == line(fetched: 3), "how far it is")
            await served.node.tell(.message(Samples.message))
            await served.node.tell(.sync(SyncProgress(isCaughtUp: false, fetched: 4, total: 9, peers: 2)))
            #expect(try await socket.line() == line(fetched: 4))
        }
    }

    /// It does not read: others get everything, and when it reads again it learns how much it lost.
    @Test func whoReadsSlowlyIsToldWhatItLost() async throws {
        try await Served().run { served in
            let (slow, quick) = (try RawSocket(served.path), try RawSocket(served.path))
            for socket in [slow, quick] {
                socket.send(##"{"id":1,"method":"subscribe","params":{"topics":["notices"]}}"## + "\n")
                _ = try await socket.line()
            }
            let text = String(repeating: "x", count: 1_024)
            let count = 2_000
            // The quick one reads a hundred at a time, far fewer than may wait for it.
            for hundred in stride(from: 0, to: count, by: 100) {
                for number in hundred..<hundred + 100 {
                    await served.node.tell(.notice(Notice(.information, code: "\(number)", text)))
                }
                for number in hundred..<hundred + 100 {
                    #expect(try await quick.line().contains(##""code":"\##(number)""##))
                }
            }
            await served.node.tell(.notice(Notice(.information, code: "end", "")))
            _ = try await quick.line()
            var (told, missed) = (0, 0)
            while told + missed < count {
                let line = try await slow.line()
                if let range = line.firstRange(of: ##""missed":"##) {
                    missed += try #require(Int(line[range.upperBound...].prefix { $0.isNumber }))
                } else {
                    told += 1
                    // Only behind something that arrives can it be told what was lost.
                    if told + missed < count { await served.node.tell(.notice(Notice(.information, code: "more", ""))) }
                }
            }
            #expect(missed > 0 && told > ControlLimit.eventsWaitingMax)
        }
    }

    @Test(arguments: [
        ("hello\n", ##"{"error":{"code":-32700,"message":"this line is not JSON"},"id":null,"jsonrpc":"2.0"}"##),
        (
            "\u{0}\u{1}\u{2}\n",
            ##"{"error":{"code":-32700,"message":"this line is not JSON"},"id":null,"jsonrpc":"2.0"}"##
        ),
        ("[1,2]\n", ##"{"error":{"code":-32600,"message":"must be an object"},"id":null,"jsonrpc":"2.0"}"##),
        ("{}\n", ##"{"error":{"code":-32600,"message":"'method' is missing"},"id":null,"jsonrpc":"2.0"}"##),
        (
            ##"{"id":"a","method":7}"## + "\n",
            ##"{"error":{"code":-32600,"message":"'method': must be a text"},"id":null,"jsonrpc":"2.0"}"##
        ),
        (
            ##"{"id":1,"method":"\u001b[31m"}"## + "\n",
            ##"{"error":{"code":-32601,"message":"unknown request '\u001b[31m'"},"id":1,"jsonrpc":"2.0"}"##
        ),
    ]) func nonsenseIsAnsweredAndTheNextRequestToo(text: String, answer: String) async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(text)
            #expect(try await socket.line() == answer)
            socket.send(##"{"id":2,"method":"sync"}"## + "\r\n")
            #expect(try await socket.line() == ##"{"id":2,"jsonrpc":"2.0","result":{"done":{}}}"##)
        }
    }

    @Test func aLineWithoutAnEndEndsItsConnectionAlone() async throws {
        try await Served().run { served in
            let (endless, other) = (try RawSocket(served.path), try RawSocket(served.path))
            endless.send(String(repeating: "x", count: ControlLimit.requestBytesMax + 2))
            #expect(
                try await endless.line()
                    == ##"{"error":{"code":-32600,"message":"a line can have at most 1048576 bytes"},"id":null,"jsonrpc":"2.0"}"##
            )
            await #expect(throws: RawSocket.Ended.self) { try await endless.line() }
            other.send(##"{"id":2,"method":"sync"}"## + "\n")
            #expect(try await other.line() == ##"{"id":2,"jsonrpc":"2.0","result":{"done":{}}}"##)
        }
    }

    @Test func whatWasBegunAndNotEndedIsNotSaid() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":1,"method":"say","params":{"text":"half","room":"#park"}}"##)
            socket.end()
            await #expect(throws: RawSocket.Ended.self) { try await socket.line() }
            #expect(await served.node.requests.isEmpty)
        }
    }

    @Test func whenTheNodeEndsItsFrontsAreTold() async throws {
        let served = try Served()
        let client = Mutex<ControlClient?>(nil)
        try await served.run { served in
            let connected = try await ControlClient.connected(to: served.path)
            client.withLock { $0 = connected }
        }
        let left = try #require(client.withLock { $0 })
        async let running: Void = left.run()
        await #expect(throws: RequestError.self) { _ = try await left.perform(ListPeers()) }
        for await _ in await left.events() {}
        await running
    }
}

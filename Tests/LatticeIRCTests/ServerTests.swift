import Glibc
import LatticeAPI
import LatticeCore
import Logging
import Testing

@testable import LatticeIRC

/// Real sockets, and a node that says what it was asked.
@Suite(.timeLimit(.minutes(10))) struct ServerTests {
    static func serving(
        _ change: (inout IRCSettings) -> Void = { _ in },
        body: @escaping @Sendable (FakeHost, IRCServer) async throws -> Void
    ) async throws {
        var settings = IRCSettings(mesh: try MeshName("camp"), version: "1", begun: WallTime(milliseconds: 0))
        change(&settings)
        let host = FakeHost()
        let server = try await IRCServer.listening(
            at: PeerAddress(host: "127.0.0.1", port: 0), node: host, settings: settings,
            date: { WallTime(milliseconds: 1_795_000_000_000) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await server.run() }
            defer { group.cancelAll() }
            try await body(host, server)
        }
    }

    @Test func twoClientsTalk() async throws {
        try await Self.serving { host, server in
            let (alice, bob) = (try await server.client("alice"), try await server.client("bob"))
            try await alice.joins("#park")
            try await bob.joins("#park")
            _ = try await alice.line { $0.contains("JOIN #park") && $0.hasPrefix(":bob!") }
            bob.send("PRIVMSG #park :grüß ")
            bob.send("dich\r\n")
            #expect(try await alice.line { $0.contains("PRIVMSG") }.hasSuffix("PRIVMSG #park :grüß dich"))
            bob.send("QUIT :bye\r\n")
            #expect(try await alice.line { $0.contains("QUIT") }.hasSuffix("QUIT :Quit: bye"))
            #expect(try await bob.line { $0.hasPrefix("ERROR") }.hasSuffix("(Quit: bye)"))
            await #expect(throws: IRCSocket.Ended.self) { _ = try await bob.line { _ in true } }
            try await until { await host.insideCount == 1 }
        }
    }

    /// What no IRC client says, and what bad ones do.
    @Test func aMegabyteWithoutALineEndIsOneLineTooLong() async throws {
        try await Self.serving { _, server in
            let alice = try await server.client("alice")
            alice.send(String(repeating: "x", count: 1 << 20))
            alice.send("\r\nPING after\r\n")
            #expect(try await alice.line { $0.contains(" 417 ") || $0.contains("PONG") }.contains(" 417 "))
            #expect(
                try await alice.line { $0.contains(" 417 ") || $0.contains("PONG") }.hasSuffix(
                    "PONG lattice.local :after"))
            alice.send(bytes: [0, 1, 2, 0xFF, 0x0A])
            #expect(try await alice.line { $0.contains("FAIL") }.contains("FAIL * INVALID_MESSAGE"))
            alice.send(bytes: [0xC3, 0x28, 0x0A])
            #expect(try await alice.line { $0.contains("FAIL") }.contains("FAIL * INVALID_UTF8"))
        }
    }

    @Test func tenThousandJoinsAreRefused() async throws {
        try await Self.serving { host, server in
            let alice = try await server.client("alice")
            alice.send((0..<70).map { "JOIN #r\($0)\r\n" }.joined())
            #expect(try await alice.line { $0.contains(" 405 ") }.contains("#r64"))
            alice.send((0..<10_000).map { "JOIN #s\($0)\r\n" }.joined())
            #expect(try await alice.line { $0.hasPrefix("ERROR") }.contains("(Excess Flood: "))
            try await until { await host.insideCount == 0 }
        }
    }

    /// It never reads: nobody else notices, and in the end it is let go of.
    @Test func whoNeverReadsIsLetGoOf() async throws {
        try await Self.serving({ $0.limits.sendQueueBytesMax = 64 << 10 }) { host, server in
            let (deaf, alice) = (try await server.client("deaf"), try await server.client("alice"))
            try await deaf.joins("#park")
            try await alice.joins("#park")
            let text = String(repeating: "x", count: 300)
            var count = 0
            while await host.insideCount == 2 {
                for _ in 0..<50 {
                    count += 1
                    try await host.tell(Self.line("\(count) \(text)", number: count))
                }
                let last = "PRIVMSG #park :\(count) "
                _ = try await alice.line { $0.contains(last) }
            }
            alice.send("PING x\r\n")
            _ = try await alice.line { $0.contains("PONG") }
        }
    }

    /// Lines that follow closely are written together; none of them is lost or comes before another, however few clients there are.
    @Test func aBurstComesWholeAndInOrder() async throws {
        try await Self.serving { host, server in
            let (alice, bob) = (try await server.client("alice"), try await server.client("bob"))
            try await alice.joins("#park")
            try await bob.joins("#park")
            for number in 0..<1_000 {
                try await host.tell(Self.line("line \(number)", number: number))
                // An answer follows the lines that were sent before.
                if number % 100 == 50 { alice.send("PING \(number)\r\n") }
            }
            for number in 0..<1_000 {
                #expect(try await alice.line { $0.contains("PRIVMSG") }.hasSuffix(":line \(number)"))
                #expect(try await bob.line { _ in true }.hasSuffix(":line \(number)"))
            }
            bob.send("PING alone\r\n")
            #expect(try await bob.line { _ in true }.hasSuffix(":alone"))
        }
    }

    private static func line(_ text: String, number: Int) throws -> NodeEvent {
        .message(
            Message(
                record: RecordID(Bytes32(words: (UInt64(number), 1, 1, 1))), room: try RoomName("#park"),
                from: GatewayRig.peer("bob"), name: try PeerName("bob"), text: text, style: .says,
                at: WallTime(milliseconds: 0), hops: 1))
    }

    @Test func manyClientsHearEachOther() async throws {
        try await Self.serving({ $0.limits.unregisteredMax = 1_000 }) { _, server in
            var clients: [IRCSocket] = []
            for number in 0..<100 { clients.append(try await server.client("n\(number)")) }
            for client in clients { client.send("JOIN #park\r\n") }
            for client in clients { _ = try await client.line { $0.contains(" 366 ") } }
            for (number, client) in clients.enumerated() { client.send("PRIVMSG #park :from \(number)\r\n") }
            for (number, client) in clients.enumerated() {
                var heard: Set<String> = []
                while heard.count < 99 {
                    heard.insert(String(try await client.line { $0.contains("PRIVMSG") }.split(separator: ":from ")[1]))
                }
                #expect(!heard.contains("\(number)"))
            }
        }
    }

    @Test func theEndIsToldAndComesSoon() async throws {
        let settings = IRCSettings(mesh: try MeshName("camp"), version: "1", begun: WallTime(milliseconds: 0))
        let server = try await IRCServer.listening(
            at: PeerAddress(host: "127.0.0.1", port: 0), node: FakeHost(), settings: settings,
            date: { WallTime(milliseconds: 0) }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let run = Task { await server.run() }
        let (alice, silent) = (try await server.client("alice"), try IRCSocket(server.address.port))
        run.cancel()
        #expect(try await alice.line { $0.hasPrefix("ERROR") }.hasSuffix("(The gateway is shutting down)"))
        await run.value
        await #expect(throws: IRCSocket.Ended.self) { while true { _ = try await silent.line { _ in true } } }
    }

    /// Looks again and again, until it is so.
    private func until(_ isSo: () async -> Bool) async throws {
        while await !isSo() { await Task.yield() }
    }
}

extension IRCServer {
    func client(_ nick: String) async throws -> IRCSocket {
        let socket = try IRCSocket(address.port)
        socket.send("NICK \(nick)\r\nUSER \(nick) 0 * :\(nick)\r\n")
        _ = try await socket.line { $0.contains(" 376 ") }
        return socket
    }
}

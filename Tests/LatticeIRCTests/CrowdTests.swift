import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeIRC

/// Many clients, many lines, and clients that were left open, on real sockets.
@Suite struct CrowdTests {
    @Test func aThousandLinesInOneWriteAreAllSaid() async throws {
        try await ServerTests.serving { _, server in
            let (alice, bob) = (try await server.client("alice"), try await server.client("bob"))
            try await alice.joins("#park")
            try await bob.joins("#park")
            alice.send((0..<1_000).map { "PRIVMSG #park :m\($0)\r\n" }.joined())
            for number in 0..<1_000 {
                #expect(try await bob.line { $0.contains("PRIVMSG") }.hasSuffix(":m\(number)"))
            }
            alice.send("PING after\r\n")
            _ = try await alice.line { $0.hasSuffix(":after") }
        }
    }

    @Test func silentConnectionsKeepNobodyOut() async throws {
        try await ServerTests.serving({ $0.limits.unregisteredMax = 20 }) { _, server in
            let silent = try (0..<40).map { _ in try IRCSocket(server.address.port) }
            let alice = try await server.client("alice")
            #expect(try await silent[0].line { _ in true }.contains("Others are waiting"))
            alice.send("PING x\r\n")
            _ = try await alice.line { $0.contains("PONG") }
        }
    }

    @Test func aCrowdThatComesAtOnceIsLetIn() async throws {
        try await ServerTests.serving { host, server in
            let crowd = try (0..<200).map { _ in try IRCSocket(server.address.port) }
            for (number, socket) in crowd.enumerated() {
                socket.send("NICK n\(number)\r\nUSER n 0 * :n\r\n")
            }
            for (number, socket) in crowd.enumerated() {
                #expect(try await socket.line { _ in true }.contains(" 001 n\(number) "))
            }
            #expect(await host.insideCount == 200)
        }
    }

    /// The socket of a client whose network is gone stays open for minutes.
    @Test func aRightPasswordTakesOverFromASocketThatWasLeftOpen() async throws {
        try await ServerTests.serving { host, server in
            func signIn() throws -> IRCSocket {
                let socket = try IRCSocket(server.address.port)
                socket.send("CAP LS 302\r\nNICK tim\r\nUSER t 0 * :T\r\nCAP REQ :sasl\r\nAUTHENTICATE PLAIN\r\n")
                socket.send("AUTHENTICATE AHRpbQB0YW5zdGFhZnRhbnN0YWFm\r\nCAP END\r\n")
                return socket
            }
            var last = try signIn()
            _ = try await last.line { $0.contains(" 376 tim ") }
            for _ in 0..<5 {
                let next = try signIn()
                #expect(try await next.line { $0.contains(" 001 ") || $0.contains(" 433 ") }.contains(" 001 tim "))
                #expect(try await last.line { $0.hasPrefix("ERROR") }.contains("You signed in from another client"))
                last = next
            }
            #expect(await host.insideCount == 1)
        }
    }
}

import Foundation
import Glibc
import Testing

/// `lattice irc`, and where it listens.
struct Gateway {
    let peer: Peer
    let port: Int

    /// - Parameter other: whom to link with.
    init(_ name: String, on stage: Stage, linked other: Gateway? = nil, home: String? = nil) async throws {
        var arguments = ["irc", "--listen", "127.0.0.1:0", "--name", name, "--discovery", "off", "--log", "info"]
        if let other {
            let port = try #require(other.peer.error.text.firstMatch(of: /\bport=([0-9]+)/))
            arguments += ["--peer", "127.0.0.1:\(port.1)"]
        }
        let peer = try stage.run(arguments, as: name, home: home)
        self.peer = peer
        port = try await eventually("\(name) listens") {
            if let code = peer.child.exitCode { throw NeverHappened(what: "\(name) ended with \(code)") }
            return peer.error.text.firstMatch(of: /listening 127\.0\.0\.1:([0-9]+)\n/).flatMap { Int($0.1) }
        }
    }

    /// Somebody who is in.
    func client(_ nick: String, in room: String? = nil) async throws -> IRCLineClient {
        let client = try IRCLineClient(port)
        client.say("NICK \(nick)", "USER \(nick) 0 * :\(nick)")
        try await client.hears(" 376 ")
        if let room {
            client.say("JOIN \(room)")
            try await client.hears(" 366 ")
        }
        return client
    }
}

/// The barest IRC client.
final class IRCLineClient {
    private let socket: RawSocket

    init(_ port: Int) throws { socket = try RawSocket(port: port) }

    func say(_ lines: String...) { socket.send(Array(lines.map { "\($0)\r\n" }.joined().utf8)) }

    var lines: [Substring] {
        String(decoding: socket.received(), as: UTF8.self).split(separator: "\r\n")
    }

    func hears(_ text: String) async throws {
        do {
            try await eventually("an IRC client hears '\(text)'") { lines.contains { $0.contains(text) } }
        } catch {
            Issue.record("what it heard:\n\(lines.suffix(40).joined(separator: "\n"))")
            throw error
        }
    }

    func isLetGo() async throws {
        try await eventually("an IRC client is let go of") { socket.isClosed() }
    }
}

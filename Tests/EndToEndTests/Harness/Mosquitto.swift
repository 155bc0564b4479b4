import Foundation
import Glibc
import Testing

/// A mosquitto on a port that it keeps when it comes back.
final class Mosquitto {
    private let stage: Stage
    private let folder: String
    private let port: UInt16
    private let scheme: String
    private(set) var server: Peer

    /// - Parameters:
    ///   - scheme: `mqtts` if `more` has certificates.
    ///   - more: lines of its configuration, after those of the listener.
    init(on stage: Stage, scheme: String = "mqtt", _ more: String = "allow_anonymous true") async throws {
        (self.stage, self.scheme) = (stage, scheme)
        folder = "\(stage.folder)/mosquitto"
        port = try #require(try Broker.freePorts(1).first)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = """
            user root
            persistence true
            persistence_location \(folder)/
            listener \(port) 127.0.0.1
            \(more)

            """
        try text.write(toFile: "\(folder)/mosquitto.conf", atomically: true, encoding: .utf8)
        server = try Self.run(stage, folder)
        try await isListening()
    }

    private static func run(_ stage: Stage, _ folder: String) throws -> Peer {
        let program =
            FileManager.default.isExecutableFile(atPath: "/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto"
        return try stage.run(["-c", "\(folder)/mosquitto.conf"], as: "mosquitto", under: [program], isProgram: false)
    }

    private func isListening() async throws {
        let server = self.server
        try await eventually("mosquitto listens") {
            if let code = server.child.exitCode { throw NeverHappened(what: "mosquitto ended with \(code)") }
            return server.error.text.contains("running")
        }
    }

    /// Kills it, and lets `body` run while it is gone. It comes back, and has forgotten everything since it last wrote its file.
    func isGone(_ body: () async throws -> Void) async throws {
        server.child.send(SIGKILL)
        _ = try await server.exitCode()
        try await body()
        server = try Self.run(stage, folder)
        try await isListening()
    }

    /// Ends it, so that it writes what it keeps for those who are away.
    func end() async throws {
        server.child.send(SIGTERM)
        _ = try await server.exitCode()
    }

    var address: String { "\(scheme)://127.0.0.1:\(port)" }

    /// Whether one of its files has this text.
    func hasWritten(_ text: String) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: folder).contains { path in
            let content = FileManager.default.contents(atPath: "\(folder)/\(path)") ?? Data()
            return content.range(of: Data(text.utf8)) != nil
        }
    }

    /// Publishes what no bridge does, as anybody may who reaches the broker.
    func rubbish(_ topics: [String]) async throws {
        let script = """
            import os, socket, struct, sys
            def text(t): return struct.pack('>H', len(t)) + t
            def packet(kind, body):
                n, head = len(body), bytes([kind])
                while True:
                    n, digit = divmod(n, 128)
                    head += bytes([digit | (128 if n else 0)])
                    if not n: return head + body
            s = socket.create_connection(('127.0.0.1', \(port)))
            s.sendall(packet(0x10, text(b'MQTT') + b'\\x04\\x02\\x00\\x3c' + text(b'stranger')))
            assert s.recv(4)[3] == 0
            payloads = [b'', b'\\x00', b'\\x01', b'\\x02', b'\\x01' + bytes(50), b'\\x01\\x01' + bytes(60000), bytes(200000)]
            payloads += [b'\\x01' + bytes([k]) + os.urandom(n) for k in range(8) for n in (0, 8, 25, 41, 73)]
            for topic in sys.argv[1:]:
                for payload in payloads:
                    for _ in range(5): s.sendall(packet(0x30, text(topic.encode()) + payload))
            s.sendall(packet(0xC0, b''))
            assert s.recv(2)[0] == 0xD0
            s.sendall(packet(0xE0, b''))
            """
        let stranger = try stage.run(["-c", script] + topics, as: "stranger", under: ["python3"], isProgram: false)
        try #require(try await stranger.exitCode() == 0, "\(stranger.transcript)")
    }
}

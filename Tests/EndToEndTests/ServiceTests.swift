import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// `lattice run` under a manager of services.
    @Suite(.timeLimit(.minutes(10))) struct ServiceTests {
        private func run(
            _ stage: Stage, _ arguments: [String] = [], under variables: [String], home: String
        ) throws -> Peer {
            try stage.run(
                ["run", "--name", "alice", "--discovery", "off"] + arguments, as: "alice", home: home,
                under: ["/usr/bin/env"] + variables)
        }

        @Test func theManagerIsToldHowItGoes() async throws {
            try await onStage { stage in
                let manager = try Manager("\(stage.folder)/notify")
                let home = "\(stage.folder)/home"
                let node = try run(
                    stage, under: ["NOTIFY_SOCKET=\(manager.path)", "WATCHDOG_USEC=200000"], home: home)
                try await manager.hears("READY=1", from: node)
                // Once it reports that it is ready, it answers.
                let stats = try stage.run(["stats", "--name", "alice", "--json"], home: home)
                #expect(try await stats.exitCode() == 0)
                try await manager.hears("WATCHDOG=1", from: node)
                let before = manager.notices.count
                node.child.send(SIGHUP)
                try await manager.hears("RELOADING=1\nMONOTONIC_USEC=", from: node)
                try await eventually("ready again") {
                    manager.read()
                    return manager.notices.dropFirst(before).contains { $0.hasPrefix("READY=1") }
                }
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
                manager.read()
                #expect(manager.notices.contains("STOPPING=1\n"))
            }
        }

        @Test(.enabled(if: SmallDisk.isPossible, "only root mounts a disk"))
        func aFullDiskStandsInTheLogAndWhoeverSpeaksIsTold() async throws {
            try await onStage { stage in
                let disk = try SmallDisk(at: "\(stage.folder)/small", bytes: 8 << 20)
                defer { disk.end() }
                let bob = try stage.host("bob")
                let manager = try Manager("\(stage.folder)/notify")
                let node = try run(
                    stage, ["--peer", try await bob.address()], under: ["NOTIFY_SOCKET=\(manager.path)"],
                    home: disk.path)
                try await manager.hears("READY=1", from: node)
                func say(_ text: String) async throws -> (code: Int32, remarks: String) {
                    let say = try stage.run(["say", "lobby", text, "--name", "alice", "--wait", "60"], home: disk.path)
                    return (try await say.exitCode(), say.error.text)
                }
                #expect(try await say("kept") == (0, ""))
                try disk.fill()
                let lost = try await say("not kept")
                #expect(lost.code == 0 && lost.remarks.contains("could not be stored here"), "\(lost)")
                try await bob.hears("not kept")
                try await eventually("the log says it") { node.error.text.contains("code=diskFull") }
            }
        }

        /// The socket is there before the node is, and stays when it is gone: nobody is turned away.
        @Test func aSocketThatTheManagerOpenedIsServedAndKept() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let runtime = "\(stage.folder)/run"
                let path = "\(runtime)/lattice/control.sock"
                try FileManager.default.createDirectory(
                    atPath: "\(runtime)/lattice", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                let launcher = try Launcher(path)
                // Before anything runs that could answer.
                let peers = try stage.run(
                    ["stats", "--name", "alice", "--json"], as: "stats", home: home,
                    under: ["/usr/bin/env", "XDG_RUNTIME_DIR=\(runtime)"])
                try await eventually("a command asks") { launcher.hasCaller }
                let node = try stage.run(
                    ["-c", launcher.script(Program.path, "run --name alice --discovery off")], as: "alice", home: home,
                    under: ["/usr/bin/env", "XDG_RUNTIME_DIR=\(runtime)", "/bin/bash"], isProgram: false,
                    input: launcher.descriptor)
                #expect(try await peers.exitCode() == 0, "\(peers.transcript) \(node.transcript)")
                #expect(peers.output.text.contains("node_stats"))
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0, "\(node.transcript)")
                #expect(FileManager.default.fileExists(atPath: path))
            }
        }

        /// Neighbours that take nothing in any more hold nobody up.
        @Test func itEndsWhoeverIsConnected() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                let node = try run(stage, ["--room", "lobby"], under: ["A=b"], home: home)
                try await eventually("it runs") { node.error.text.contains("port=") }
                let port = try #require(node.error.text.firstMatch(of: /port=([0-9]+)/)).1
                let bob = try stage.host("bob", ["--peer", "127.0.0.1:\(port)"])
                try await bob.event("alice is there") { $0.event == "peer" && $0.state == "connected" }
                let strangers = try (0..<20).map { _ in try RawSocket(port: Int(port)!) }
                let watch = try stage.run(
                    ["watch", "--name", "alice", "--json"], as: "watch", home: home, reader: .stalled)
                try await eventually("the watch is there") {
                    let stats = try stage.run(["stats", "--name", "alice", "--json"], home: home)
                    return try await stats.exitCode() == 0 && watch.child.exitCode == nil
                }
                bob.child.send(SIGSTOP)
                watch.child.send(SIGSTOP)
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
                #expect(node.error.text.contains("left"))
                for child in [bob.child, watch.child] { child.send(SIGCONT) }
                withExtendedLifetime(strangers) {}
            }
        }

        @Test func underTheJournalALineHasItsPriorityAndNoTime() async throws {
            try await onStage { stage in
                let home = "\(stage.folder)/home"
                // Standard error is a file here, whose numbers can be known before.
                let log = "\(stage.folder)/log"
                let script =
                    "exec 2>\(log); JOURNAL_STREAM=$(stat -c %d:%i \(log)) "
                    + "exec \(Program.path) run --name alice --discovery off"
                let node = try stage.run(["-c", script], as: "alice", home: home, under: ["/bin/sh"], isProgram: false)
                try await eventually("a line of the log") {
                    (FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? "")
                        .hasPrefix("<6>running id=")
                }
                node.child.send(SIGTERM)
                #expect(try await node.exitCode() == 0)
            }
        }
    }
}

/// A datagram socket that a service tells how it goes.
// Safety: addresses and buffers are lent to the calls of the socket for their length, with their true sizes.
private final class Manager {
    let path: String
    private let descriptor: Int32
    private(set) var notices: [String] = []

    init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(named(descriptor, path, bind) == 0, "\(path): \(String(cString: strerror(errno)))")
    }

    deinit { close(descriptor) }

    func read() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            notices.append(String(decoding: buffer[..<count], as: UTF8.self))
        }
    }

    func hears(_ start: String, from node: Peer) async throws {
        try await eventually("the manager hears \(start)") {
            if let code = node.child.exitCode { throw NeverHappened(what: "ended with \(code): \(node.error.text)") }
            read()
            return notices.contains { $0.hasPrefix(start) }
        }
    }
}

/// Listens on a Unix socket as a manager of services does, and hands it to a process.
// Safety: addresses are lent to the calls of the socket for their length, with their true sizes.
private final class Launcher {
    let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        try #require(named(descriptor, path, bind) == 0 && listen(descriptor, 16) == 0, "\(path)")
    }

    deinit { close(descriptor) }

    /// Whether somebody waits to be answered.
    var hasCaller: Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 1
    }

    /// Moves standard input to the descriptor where a service expects its socket; `exec` keeps the process that
    /// `LISTEN_PID` names.
    func script(_ program: String, _ arguments: String) -> String {
        "exec 3<&0 </dev/null; export LISTEN_FDS=1 LISTEN_FDNAMES=control LISTEN_PID=$$; exec \(program) \(arguments)"
    }
}

private func named(
    _ descriptor: Int32, _ path: String, _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

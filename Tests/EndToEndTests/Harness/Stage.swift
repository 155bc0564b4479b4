import Foundation
import Glibc
import Testing

/// Where one test plays: a folder, the peers that it started, and a lab of hosts if it needs one. All of it is gone
/// afterwards.
final class Stage {
    let folder: String
    let lab: Lab?
    private var peers: [Peer] = []
    private var terminals: [Terminal] = []

    fileprivate init(lab: Lab?) throws {
        self.lab = lab
        folder = NSTemporaryDirectory() + "lattice-e2e-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    fileprivate func end() {
        for peer in peers { peer.end() }
        for terminal in terminals { terminal.end() }
        lab?.down()
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record("the folder of the test is left: \(error)")
        }
    }

    fileprivate var transcript: String {
        (peers.map(\.transcript) + terminals.map(\.transcript)).joined(separator: "\n")
    }

    // MARK: - Starting

    /// Starts `lattice chat --name NAME ARGUMENTS` with an identity of its own.
    ///
    /// - Parameters:
    ///   - host: of the lab; `nil` is this machine.
    ///   - home: whose folder of data, where two are to share one.
    func start(
        _ name: String, on host: String? = nil, _ arguments: [String] = [], json: Bool = true, home: String? = nil,
        input: Int32? = nil, reader: Peer.Reader = .present
    ) throws -> Peer {
        let command = ["chat", "--name", name] + (json ? ["--json"] : []) + arguments
        return try run(command, as: name, on: host, home: home, input: input, reader: reader)
    }

    /// Runs `lattice ARGUMENTS`.
    ///
    /// - Parameter isProgram: whether `lattice` stands before its arguments; without it the wrapper is all.
    func run(
        _ arguments: [String], as name: String = "lattice", on host: String? = nil, home: String? = nil,
        under wrapper: [String] = [], isProgram: Bool = true, input: Int32? = nil, reader: Peer.Reader = .present
    ) throws -> Peer {
        let home = home ?? "\(folder)/home\(peers.count)"
        let way = host.flatMap { lab?.way(to: $0) } ?? []
        let peer = try Peer(
            name, way + wrapper + (isProgram ? [Program.path] : []) + arguments,
            environment: Program.environment(home: home),
            input: input, reader: reader)
        peers.append(peer)
        return peer
    }

    /// Starts a peer of this machine that nobody is to find: others name its port.
    func host(_ name: String, _ arguments: [String] = [], json: Bool = true) throws -> Peer {
        try start(name, ["--discovery", "off"] + arguments, json: json)
    }

    /// Starts another that links with a host, and waits until both say so.
    func guest(_ name: String, of host: Peer, _ arguments: [String] = []) async throws -> Peer {
        let guest = try self.host(name, ["--peer", try await host.address()] + arguments)
        try await guest.connected(to: host)
        try await host.connected(to: guest)
        return guest
    }

    /// Starts `lattice chat` on a terminal.
    func terminal(
        _ name: String, _ arguments: [String] = [], home: String? = nil, variables: [String: String] = [:],
        columns: Int = 80, rows: Int = 24
    ) throws -> Terminal {
        var environment = Program.environment(home: home ?? "\(folder)/terminal\(terminals.count)")
        environment.merge(variables) { $1 }
        let terminal = try Terminal(
            [Program.path, "chat", "--name", name] + arguments, environment: environment, columns: columns, rows: rows)
        terminals.append(terminal)
        return terminal
    }

    /// Starts bob and, at a terminal, alice. Waits until she sees him.
    ///
    /// - Parameters:
    ///   - arguments: alice's.
    ///   - variables: alice's.
    func aliceAndBob(
        _ arguments: [String] = [], variables: [String: String] = [:], columns: Int = 80, rows: Int = 24
    ) async throws -> (alice: Terminal, bob: Peer) {
        let bob = try host("bob")
        let alice = try terminal(
            "alice", ["--discovery", "off", "--peer", try await bob.address()] + arguments, variables: variables,
            columns: columns, rows: rows)
        try await alice.shows("bob is connected")
        return (alice, bob)
    }

    /// Starts a program of others on a terminal, with a home of its own unless one is given.
    func terminal(
        running command: [String], home: String? = nil, columns: Int = 100, rows: Int = 30
    ) throws -> Terminal {
        let environment = Program.environment(home: home ?? "\(folder)/terminal\(terminals.count)")
        let terminal = try Terminal(command, environment: environment, columns: columns, rows: rows)
        terminals.append(terminal)
        return terminal
    }
}

extension Peer {
    /// Where others on this machine reach it.
    func address() async throws -> String {
        "127.0.0.1:\(try #require(try await ready().port))"
    }
}

/// The program under test: the one that was built with these tests.
enum Program {
    static let path: String = {
        let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "lattice").path(percentEncoded: false)
        if FileManager.default.isExecutableFile(atPath: built) { return built }
        return root + ".build/debug/lattice"
    }()

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    /// What a program finds when a person starts it, with a home of its own unless one is given.
    static func environment(home: String) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("XDG_") && !$0.key.hasPrefix("LATTICE_") && !$0.key.hasPrefix("LISTEN_")
        }
        for name in ["NO_COLOR", "COLUMNS", "LINES", "DBUS_SYSTEM_BUS_ADDRESS", "NOTIFY_SOCKET", "JOURNAL_STREAM"] {
            environment[name] = nil
        }
        environment["HOME"] = home
        environment["XDG_DATA_HOME"] = home
        environment["LC_ALL"] = "C.UTF-8"
        environment["TERM"] = "xterm-256color"
        // An orphaned backtracer holds pipes open for minutes.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        return environment
    }
}

/// Runs a test on a stage of its own; if it fails, everything that every peer printed is shown.
func onStage(_ play: (Stage) async throws -> Void) async throws {
    try await perform(on: try Stage(lab: nil), play)
}

/// The same with a lab of hosts: `pair`, `line`, `segment 5`, `ring 5`.
func inLab(_ topology: String, _ play: (Stage, Lab) async throws -> Void) async throws {
    let lab = try await Lab(topology)
    try await perform(on: try Stage(lab: lab)) { try await play($0, lab) }
}

private func perform(on stage: Stage, _ play: (Stage) async throws -> Void) async throws {
    defer { stage.end() }
    do {
        try await play(stage)
    } catch {
        Issue.record(Comment(rawValue: "\(error)\n\(stage.transcript)"))
        throw error
    }
}

import Foundation
import Glibc
import Testing

/// Hosts in network namespaces, made and removed by `tools/lab`.
final class Lab: Sendable {
    static let isPossible = geteuid() == 0 && has("ip") && has("unshare")
    static let hasAvahi = isPossible && has("avahi-daemon") && has("dbus-daemon") && has("dbus-send")

    private static let tool = Program.root + "tools/lab"
    private let prefix: String

    init(_ topology: String) async throws {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        prefix = "e" + String((0..<7).map { _ in letters.randomElement(using: &generator) ?? "a" })
        try await tell(["up", prefix] + topology.split(separator: " ").map(String.init))
    }

    func down() {
        do {
            let act = try Self.start(["down", prefix])
            if act.child.waitUntilExit() != 0 { Issue.record("the lab \(prefix) is left: \(act.error.text)") }
            act.end()
        } catch {
            Issue.record("the lab \(prefix) is left: \(error)")
        }
    }

    /// What to put before a command for it to run on a host.
    func way(to host: String) -> [String] { [Self.tool, "run", "\(prefix)-\(host)"] }

    func avahi(_ host: String, _ act: String) async throws { try await tell(["avahi", "\(prefix)-\(host)", act]) }

    /// No packet passes, and neither end sees it.
    func cut(_ host: String) async throws { try await tell(["cut", "--silent", "\(prefix)-\(host)"]) }

    func mend(_ host: String) async throws { try await tell(["mend", "\(prefix)-\(host)"]) }

    /// Nothing passes between hosts that are isolated, as on guest Wi-Fi.
    func isolate(_ hosts: String...) async throws {
        for host in hosts { try await tell(["isolate", "\(prefix)-\(host)"]) }
    }

    /// Its cable goes to the segment of another host.
    func move(_ host: String, to other: String) async throws {
        try await tell(["move", "\(prefix)-\(host)", "\(prefix)-\(other)"])
    }

    func loss(_ host: String, percent: Int) async throws {
        try await tell(["loss", "\(prefix)-\(host)", "\(percent)"])
    }

    func delay(_ host: String, milliseconds: Int) async throws {
        try await tell(["delay", "\(prefix)-\(host)", "\(milliseconds)"])
    }

    func run(_ host: String, _ command: String...) async throws {
        try await tell(["run", "\(prefix)-\(host)"] + command)
    }

    /// It has one more interface, with an address of its own.
    func plug(_ host: String, segment: Int) async throws {
        try await tell(["plug", "\(prefix)-\(host)", "\(segment)"])
    }

    /// It has another address on its segment from now on.
    func readdress(_ host: String, octet: Int) async throws {
        try await tell(["readdress", "\(prefix)-\(host)", "\(octet)"])
    }

    private func tell(_ arguments: [String]) async throws {
        let act = try Self.start(arguments)
        // The output is not waited for: daemons that were started may keep it open.
        defer { act.end() }
        let code = try await eventually("tools/lab \(arguments)") { act.child.exitCode }
        guard code == 0 else { throw Child.Fault(description: "tools/lab \(arguments): \(act.error.text)") }
    }

    /// What a command on a host says.
    func answer(of host: String, _ command: String...) async throws -> String {
        let act = try Self.start(["run", "\(prefix)-\(host)"] + command)
        defer { act.end() }
        guard try await act.exitCode() == 0 else { throw Child.Fault(description: "\(command): \(act.error.text)") }
        return act.output.text
    }

    private static func start(_ arguments: [String]) throws -> Peer {
        let path = ProcessInfo.processInfo.environment["PATH", default: ""] + ":/usr/sbin:/sbin"
        return try Peer("lab", [tool] + arguments, environment: ["PATH": path])
    }

    static func has(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH", default: ""] + ":/usr/sbin:/sbin"
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}

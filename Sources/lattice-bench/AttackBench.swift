import ArgumentParser
import Foundation
import LatticeCore
import LatticeCrypto
import LatticeWire

/// Memory of one peer during and after attacks by strangers on the same machine.
struct AttackBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Memory before, during and after floods of connections, handshakes and records.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Duration of each attack, in seconds.")
    var duration = 8

    private static let mesh = "bench-attack"

    func run() throws {
        // Peers are expected to close on us; that must not end this program.
        signal(SIGPIPE, SIG_IGN)
        try withScratch { folder in
            let victim = try ChatProcess(
                target.path, prefix: target.first, name: "victim", directory: folder,
                ["--discovery", "off", "--mesh", Self.mesh])
            try victim.start()
            defer { victim.end() }
            let port = UInt16(try victim.wait { $0["event"] as? String == "ready" }["port"] as? Int ?? 0)
            let before = try memory(of: victim.identifier)
            try attack("silent", victim, port: port, connect)
            try attack("half_open", victim, port: port) { port, number, held in
                let socket = try connect(port, number, &held)
                _ = socket.send(try AttackGuest.firstMessage())
                return socket
            }
            try attack("handshakes", victim, port: port) { port, number, _ in
                let socket = try AttackSocket(port: port, from: "127.0.2.\(1 + number % 20)")
                _ = try AttackGuest.entering(socket)
                return socket
            }
            try flood(victim, port: port)
            // Longer than the victim tolerates an unfinished handshake or a neighbour that does not answer.
            Thread.sleep(forTimeInterval: 12)
            try victim.say("/stats")
            let stats = try victim.wait { $0["event"] as? String == "node_stats" }
            let after = try memory(of: victim.identifier)
            try report([
                "bench": "attack", "attack": "all", "rss_before_kb": before.resident, "rss_peak_kb": after.peak,
                "rss_after_kb": after.resident, "refused": stats["refused"] ?? [:],
            ])
        }
    }

    /// Holds up to 400 connections from forty addresses.
    @discardableResult
    private func connect(_ port: UInt16, _ number: Int, _ held: inout [AttackSocket]) throws -> AttackSocket {
        let socket = try AttackSocket(port: port, from: "127.0.1.\(1 + number % 40)")
        if held.count >= 400 { held.removeFirst() }
        held.append(socket)
        return socket
    }

    private func attack(
        _ name: String, _ victim: ChatProcess, port: UInt16,
        _ act: (UInt16, Int, inout [AttackSocket]) throws -> AttackSocket
    ) throws {
        var held: [AttackSocket] = []
        try watch(name, victim) { number in
            _ = try act(port, number, &held)
            return 1
        }
    }

    /// Neighbours that read nothing and send lines of ever new identities, as fast as possible.
    private func flood(_ victim: ChatProcess, port: UInt16) throws {
        var guests: [AttackGuest] = []
        for number in 0..<8 {
            let socket = try AttackSocket(port: port, from: "127.0.3.\(1 + number)")
            guard let guest = try AttackGuest.entering(socket) else { continue }
            let invitation = Invitation(mesh: try MeshName(Self.mesh), context: [], isUrgent: true)
            if guest.say([.invitation(invitation)]) { guests.append(guest) }
        }
        guard !guests.isEmpty else { throw BenchError("no client was accepted") }
        let text = String(repeating: "x", count: 2_000)
        let body = ChatLine(style: .says, name: try PeerName("stranger"), text: text).body
        try watch("records", victim) { number in
            let frames = (0..<16).map { _ in
                Frame.record(RecordFrame(timeToLive: 32, hops: 1, signed: line(body).signed))
            }
            let index = number % guests.count
            // A guest that was disconnected, or whose lines are no longer accepted, is not replaced.
            guard guests[index].say(frames) else {
                if guests.count > 1 { guests.remove(at: index) }
                return 0
            }
            return frames.count
        }
    }

    /// A single line of a new identity, in a room where nobody is.
    private func line(_ body: [UInt8]) -> VerifiedRecord {
        let author = Identity.generate()
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return author.sign(
            Record(
                kind: .chat, author: author.peer,
                created: HybridTime(wall: WallTime(milliseconds: Int64(time.tv_sec) * 1_000)), lifetimeSeconds: 600,
                topic: Array("#elsewhere".utf8), body: body))
    }

    /// - Parameter act: returns how much it did.
    private func watch(_ name: String, _ victim: ChatProcess, _ act: (Int) throws -> Int) throws {
        let before = try memory(of: victim.identifier)
        var (peak, number, count, lookedAt) = (before.resident, 0, 0, 0.0)
        let end = seconds() + Double(duration)
        while seconds() < end {
            do {
                count += try act(number)
            } catch is BenchError {
                // The kernel's connection queue is full; there is space again a second later.
            }
            number += 1
            if seconds() - lookedAt > 0.05 {
                lookedAt = seconds()
                peak = max(peak, try memory(of: victim.identifier).resident)
            }
        }
        try report([
            "bench": "attack", "attack": name, "seconds": duration, "count": count,
            "rss_before_kb": before.resident, "rss_peak_kb": peak,
            "rss_after_kb": try memory(of: victim.identifier).resident,
        ])
    }

    /// Resident memory and its peak, in KiB (proc(5)).
    private func memory(of process: Int32) throws -> (resident: Int, peak: Int) {
        let lines = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n")
        func value(_ key: String) -> Int {
            Int((lines.first { $0.hasPrefix(key) } ?? "").filter(\.isNumber)) ?? 0
        }
        return (value("VmRSS:"), value("VmHWM:"))
    }
}

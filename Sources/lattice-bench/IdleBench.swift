import ArgumentParser
import Foundation

/// What a peer costs that does nothing: resident memory, and processor time over a while.
struct IdleBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle", abstract: "Resident memory and CPU of an idle peer with so many neighbours.")

    @OptionGroup var target: TargetOptions

    @Option(help: "How many neighbours it has.")
    var peers = 1

    @Option(help: "For how long it is watched.")
    var duration = 60

    @Option(help: "Its discovery, and its neighbours'.")
    var discovery = "off"

    func run() throws {
        try withScratch { folder in
            let arguments = ["--discovery", discovery, "--mesh", "bench-\(UUID().uuidString.prefix(8))"]
            let watched = try ChatProcess(
                target.path, prefix: target.first, name: "watched", directory: folder, arguments)
            try watched.start()
            defer { watched.end() }
            let port = try watched.wait { $0["event"] as? String == "ready" }["port"] as? Int ?? 0
            var neighbours: [ChatProcess] = []
            defer { for neighbour in neighbours { neighbour.end() } }
            for number in 0..<peers {
                let neighbour = try ChatProcess(
                    target.path, prefix: target.second, name: "neighbour\(number)", directory: folder,
                    arguments + ["--peer", "127.0.0.1:\(port)"])
                try neighbour.start()
                neighbours.append(neighbour)
                try watched.wait { $0["state"] as? String == "connected" }
            }
            let before = try cpuSeconds(of: watched.identifier)
            Thread.sleep(forTimeInterval: TimeInterval(duration))
            let used = try cpuSeconds(of: watched.identifier) - before
            try report([
                "bench": "idle", "neighbours": peers, "discovery": discovery, "seconds": duration,
                "rss_kb": try residentKilobytes(of: watched.identifier),
                "cpu_percent": rounded(used / Double(duration) * 100 * 100) / 100,
            ])
        }
    }

    private func residentKilobytes(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    /// User and system time, in ticks of a hundredth (proc(5), fields 14 and 15 of stat).
    private func cpuSeconds(of process: Int32) throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

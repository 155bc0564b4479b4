import Foundation

/// Two nodes that are linked, or that a third one links.
final class FileNodes {
    private let giver: ChatProcess
    private let relay: ChatProcess?
    private var wanter: ChatProcess
    private let again: () throws -> ChatProcess
    private let program: String
    private let folder: URL

    init(_ program: String, in folder: URL, relayed: Bool) throws {
        let arguments = ["--discovery", "off", "--mesh", "bench-\(UUID().uuidString.prefix(8))"]
        giver = try ChatProcess(program, prefix: nil, name: "giver", directory: folder, arguments)
        try giver.start()
        var port = try Self.port(of: giver)
        if relayed {
            let relay = try ChatProcess(
                program, prefix: nil, name: "relay", directory: folder, arguments + ["--peer", "127.0.0.1:\(port)"])
            try relay.start()
            port = try Self.port(of: relay)
            try relay.wait { $0["state"] as? String == "connected" }
            self.relay = relay
        } else {
            relay = nil
        }
        (self.program, self.folder) = (program, folder)
        again = { [port] in
            let wanter = try ChatProcess(
                program, prefix: nil, name: "wanter", directory: folder,
                arguments + ["--peer", "127.0.0.1:\(port)"])
            try wanter.start()
            try wanter.wait { $0["state"] as? String == "connected" }
            return wanter
        }
        wanter = try again()
    }

    private static func port(of node: ChatProcess) throws -> Int {
        let ready = try node.wait { $0["event"] as? String == "ready" }
        guard let port = ready["port"] as? Int else { throw BenchError("the node reports no port") }
        return port
    }

    func forgetStart() throws {
        for node in [giver, relay, wanter] { try node?.cost.forgetStart() }
    }

    /// - Returns: seconds to share it, and seconds to fetch and save it.
    func transfer(_ source: URL, to target: URL) throws -> (share: Double, fetch: Double) {
        let begun = seconds()
        try giver.say("/send \(source.path)")
        try giver.wait { $0["event"] as? String == "file" }
        let shared = seconds()
        try wanter.wait { $0["event"] as? String == "message" && $0["file"] != nil }
        let asked = seconds()
        try wanter.say("/get --output \(target.path)")
        let outcome = try wanter.wait { ($0["code"] as? String)?.hasPrefix("file") ?? false }
        guard outcome["code"] as? String == "fileSaved" else { throw BenchError("\(outcome)") }
        return (shared - begun, seconds() - asked)
    }

    /// Kills who fetches when half of the pieces were sent, and lets it fetch the rest.
    ///
    /// - Parameter between: looks at what is left of it while it is dead.
    /// - Returns: how many pieces were sent altogether.
    func transferTwice(
        _ source: URL, to target: URL, pieces: Int, between: (_ folder: URL) async throws -> Void
    ) async throws -> Int {
        try giver.say("/send \(source.path)")
        try wanter.wait { $0["event"] as? String == "message" && $0["file"] != nil }
        try wanter.say("/get --output \(target.path)")
        while try sentPieces() < pieces / 2 {}
        wanter.kill()
        try await between(folder.appending(path: "wanter"))
        wanter = try again()
        try wanter.say("/get \(source.lastPathComponent) --output \(target.path)")
        let outcome = try wanter.wait { ($0["code"] as? String)?.hasPrefix("file") ?? false }
        guard outcome["code"] as? String == "fileSaved" else { throw BenchError("\(outcome)") }
        return try sentPieces()
    }

    private func sentPieces() throws -> Int {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["stats", "--json", "--data-dir", folder.appending(path: "giver").path]
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let stats = try JSONSerialization.jsonObject(with: text) as? [String: Any]
        let frames = (stats?["metrics"] as? [String: Any])?["lattice_frames_sent_total"] as? [[String: Any]]
        guard let sent = frames?.first(where: { $0["type"] as? String == "piece" })?["value"] as? Int else {
            throw BenchError("the node reports no figures")
        }
        return sent
    }

    func peaks() throws -> [(String, Int)] {
        try [("giver", giver), ("relay", relay), ("wanter", wanter)].compactMap { name, node in
            try node.map { (name, try $0.cost.memory().peak) }
        }
    }

    func end() {
        for node in [giver, relay, wanter] { node?.end() }
    }
}

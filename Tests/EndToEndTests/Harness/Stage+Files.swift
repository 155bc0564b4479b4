import Foundation
import Testing

// Nodes without a front, and files of theirs.
extension Stage {
    /// A file of random bytes.
    ///
    /// - Returns: its path.
    func randomFile(_ name: String, bytes: Int) throws -> String {
        let path = "\(folder)/\(name)"
        var generator = SystemRandomNumberGenerator()
        var data = Data(capacity: bytes + 8)
        while data.count < bytes { withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) } }
        try data.prefix(bytes).write(to: URL(filePath: path))
        return path
    }

    /// `lattice run` that is up.
    func node(_ name: String, host: String? = nil, _ arguments: [String]) async throws -> Peer {
        let node = try run(
            ["run", "--name", name, "--log", "info"] + arguments, as: name, on: host, home: "\(folder)/\(name)")
        try await eventually("\(name) is up") { node.error.text.contains("port=") }
        return node
    }

    /// A command of the same person, which has ended.
    ///
    /// - Parameter code: the exit code that is expected.
    func ask(_ name: String, host: String? = nil, _ arguments: String..., code: Int32 = 0) async throws -> Peer {
        let asked = try run(arguments + ["--name", name], as: name, on: host, home: "\(folder)/\(name)")
        let ended = try await asked.exitCode()
        #expect(ended == code, "\(arguments): \(asked.error.text)")
        return asked
    }
}

extension Peer {
    /// Where a node listens.
    func listening() throws -> String {
        let port = try #require(error.text.firstMatch(of: /\bport=([0-9]+)/)).1
        return "127.0.0.1:\(port)"
    }
}

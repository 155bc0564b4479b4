import Foundation

/// A `lattice chat --json` process with both pipes connected to us.
// Safety: buffers are lent to read(2) for the length of the call, with their true sizes.
final class ChatProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer: [UInt8] = []
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    private(set) var startedAt = 0.0

    /// - Parameters:
    ///   - prefix: a command that runs it elsewhere, split at spaces.
    ///   - directory: a fresh folder for its identity.
    init(_ program: String, prefix: String?, name: String, directory: URL, _ arguments: [String]) throws {
        let words =
            (prefix?.split(separator: " ").map(String.init) ?? []) + [program, "chat", "--json", "--name", name]
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words + ["--data-dir", directory.appending(path: name).path] + arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
    }

    var identifier: Int32 { process.processIdentifier }
    var cost: ProcessCost { ProcessCost(identifier: identifier) }

    func start() throws {
        startedAt = seconds()
        try process.run()
    }

    func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Reads events until one satisfies `predicate`.
    @discardableResult
    func wait(for predicate: ([String: Any]) -> Bool) throws -> [String: Any] {
        while true {
            let object = try JSONSerialization.jsonObject(with: Data(try nextLine()))
            if let event = object as? [String: Any], predicate(event) { return event }
        }
    }

    /// Reads until a line contains `text`, without parsing, which would distort the measurement.
    func wait(forText text: String) throws {
        let wanted = Array(text.utf8)
        while !(try nextLine().contains(wanted)) {}
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }

    func kill() {
        _ = Foundation.kill(identifier, SIGKILL)
        process.waitUntilExit()
    }

    private func nextLine() throws -> [UInt8] {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...end) }
                return Array(buffer[..<end])
            }
            let count = read(output.fileHandleForReading.fileDescriptor, &chunk, chunk.count)
            guard count > 0 else { throw BenchError("a peer ended early") }
            buffer += chunk[..<count]
        }
    }
}

struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    static let limitFailed = BenchError(
        "what is measured beside it in C failed: it needs free ports and descriptors, memory, and room where files are made"
    )
}

extension [UInt8] {
    fileprivate func contains(_ wanted: [UInt8]) -> Bool {
        guard count >= wanted.count else { return false }
        return (0...count - wanted.count).contains {
            self[$0] == wanted[0] && self[$0..<$0 + wanted.count] == wanted[...]
        }
    }
}

/// A temporary folder, deleted after the work.
func withScratch<Result>(_ work: (URL) throws -> Result) throws -> Result {
    let folder = try scratch()
    defer { _ = Swift.Result { try FileManager.default.removeItem(at: folder) } }
    return try work(folder)
}

func withScratch<Result>(_ work: (URL) async throws -> Result) async throws -> Result {
    let folder = try scratch()
    defer { _ = Swift.Result { try FileManager.default.removeItem(at: folder) } }
    return try await work(folder)
}

private func scratch() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "lattice-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

import Foundation
import LatticeCore

/// A `mesh peer` process under our control.
// Safety: a buffer is lent to read(2) for the length of the call, with its true size.
final class MeshPeerProcess {
    /// Longer than anything takes that is not lost.
    private static let answerTimeout: Int32 = 60_000

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var buffer: [UInt8] = []
    private(set) var address = ""
    private(set) var id = ""

    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["mesh", "peer"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let words = try answer("ready")
        guard words.count == 2 else { throw BenchError("a peer did not start") }
        (address, id) = ("127.0.0.1:\(words[0])", words[1])
    }

    var cost: ProcessCost { ProcessCost(identifier: process.processIdentifier) }

    func tell(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Waits for the reply that begins with `word`.
    ///
    /// - Returns: the words after it.
    @discardableResult
    func answer(_ word: String) throws -> [String] {
        let words = try nextLine().split(separator: " ").map(String.init)
        guard words.first == word else { throw BenchError("a peer says: \(words.joined(separator: " "))") }
        return Array(words.dropFirst())
    }

    @discardableResult
    func ask(_ line: String, _ word: String) throws -> [Double] {
        try tell(line)
        return try numbers(word)
    }

    func numbers(_ word: String) throws -> [Double] {
        try answer(word).compactMap(Double.init)
    }

    func end() {
        _ = Result { try input.fileHandleForWriting.close() }
        process.waitUntilExit()
    }

    private func nextLine() throws -> String {
        let descriptor = output.fileHandleForReading.fileDescriptor
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer.removeSubrange(...end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, Self.answerTimeout) > 0 else {
                throw BenchError("a peer does not answer: something was lost")
            }
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw BenchError("a peer ended early") }
            buffer += chunk[..<count]
        }
    }
}

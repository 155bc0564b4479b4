import Foundation

final class HTTPBareProcess {
    private let process = Process()
    private let input = Pipe()
    let port: UInt16

    /// Returns when the server is ready.
    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["http", "bare"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var said = Data()
        while said.last != UInt8(ascii: "\n") {
            guard let some = try output.fileHandleForReading.read(upToCount: 1), !some.isEmpty else {
                throw BenchError("the plain server did not start")
            }
            said += some
        }
        guard let port = UInt16(String(decoding: said.dropLast(), as: UTF8.self)) else {
            throw BenchError("the plain server reports no port")
        }
        self.port = port
    }

    var cost: ProcessCost { ProcessCost(identifier: process.processIdentifier) }

    /// Sends a line to every stream.
    func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}

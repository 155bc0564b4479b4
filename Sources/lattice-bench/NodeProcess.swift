import Foundation

/// A `lattice run` process with a folder of its own, and its addresses.
final class NodeProcess {
    private let process = Process()
    let socket: String
    /// The port for IRC clients, if any.
    private(set) var ircPort: UInt16?
    /// The port for browsers, if any.
    private(set) var httpPort: UInt16?

    /// Returns when the node is ready.
    init(_ program: String, directory: URL, rooms: [String], takesIRC: Bool, takesHTTP: Bool = false) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments =
            ["run", "--data-dir", directory.path, "--discovery", "off"] + rooms.flatMap { ["--room", $0] }
            + (takesIRC ? ["--irc", "127.0.0.1:0"] : []) + (takesHTTP ? ["--http", "127.0.0.1:0"] : [])
        process.standardInput = FileHandle.nullDevice
        let said = directory.appendingPathExtension("log")
        try Data().write(to: said)
        process.standardError = try FileHandle(forWritingTo: said)
        // Without this variable the socket is in the folder.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "XDG_RUNTIME_DIR" }
        socket = directory.appending(path: "control.sock").path
        try process.run()
        let end = seconds() + 60
        while true {
            if let connection = Self.opened(socket) {
                try connection.send(#"{"id":1,"method":"me"}"# + "\n")
                try connection.wait(for: "\"result\"")
                if takesIRC { ircPort = try Self.port(after: "listening 127.0.0.1:", in: said) }
                if takesHTTP { httpPort = try Self.port(after: "open http://127.0.0.1:", in: said) }
                if takesIRC == (ircPort != nil), takesHTTP == (httpPort != nil) { return }
            }
            guard seconds() < end, process.isRunning else { throw BenchError("the node did not start") }
            Thread.sleep(forTimeInterval: 0.05)
        }
    }

    private static func port(after word: String, in said: URL) throws -> UInt16? {
        let text = try String(contentsOf: said, encoding: .utf8)
        guard let range = text.range(of: word) else { return nil }
        return UInt16(text[range.upperBound...].prefix(while: \.isNumber))
    }

    private static func opened(_ path: String) -> SocketConnection? {
        do {
            return try SocketConnection(path)
        } catch {
            return nil  // Not ready yet.
        }
    }

    /// The size of a line as a control client receives it.
    func lineBytes(of text: String, in room: String) throws -> Int {
        let connection = try SocketConnection(socket)
        try connection.send(#"{"id":1,"method":"subscribe","params":{"topics":["messages"]}}"# + "\n")
        try connection.wait(for: "done")
        try connection.send(saying(text, in: room))
        return try connection.wait(for: "\"method\":\"message\"").utf8.count
    }

    /// The size of a line as an IRC client with tags receives it.
    func ircLineBytes(of text: String, in room: String, to listener: Listener) throws -> Int {
        try SocketConnection(socket).send(saying(text, in: room))
        return try listener.connection.wait(for: " PRIVMSG ").utf8.count
    }

    func saying(_ text: String, in room: String) -> String {
        ##"{"method":"say","params":{"room":"\##(room)","text":"\##(text)"}}"## + "\n"
    }

    var cost: ProcessCost { ProcessCost(identifier: process.processIdentifier) }

    func processorSeconds() -> Double { cost.processorSeconds() }

    /// In kilobytes.
    func memory() throws -> (resident: Int, peak: Int) { try cost.memory() }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}

import Foundation
import Glibc
import Synchronization

/// A running `lattice chat` on pipes.
// Safety: bytes are lent to write(2) for the length of the call, with their true size.
final class Peer: Sendable {
    /// Who reads its standard output.
    enum Reader {
        case present
        /// Has closed it.
        case gone
        /// Holds it open and takes nothing, as a pager does.
        case stalled
    }

    let name: String
    let child: Child
    let output: Transcript
    let error: Transcript
    private let input: Mutex<Int32?>
    private let unread: Mutex<Int32?>
    private let parsed = Mutex<[Event]>([])

    /// - Parameter input: what it reads instead of what `say` writes.
    init(
        _ name: String, _ command: [String], environment: [String: String], input given: Int32? = nil,
        reader: Reader = .present
    ) throws {
        let (inputPipe, outputPipe, errorPipe) = (try Pipe(), try Pipe(), try Pipe())
        self.name = name
        child = try Child(
            command, environment: environment,
            streams: .descriptors(
                input: given ?? inputPipe.reader, output: outputPipe.writer, error: errorPipe.writer))
        for end in [inputPipe.reader, outputPipe.writer, errorPipe.writer] { close(end) }
        if given != nil { close(inputPipe.writer) }
        input = Mutex(given == nil ? inputPipe.writer : nil)
        if reader == .gone { close(outputPipe.reader) }
        unread = Mutex(reader == .stalled ? outputPipe.reader : nil)
        output = Transcript(
            reading: reader == .present ? outputPipe.reader : open("/dev/null", O_RDONLY | O_CLOEXEC))
        error = Transcript(reading: errorPipe.reader)
    }

    // MARK: - What is typed

    func say(_ lines: String...) { say(lines) }

    func say(_ lines: [String]) { write(Array(lines.map { "\($0)\n" }.joined().utf8)) }

    func write(_ bytes: [UInt8]) {
        guard let descriptor = input.withLock(\.self) else { preconditionFailure("the input of \(name) has ended") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            // It has ended; the waiting code reports that.
            if count < 0 && errno != EINTR { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    func endInput() { Self.closeOnce(input) }

    /// The number of a descriptor that was closed may belong to another test.
    private static func closeOnce(_ descriptor: borrowing Mutex<Int32?>) {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }

    // MARK: - What it tells

    /// What it said on standard output, one `--json` object a line.
    func events() throws -> [Event] {
        let lines = output.lines
        return try parsed.withLock { events in
            for line in lines.dropFirst(events.count) { events.append(try Event.read(line)) }
            return events
        }
    }

    /// The first event that fits, from event number `first` on.
    @discardableResult
    func event(_ what: String, from first: Int = 0, where fits: (Event) -> Bool) async throws -> Event {
        var next = first
        return try await eventually("\(name): \(what)") { () throws -> Event? in
            // In this order: what was said last is there when the end is.
            let hasEnded = output.isClosed
            let events = try events()
            if let event = events.dropFirst(next).first(where: fits) { return event }
            next = max(next, events.count)
            if hasEnded { throw NeverHappened(what: "\(name) ended before this: \(what)") }
            return nil
        }
    }

    @discardableResult
    func ready() async throws -> Event { try await event("ready") { $0.event == "ready" } }

    /// What a command answers.
    @discardableResult
    func ask(_ command: String) async throws -> Event {
        let kinds = ["reply", "peers", "names", "rooms", "whois", "ping", "trace", "help", "error"]
        let first = try events().count
        say(command)
        return try await event("an answer to \(command)", from: first) { kinds.contains($0.event) }
    }

    /// Waits until it is connected with somebody, since event number `first`.
    func connected(to other: Peer, from first: Int = 0) async throws {
        let id = try await other.ready().id
        try await event("connected to \(other.name)", from: first) {
            $0.event == "peer" && $0.state == "connected" && $0.id == id
        }
    }

    @discardableResult
    func notConnected(to other: Peer, from first: Int = 0) async throws -> Event {
        let id = try await other.ready().id
        return try await event("not connected to \(other.name)", from: first) {
            $0.event == "peer" && $0.state == "notConnected" && $0.id == id
        }
    }

    @discardableResult
    func hears(_ text: String) async throws -> Event {
        try await event("the line '\(text)'") { $0.event == "message" && $0.text == text && $0.hops != 0 }
    }

    /// The texts of all lines heard of others so far, in their order.
    func heard() throws -> [String] {
        try events().filter { $0.event == "message" && $0.hops != 0 }.compactMap(\.text)
    }

    @discardableResult
    func exitCode() async throws -> Int32 {
        try await eventually("\(name) ends") { () -> Int32? in
            guard output.isClosed, error.isClosed else { return nil }
            return child.exitCode
        }
    }

    /// Ends it at once, wherever it is.
    func end() {
        child.end()
        endInput()
        Self.closeOnce(unread)
    }

    var transcript: String {
        let state = child.exitCode.map { "ended with \($0)" } ?? "running"
        return "--- \(name) (\(state)), standard output:\n\(output.text)--- \(name), standard error:\n\(error.text)"
    }
}

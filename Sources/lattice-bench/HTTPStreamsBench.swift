import Foundation
import Synchronization

struct HTTPMeasured {
    let port: UInt16
    let cost: ProcessCost
    /// The path of its stream.
    let stream: String
    /// Sends a line with the given time to every stream.
    let say: (UInt64) throws -> Void
}

/// Many streams of one server: delivery time of a line to each, their cost, and the response times of requests
/// meanwhile.
struct HTTPStreamsBench {
    let streams: Int
    let rate: Int
    let duration: Int

    struct Load {
        let delays: [Double]
        let lost: Int
        let work: Double
        let memory: (resident: Int, peak: Int)
        /// Requests made meanwhile, if any.
        let asked: HTTPAsked

        var figures: HTTPComparison.Figures {
            let sample = Sample(delays)
            return [
                ("line_p50_ms", sample.median * 1e3), ("line_p99_ms", sample.percentile(99) * 1e3),
                ("line_worst_ms", sample.worst * 1e3), ("cpu_seconds", work),
                ("rss_kb", Double(memory.resident)), ("rss_peak_kb", Double(memory.peak)),
            ] + (asked.times.isEmpty ? [] : asked.figures.map { ("near_" + $0.name, $0.value) })
        }
    }

    struct Figures {
        let openSeconds: Double
        let before: Int
        let open: Int
        let quiet: Load
        let asked: Load
    }

    func measure(_ server: HTTPMeasured, questions: [String]) throws -> Figures {
        let before = try server.cost.memory().resident
        let start = seconds()
        let listeners = try (0..<streams).map { _ in try Self.listener(server.port, server.stream) }
        let openSeconds = seconds() - start
        let open = try server.cost.memory().resident
        let quiet = try load(listeners, server, asking: nil)
        let asked = try load(listeners, server, asking: HTTPMeanwhile(server.port, questions))
        return Figures(openSeconds: openSeconds, before: before, open: open, quiet: quiet, asked: asked)
    }

    /// A stream that has been confirmed.
    private static func listener(_ port: UInt16, _ path: String) throws -> Listener {
        let connection = try SocketConnection(port: port)
        try connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        try connection.wait(for: "retry:")
        return Listener(connection)
    }

    /// The size of a line as an event of the node's stream.
    ///
    /// - Parameter say: says a line.
    func eventBytes(port: UInt16, _ say: () throws -> Void) throws -> Int {
        let connection = try Self.listener(port, "/v1/stream").connection
        try say()
        while true {
            let number = try connection.wait(for: "id: ").utf8.count
            let name = try connection.wait(for: "event: ")
            let data = try connection.wait(for: "data: ")
            // Each field has a line break, and an empty line ends the event.
            if name == "event: message" { return number + name.utf8.count + data.utf8.count + 4 }
        }
    }

    private func load(_ listeners: [Listener], _ server: HTTPMeasured, asking: HTTPMeanwhile?) throws -> Load {
        let work = server.cost.processorSeconds()
        let count = rate * duration
        let told = Reading(listeners, wanted: count * listeners.count)
        asking?.begin()
        let start = seconds()
        for number in 0..<count {
            let wait = start + Double(number) / Double(rate) - seconds()
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
            try server.say(DispatchTime.now().uptimeNanoseconds)
        }
        let asked = try asking?.end() ?? HTTPAsked()
        let delays = told.end()
        return Load(
            delays: delays, lost: told.lost, work: server.cost.processorSeconds() - work,
            memory: try server.cost.memory(), asked: asked)
    }

    func tell(_ ours: Figures, beside bare: Figures, eventBytes: Int) throws {
        func rest(_ figures: Figures) -> HTTPComparison.Figures {
            [
                ("rss_before_kb", Double(figures.before)), ("rss_open_kb", Double(figures.open)),
                ("kb_per_stream", Double(figures.open - figures.before) / Double(streams)),
                ("open_seconds", figures.openSeconds),
            ]
        }
        try report(
            ["bench": "http-streams", "streams": streams].merging(HTTPComparison.beside(rest(ours), rest(bare))) {
                ours, _ in ours
            })
        try tell("http-lines", ours.quiet, beside: bare.quiet, eventBytes)
        try tell("http-lines-near", ours.asked, beside: bare.asked, eventBytes)
    }

    private func tell(_ name: String, _ ours: Load, beside bare: Load, _ eventBytes: Int) throws {
        var figures = HTTPComparison.beside(ours.figures, bare.figures)
        figures["bench"] = name
        figures["streams"] = streams
        figures["lines_per_second"] = rate
        figures["seconds"] = duration
        figures["event_bytes"] = eventBytes
        figures["deliveries"] = ours.delays.count
        figures["lost"] = ours.lost
        figures["bare_lost"] = bare.lost
        try report(figures)
    }
}

/// Sends one request after the other, on a thread of its own, until it is stopped.
final class HTTPMeanwhile: Sendable {
    private let port: UInt16
    private let questions: [String]
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let result = Mutex<Result<HTTPAsked, any Error>>(.success(HTTPAsked()))

    init(_ port: UInt16, _ questions: [String]) {
        (self.port, self.questions) = (port, questions)
    }

    func begin() {
        Thread { [self] in
            let asked = Result { try ask() }
            result.withLock { $0 = asked }
            ended.signal()
        }.start()
    }

    func end() throws -> HTTPAsked {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        return try result.withLock { try $0.get() }
    }

    private func ask() throws -> HTTPAsked {
        var asked = HTTPAsked()
        // Addresses not used before.
        var addresses = HTTPAddresses(last: 0x7F02_0000)
        var asker = try HTTPAsker(port: port, from: addresses.next())
        let start = seconds()
        while !isOver.load(ordering: .relaxed) {
            let number = asked.times.count
            if number > 0, number % HTTPNearBench.turn == 0 {
                asker = try HTTPAsker(port: port, from: addresses.next())
            }
            let begin = seconds()
            try asker.ask(questions[number % questions.count])
            asked.times.append(seconds() - begin)
        }
        asked.wall = seconds() - start
        return asked
    }
}

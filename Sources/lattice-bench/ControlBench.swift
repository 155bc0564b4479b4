import ArgumentParser
import Foundation

/// Many programs and IRC clients on one node: delivery time of a line to each, and their cost, compared with a plain
/// loop of write(2) that sends as many bytes to as many sockets.
struct ControlBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control", abstract: "Latency and memory of a node with many clients and lines.")

    @OptionGroup var target: TargetOptions

    @Option(help: "Control clients that read the lines.")
    var clients = 500

    @Option(help: "IRC clients that read the lines.")
    var irc = 0

    @Option(help: "Rooms that the clients and the lines are spread over.")
    var rooms = 1

    @Option(help: "Lines per second.")
    var rate = 1_000

    @Option(help: "Seconds for each phase.")
    var duration = 10

    @Option(help: "Bytes of each line.")
    var bytes = 100

    @Flag(help: "IRC clients send the lines, in turn, instead of a control client.")
    var ircSpeaks = false

    func validate() throws {
        guard (1...64).contains(rooms) else { throw ValidationError("--rooms must be from 1 to 64") }
        guard !ircSpeaks || irc > 0 && irc % rooms == 0 else {
            throw ValidationError("--irc-speaks wants IRC clients, as many in each room")
        }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        try withScratch { folder in
            let names = (0..<rooms).map { "#load-\($0)" }
            let node = try NodeProcess(
                target.path, directory: folder.appending(path: "node"), rooms: names, takesIRC: irc > 0)
            defer { node.end() }
            var crowd = ControlCrowd(node, rooms: names)
            try gather(&crowd)
            try tell("plain", try load(crowd), node)
            let stuck = (
                program: try crowd.subscribed(to: names[0]),
                person: irc > 0 ? try crowd.entered(names[0], as: "stuck", tags: false, receiveBytesMax: 4_096) : nil
            )
            try tell("one_never_reads", try load(crowd), node)
            try tell(late: stuck.program, "control")
            if let person = stuck.person { try tell(late: person, "irc") }
            let lineBytes = (
                program: try node.lineBytes(of: text(at: 0), in: names[0]),
                person: try crowd.people.first.map { try node.ircLineBytes(of: text(at: 0), in: names[0], to: $0) } ?? 0
            )
            try tell("bare_write", try bare(crowd, lineBytes.program, lineBytes.person, linesAtOnce: 1), nil)
            // The number of lines in ten milliseconds.
            try tell(
                "bare_gathered", try bare(crowd, lineBytes.program, lineBytes.person, linesAtOnce: max(1, rate / 100)),
                nil)
        }
    }

    private func gather(_ crowd: inout ControlCrowd) throws {
        let before = try crowd.node.memory().resident
        try crowd.subscribe(clients)
        let subscribed = try crowd.node.memory().resident
        let start = seconds()
        try crowd.enter(irc)
        let entered = try crowd.node.memory().resident
        try report([
            "bench": "control", "phase": "idle", "clients": clients, "irc": irc, "rooms": rooms,
            "rss_before_kb": before, "rss_connected_kb": entered,
            "kb_per_client": rounded(Double(subscribed - before) / Double(max(1, clients))),
            "kb_per_irc": rounded(Double(entered - subscribed) / Double(max(1, irc))),
            "irc_entered_seconds": rounded(seconds() - start),
        ])
    }

    /// A line that contains the time at which it was said.
    private func text(at nanoseconds: UInt64) -> String {
        let stamp = "@\(nanoseconds)@"
        return stamp + String(repeating: "x", count: max(0, bytes - stamp.count))
    }

    private func load(_ crowd: ControlCrowd) throws -> Load {
        try crowd.showThatTheyAreThere()
        let work = crowd.node.processorSeconds()
        let count = rate * duration
        let told = readings(crowd, lines: count, speakersHear: !ircSpeaks)
        let speaker = try SocketConnection(crowd.node.socket)
        let saidSeconds = try paced(count) { number in
            let (room, text) = (crowd.room(of: number), text(at: now()))
            if ircSpeaks {
                try crowd.people[number % irc].connection.send("PRIVMSG \(room) :\(text)\r\n")
            } else {
                try speaker.send(crowd.node.saying(text, in: room))
            }
        }
        return Load(told, saidSeconds: saidSeconds) { crowd.node.processorSeconds() - work }
    }

    /// - Parameter speakersHear: whether each line goes to everybody in its room.
    private func readings(_ crowd: ControlCrowd, lines: Int, speakersHear: Bool) -> (programs: Reading, people: Reading)
    {
        func wanted(_ listeners: [Listener]) -> Int {
            (0..<lines).reduce(0) { $0 + ControlCrowd.count(of: listeners, in: $1 % rooms, of: rooms) }
        }
        return (
            Reading(crowd.programs, wanted: wanted(crowd.programs)),
            Reading(crowd.people, wanted: wanted(crowd.people) - (speakersHear ? 0 : lines))
        )
    }

    /// As many bytes to as many sockets of the same kind, in a plain loop.
    private func bare(_ crowd: ControlCrowd, _ programBytes: Int, _ personBytes: Int, linesAtOnce: Int) throws -> Load {
        let programs = try crowd.programs.map { _ in try SocketConnection.pair() }
        let people = try crowd.people.map { _ in try SocketConnection.loopbackPair() }
        let bare = ControlCrowd(
            crowd.node, rooms: crowd.rooms, programs.map { Listener($0.1) }, people.map { Listener($0.1) })
        let told = readings(bare, lines: rate * duration, speakersHear: true)
        let work = processorSeconds()
        func line(_ length: Int) -> [UInt8] {
            Array("@\(now())@\(String(repeating: "x", count: max(0, length - 24)))\n".utf8)
        }
        var (waiting, waitingCount) = (Array(repeating: ([UInt8](), [UInt8]()), count: rooms), 0)
        let saidSeconds = try paced(rate * duration) { number in
            waiting[number % rooms].0 += line(programBytes)
            waiting[number % rooms].1 += line(personBytes)
            waitingCount += 1
            guard waitingCount == linesAtOnce || number == rate * duration - 1 else { return }
            for (room, lines) in waiting.enumerated() where !lines.0.isEmpty {
                for index in stride(from: room, to: programs.count, by: rooms) { programs[index].0.write(lines.0) }
                for index in stride(from: room, to: people.count, by: rooms) { people[index].0.write(lines.1) }
                waiting[room] = ([], [])
            }
            waitingCount = 0
        }
        return Load(told, saidSeconds: saidSeconds) { processorSeconds() - work }
    }

    private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// - Returns: the time in seconds.
    private func paced(_ count: Int, _ act: (Int) throws -> Void) throws -> Double {
        let start = seconds()
        for number in 0..<count {
            let wait = start + Double(number) / Double(rate) - seconds()
            if wait > 0 { Thread.sleep(forTimeInterval: wait) }
            try act(number)
        }
        return seconds() - start
    }

    private func tell(_ phase: String, _ load: Load, _ node: NodeProcess?) throws {
        var figures: [String: Any] = [
            "bench": "control", "phase": phase, "clients": clients, "irc": irc, "rooms": rooms,
            "lines_per_second": rate, "seconds": duration, "said_seconds": rounded(load.saidSeconds),
            "told_seconds": rounded(load.toldSeconds), "cpu_seconds": rounded(load.work),
        ]
        for (prefix, delays, lost) in [
            ("", load.programs, load.lost.programs), ("irc_", load.people, load.lost.people),
        ] {
            guard !delays.isEmpty || lost > 0 else { continue }
            let sample = Sample(delays)
            figures[prefix + "deliveries"] = delays.count
            figures[prefix + "lost"] = lost
            figures[prefix + "p50_ms"] = rounded(sample.median * 1e3)
            figures[prefix + "p99_ms"] = rounded(sample.percentile(99) * 1e3)
            figures[prefix + "worst_ms"] = rounded(sample.worst * 1e3)
        }
        if let memory = try node?.memory() {
            figures["rss_kb"] = memory.resident
            figures["rss_peak_kb"] = memory.peak
        }
        try report(figures)
    }

    private func tell(late stuck: Listener, _ front: String) throws {
        let late = stuck.readAll()
        try report([
            "bench": "control", "phase": "it_reads_at_last", "front": front, "lines_told": late.lines,
            "lines_missed": late.missed, "was_let_go": late.isOver, "lines_said": rate * duration / rooms,
        ])
    }
}

private struct Load {
    /// The delivery time of each line to each client, in seconds.
    let programs: [Double]
    let people: [Double]
    let lost: (programs: Int, people: Int)
    /// Time until the last line was said, and until all were received.
    let saidSeconds: Double
    let toldSeconds: Double
    let work: Double

    /// Waits for its end.
    init(_ told: (programs: Reading, people: Reading), saidSeconds: Double, work: () -> Double) {
        let start = seconds()
        (programs, people) = (told.programs.end(), told.people.end())
        toldSeconds = saidSeconds + seconds() - start
        self.work = work()
        lost = (told.programs.lost, told.people.lost)
        self.saidSeconds = saidSeconds
    }
}

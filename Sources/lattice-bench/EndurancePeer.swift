import Foundation

/// One participant: a folder, and its running process, if any.
final class EndurancePeer {
    let name: String
    let isSteadfast: Bool
    private let directory: URL
    private let program: String
    private let arguments: [String]
    private let ledger: EnduranceLedger
    private var process: ChatProcess?
    private(set) var ear: EnduranceEar?
    /// Lines typed since its folder exists.
    private(set) var typed: [Int] = []
    /// All of its processes use this port, so that others find them again.
    private var port = 0
    private(set) var starts = 0
    private(set) var isHere = false

    init(
        _ program: String, name: String, isSteadfast: Bool, in folder: URL, _ arguments: [String],
        _ ledger: EnduranceLedger
    ) {
        self.program = program
        self.name = name
        self.isSteadfast = isSteadfast
        self.arguments = arguments
        self.ledger = ledger
        directory = folder
    }

    var folder: URL { directory.appending(path: name) }
    /// Whether a line typed now is said at once.
    var isReady: Bool { isHere && ear?.now.port != nil }
    var cost: ProcessCost? { process?.cost }

    /// - Parameter peers: starting points, as `host:port`.
    func start(peers: [String]) throws {
        let process = try ChatProcess(
            program, prefix: nil, name: name, directory: directory,
            arguments + ["--port", "\(port)"] + peers.flatMap { ["--peer", $0] })
        try process.start()
        starts += 1
        isHere = true
        self.process = process
        ear = EnduranceEar(of: process, ledger, isSteadfast: isSteadfast)
    }

    func address() throws -> String {
        try wait("to begin") { $0.port != nil }
        port = ear?.now.port ?? 0
        return "127.0.0.1:\(port)"
    }

    func say(_ line: Int, bytes: Int) throws {
        ledger.typed(line, isSteadfast: isSteadfast)
        typed.append(line)
        try type(EnduranceLedger.text(of: line, bytes: bytes))
    }

    func standing() throws -> (links: Int, storedLines: Int) {
        guard let ear else { throw BenchError("\(name) is not here") }
        let before = ear.now
        try type("/stats")
        try type("/store stats")
        try wait("to answer") { $0.statsCount > before.statsCount && $0.storeStatsCount > before.storeStatsCount }
        return (ear.now.links, ear.now.storedLines)
    }

    func type(_ words: String) throws {
        guard let process, ear?.now.isOver == false else { throw BenchError("\(name) ended by itself") }
        try process.say(words)
    }

    func leave(_ leaving: EndurancePlan.Leaving) throws {
        guard ear?.now.isOver == false else { throw BenchError("\(name) ended by itself") }
        isHere = false
        switch leaving {
        case .killed: process?.kill()
        case .asked, .replaced: try process?.say("/quit")
        }
    }

    /// Waits until the process has ended.
    func gone() throws {
        try wait("to end") { $0.isOver }
        process?.kill()
        (process, ear) = (nil, nil)
    }

    /// Starts over with a new identity, if others have all its lines.
    func replace() throws {
        guard ledger.isElsewhere(typed) else { return }
        try FileManager.default.removeItem(at: folder)
        typed = []
    }

    func end() {
        isHere = false
        process?.kill()
        (process, ear) = (nil, nil)
    }

    /// Long, because the machine may be busy.
    private static let patience = 120.0

    private func wait(_ what: String, until holds: (EnduranceEar.State) -> Bool) throws {
        let end = seconds() + Self.patience
        while let ear, !holds(ear.now) {
            if ear.now.isOver, !holds(ear.now) { throw BenchError("\(name) ended by itself") }
            guard seconds() < end else { throw BenchError("\(name) timed out waiting \(what)") }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}

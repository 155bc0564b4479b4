import Foundation
import LatticeCore
import LatticeGeo
import Synchronization

/// Asks what is near, of places in the city; the node and the bare server by turns, each of which asks so much of the one and then of the other.
struct HTTPNearBench {
    /// Of one connection, in one turn. A node lets 500 through at once, and then 200 a second: as many as are asked at once on one
    /// connection by a page, and not what is measured here.
    static let turn = 400
    private static let warmUpCount = 300
    private static let reachMetres = 2_000
    private static let limit = 20

    private let node: (port: UInt16, cost: ProcessCost)
    private let bare: (port: UInt16, cost: ProcessCost)
    let questions: [String]
    private let first: [String]
    /// How many bytes each answer of the node had.
    private var answerBytes: [Int] = []
    /// Each connection comes from another address of this machine, for the same reason as turns have an end.
    private var addresses = HTTPAddresses()

    init(
        node: (port: UInt16, cost: ProcessCost), bare: (port: UInt16, cost: ProcessCost), centres seed: UInt64,
        count: Int
    ) {
        (self.node, self.bare) = (node, bare)
        var generator = SeededGenerator(seed: seed &+ 77)
        let all = (0..<Self.warmUpCount + count).compactMap { _ in
            BenchPosts.inCity(&generator).map { place in
                "/v1/posts/near?lat=\(place.latitude)&lon=\(place.longitude)&radius=\(Self.reachMetres)"
                    + "&limit=\(Self.limit)"
            }
        }
        first = Array(all.prefix(Self.warmUpCount))
        questions = Array(all.dropFirst(Self.warmUpCount))
    }

    /// As many bytes as the node answered, heads among them.
    var bareQuestions: [String] { answerBytes.map(HTTPBareServer.question) }

    /// Before it counts: pages come into the caches.
    ///
    /// - Returns: how many posts an answer has, on the average.
    mutating func warmUp() throws -> Double {
        var items = 0
        let (ours, theirs) = (
            try HTTPAsker(port: node.port, from: addresses.next()),
            try HTTPAsker(port: bare.port, from: addresses.next())
        )
        for question in first {
            let bytes = try ours.ask(question)
            items += String(decoding: ours.answer, as: UTF8.self).components(separatedBy: "\"kind\":\"post\"").count - 1
            try theirs.ask(HTTPBareServer.question(bytes: bytes))
        }
        return rounded(Double(items) / Double(first.count))
    }

    mutating func measure(connections: Int) throws -> [String: Any] {
        var (ours, theirs) = (HTTPAsked(), HTTPAsked())
        answerBytes = []
        for start in stride(from: 0, to: questions.count, by: connections * Self.turn) {
            let some = Array(questions[start..<min(start + connections * Self.turn, questions.count)])
            let bytes = try ask(some, of: node, connections, &ours)
            answerBytes += bytes
            _ = try ask(bytes.map(HTTPBareServer.question), of: bare, connections, &theirs)
        }
        let mean = Double(answerBytes.reduce(0, +)) / Double(max(1, answerBytes.count))
        return HTTPComparison.beside(ours.figures + [ours.workFigure], theirs.figures + [theirs.workFigure])
            .merging(["answer_bytes": Int(mean)]) { ours, _ in ours }
    }

    /// - Returns: how many bytes each answer has.
    private mutating func ask(
        _ questions: [String], of server: (port: UInt16, cost: ProcessCost), _ connections: Int,
        _ asked: inout HTTPAsked
    ) throws -> [Int] {
        let from = (0..<connections).map { _ in addresses.next() }
        let work = server.cost.processorSeconds()
        let turns = try onThreads(connections) { number in
            let asker = try HTTPAsker(port: server.port, from: from[number])
            var turn = Turn(start: seconds())
            for index in stride(from: number, to: questions.count, by: connections) {
                let start = seconds()
                turn.answers.append((index, try asker.ask(questions[index])))
                turn.times.append(seconds() - start)
            }
            turn.end = seconds()
            return turn
        }
        asked.work += server.cost.processorSeconds() - work
        asked.wall += (turns.map(\.end).max() ?? 0) - (turns.map(\.start).min() ?? 0)
        asked.times += turns.flatMap(\.times)
        return turns.flatMap(\.answers).sorted { $0.index < $1.index }.map(\.bytes)
    }

    private struct Turn: Sendable {
        let start: Double
        var end = 0.0
        var times: [Double] = []
        var answers: [(index: Int, bytes: Int)] = []
    }
}

/// Addresses of this machine, 127.1.0.1 and on.
struct HTTPAddresses: Sendable {
    private var last: UInt32

    init(last: UInt32 = 0x7F01_0000) {
        self.last = last
    }

    mutating func next() -> UInt32 {
        last += 1
        return last
    }
}

/// Does parts of some work, each on a thread of its own: they wait for others, and not for a core.
///
/// - Returns: the results in the order of the parts.
/// - Throws: the first fault of a part, when all have ended.
func onThreads<Part: Sendable>(_ parts: Int, _ work: @escaping @Sendable (Int) throws -> Part) throws -> [Part] {
    let results = ThreadResults<Part>(parts)
    let group = DispatchGroup()
    for index in 0..<parts {
        group.enter()
        Thread {
            let result = Result { try work(index) }
            results.parts.withLock { $0[index] = result }
            group.leave()
        }.start()
    }
    group.wait()
    return try results.parts.withLock { parts in try parts.compactMap { try $0?.get() } }
}

private final class ThreadResults<Part: Sendable>: Sendable {
    let parts: Mutex<[Result<Part, any Error>?]>

    init(_ count: Int) {
        parts = Mutex(Array(repeating: nil, count: count))
    }
}

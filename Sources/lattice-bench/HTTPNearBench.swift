import Foundation
import LatticeCore
import LatticeGeo
import Synchronization

/// Requests posts near places in the city, in alternating turns from the node and from the plain server.
struct HTTPNearBench {
    /// Requests on one connection in one turn. A node accepts a burst of 500 and then 200 a second; that limit is not
    /// what is measured here.
    static let turn = 400
    private static let warmUpCount = 300
    private static let reachMetres = 2_000
    private static let limit = 20

    private let node: (port: UInt16, cost: ProcessCost)
    private let bare: (port: UInt16, cost: ProcessCost)
    let questions: [String]
    private let first: [String]
    /// The size of each of the node's responses.
    private var answerBytes: [Int] = []
    /// Each connection has an address of its own, so that the node's limit does not apply.
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

    /// The same response sizes as the node's, heads included.
    var bareQuestions: [String] { answerBytes.map(HTTPBareServer.question) }

    /// Fills the caches before the measurement.
    ///
    /// - Returns: the mean number of posts in a response.
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

    /// - Returns: the size of each response.
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

/// Local addresses from 127.1.0.1 on.
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

/// Runs parts of a task on a thread each: they wait for others, not for a core.
///
/// - Returns: the results in the order of the parts.
/// - Throws: the first error of a part, when all have ended.
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

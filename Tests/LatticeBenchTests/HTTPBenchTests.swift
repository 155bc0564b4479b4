import Foundation
import Testing

@testable import lattice_bench

@Suite struct HTTPBenchTests {
    @Test func theBareServerAnswersAsManyBytesAsItIsAskedFor() async throws {
        let asked = try await withBareServer { port in
            let asker = try HTTPAsker(port: port, from: 0x7F01_0001)
            return try [0, 1, 9_000, 1 << 20].map { bytes in
                let whole = try asker.ask(HTTPBareServer.question(bytes: bytes))
                return (bytes: bytes, whole: whole, body: asker.answer.count { $0 == UInt8(ascii: "x") })
            }
        }
        for (bytes, whole, body) in asked {
            #expect(body == bytes)
            #expect((1..<256).contains(whole - bytes), "a head and nothing else")
        }
    }

    @Test func theBareServerTellsEveryStream() async throws {
        let server = HTTPBareServer()
        let load = try await withBareServer(server) { port in
            let bench = HTTPStreamsBench(streams: 3, rate: 20, duration: 1)
            let measured = HTTPMeasured(
                port: port, cost: ProcessCost(identifier: ProcessInfo.processInfo.processIdentifier),
                stream: HTTPBareServer.stream
            ) { server.say("@\($0)@") }
            return try bench.measure(measured, questions: [HTTPBareServer.question(bytes: 10)])
        }
        #expect(load.quiet.delays.count == 60 && load.quiet.lost == 0)
        #expect(load.asked.delays.count == 60 && load.asked.lost == 0)
        #expect(!load.asked.asked.times.isEmpty)
    }

    @Test func whatIsNotThereIsAFault() async throws {
        await #expect(throws: BenchError.self) {
            try await withBareServer { port in try HTTPAsker(port: port).ask("/nothing") }
        }
    }

    @Test func anAnswerIsWholeByWhatItsHeadSays() throws {
        let answer = Array("HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\n\r\nhello".utf8)
        let head = answer.count - 5
        for count in answer.indices {
            #expect(try HTTPAsker.wholeBytes(of: answer[..<count]) == (count < head ? nil : answer.count))
        }
    }

    @Test func figuresStandBesideTheBareOnes() throws {
        let figures = HTTPComparison.beside([("p50_us", 300), ("lost", 0)], [("p50_us", 100), ("lost", 0)])
        #expect(
            figures as? [String: Double] == [
                "p50_us": 300, "bare_p50_us": 100, "ratio_p50_us": 3, "lost": 0, "bare_lost": 0,
            ])
    }

    @Test func partsOnThreadsKeepTheirOrder() throws {
        #expect(try onThreads(9) { $0 * $0 } == (0..<9).map { $0 * $0 })
        #expect(throws: BenchError.self) { try onThreads(3) { if $0 == 1 { throw BenchError("one of them") } } }
    }

    /// Runs the server while `work` asks it on a thread of its own: it blocks.
    private func withBareServer<Value: Sendable>(
        _ server: HTTPBareServer = HTTPBareServer(), _ work: @escaping @Sendable (UInt16) throws -> Value
    ) async throws -> Value {
        let (ports, input) = AsyncStream<UInt16>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { input.yield($0) } }
            let port = try #require(await ports.first { _ in true })
            let value = try await withCheckedThrowingContinuation { continuation in
                Thread { continuation.resume(with: Result { try work(port) }) }.start()
            }
            group.cancelAll()
            return value
        }
    }
}

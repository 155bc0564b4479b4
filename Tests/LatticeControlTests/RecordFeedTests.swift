import Foundation
import LatticeAPI
import LatticeConcurrency
import LatticeCore
import Synchronization
import Testing

@testable import LatticeControl

/// A node whose feeds send what a test says.
final class PatientFeeds: FeedNode {
    private let batches = Mutex<[Result<RecordBatch, RequestError>]>([])
    private let signal = Signal()

    func tell(_ batch: Result<RecordBatch, RequestError>) {
        batches.withLock { $0.append(batch) }
        signal.raise()
    }

    func nextRecords(of feed: Int) async throws(RequestError) -> RecordBatch {
        while !Task.isCancelled {
            if let next = batches.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return try next.get() }
            await signal.wait()
        }
        throw .stopped(why: .cancelled)
    }
}

/// Feeds by the control socket: their lines, their limits, and what becomes of them when a client goes.
@Suite struct RecordFeedTests {
    private static let position = FeedPosition(epoch: "9f3c", seq: 7)
    private static let subscribe = ##"{"id":1,"method":"records.subscribe"}"## + "\n"

    private static func batch(_ bytes: [UInt8]) -> RecordBatch {
        RecordBatch(feed: 3, [.init(Samples.record, bytes, at: position)], position: position, live: true)
    }

    @Test func aConnectionGetsTheRecordsOfItsFeedAfterTheAnswer() async throws {
        try await Served().run { served in
            served.feeds.tell(.success(Self.batch([1, 2, 3])))
            let socket = try RawSocket(served.path)
            socket.send(Self.subscribe)
            #expect(try await socket.line().contains(##""records.subscribed":{"feed":3"##))
            #expect(
                try await socket.line() == ##"{"jsonrpc":"2.0","method":"records","params":{"feed":3,"live":true,"##
                    + ##""position":"9f3c.7","records":[{"bytes":"AQID","id":"\##(Samples.record.hex)","position":"9f3c.7"}]}}"##
            )
            socket.send(##"{"id":2,"method":"records.taken","params":{"feed":3,"position":"9f3c.7"}}"## + "\n")
            #expect(try await socket.line() == ##"{"id":2,"jsonrpc":"2.0","result":{"done":{}}}"##)
            #expect(await served.node.requests.contains(AnyHashable(RecordsTaken(3, Self.position))))
        }
    }

    @Test func aFeedEndsWithItsConnection() async throws {
        try await Served().run { served in
            do {
                let socket = try RawSocket(served.path)
                socket.send(Self.subscribe)
                #expect(try await socket.line().contains("records.subscribed"))
            }
            await served.idle()
            #expect(await served.node.requests.last == AnyHashable(RecordsEnd(3)))
        }
    }

    @Test func reportsOfBridgesEndWithTheirConnection() async throws {
        try await Served().run { served in
            let report = BridgeReport(BridgeEngine(.nats), isConnected: true)
            var connections: [UInt64] = []
            for _ in 1...2 {
                do {
                    let socket = try RawSocket(served.path)
                    socket.send(
                        ##"{"id":1,"method":"bridge.report","params":{"engine":"nats","isConnected":true}}"## + "\n")
                    #expect(try await socket.line() == ##"{"id":1,"jsonrpc":"2.0","result":{"done":{}}}"##)
                }
                await served.idle()
                let asked = await served.node.requests.suffix(2)
                let connection = try #require(asked.first?.base as? ReportBridge).connection
                #expect(
                    Array(asked) == [
                        ReportBridge(report, connection: connection), EndBridgeReports(connection: connection),
                    ])
                connections.append(connection)
            }
            #expect(Set(connections).count == 2)
            // Another connection has nothing to end.
            do {
                let socket = try RawSocket(served.path)
                socket.send(##"{"id":1,"method":"bridge.status"}"## + "\n")
                #expect(try await socket.line().contains(##"{"bridge.status":{"bridges":[]"##))
            }
            await served.idle()
            #expect(await served.node.requests.last == AnyHashable(ShowBridges()))
        }
    }

    @Test(arguments: [
        ##"{"engine":"NATS"}"##, ##"{"engine":""}"##, ##"{}"##, ##"{"engine":"nats","behindIn":-1}"##,
        ##"{"engine":"nats","taken":{"added":1e300}}"##,
        ##"{"engine":"nats","obstacleIn":{"code":"gone","words":"x"}}"##,
    ])
    func aReportThatIsNoneIsRefused(report: String) async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(##"{"id":1,"method":"bridge.report","params":\##(report)}"## + "\n")
            #expect(try await socket.line().contains(##""error""##))
            #expect(await served.node.requests.isEmpty)
        }
    }

    @Test func aFeedThatBreaksSaysWhy() async throws {
        try await Served().run { served in
            let socket = try RawSocket(served.path)
            socket.send(Self.subscribe)
            #expect(try await socket.line().contains("records.subscribed"))
            served.feeds.tell(.failure(.feed(fault: .positionGone)))
            let line = try await socket.line()
            #expect(line.contains(##""method":"records.ended""##) && line.contains(##""code":"positionGone""##))
            socket.send(##"{"id":2,"method":"sync"}"## + "\n")
            #expect(try await socket.line().contains(##""done""##), "the connection goes on")
        }
    }

    @Test func aFeedOfAnotherConnectionIsUnknown() async throws {
        try await Served().run { served in
            let (one, other) = (try RawSocket(served.path), try RawSocket(served.path))
            one.send(Self.subscribe)
            #expect(try await one.line().contains("records.subscribed"))
            other.send(##"{"id":2,"method":"records.taken","params":{"feed":3,"position":"9f3c.7"}}"## + "\n")
            #expect(try await other.line().contains(##""code":"unknownFeed""##))
            // To end what is over has no effect.
            other.send(##"{"id":3,"method":"records.end","params":{"feed":3}}"## + "\n")
            #expect(try await other.line() == ##"{"id":3,"jsonrpc":"2.0","result":{"done":{}}}"##)
            let asked = await served.node.requests
            #expect(!asked.contains { $0.base is RecordsTaken || $0.base is RecordsEnd })
            withExtendedLifetime(one) {}
        }
    }

    private func fault(_ line: String) throws -> ControlError? {
        let request = try ControlRequest.decoder(Exchange.names).decode(ControlRequest.self, from: Data(line.utf8))
        guard case .failure(let error) = request.method else { return nil }
        return error
    }

    @Test func hostileArgumentsAreRefusedInWords() throws {
        let id = Samples.record.hex
        let many = Array(repeating: ##""AA==""##, count: 513).joined(separator: ",")
        let large = Data(repeating: 0, count: 700_001).base64EncodedString()
        for (method, params, word) in [
            ("put", ##"{"records":[\##(many)]}"##, "at most 512"),
            ("put", ##"{"records":["\##(large)"]}"##, "at most 700000"), ("put", ##"{"records":["%"]}"##, "records"),
            ("put", "{}", "records"), ("put", ##"{"records":[],"via":"pigeon"}"##, "nats, mqtt, other"),
            ("have", ##"{"ids":["12"]}"##, "64 hexadecimal"),
            ("have", "{\"ids\":[" + Array(repeating: "\"\(id)\"", count: 1_025).joined(separator: ",") + "]}", "1024"),
            ("subscribe", ##"{"window":0}"##, "1 to 4096"), ("subscribe", ##"{"window":4097}"##, "1 to 4096"),
            ("subscribe", ##"{"after":"9f3c"}"##, "position"), ("subscribe", ##"{"after":".1"}"##, "position"),
            ("subscribe", ##"{"after":"9f3c.-1"}"##, "position"),
            ("subscribe", ##"{"after":"9f3c.99999999999999999999"}"##, "position"),
            ("subscribe", ##"{"kinds":[-1]}"##, "out of range"),
            ("subscribe", "{\"kinds\":[" + Array(repeating: "1", count: 65).joined(separator: ",") + "]}", "64 kinds"),
            ("subscribe", ##"{"near":{"centre":{"latitude":1,"longitude":1},"radius":1e9}}"##, "radius"),
            ("subscribe", ##"{"notVia":"mesh"}"##, "nats, mqtt, other"),
            ("subscribe", ##"{"crossing":1}"##, "crossing"),
            ("taken", ##"{"feed":3}"##, "position"),
            ("end", "{}", "feed"),
        ] {
            let error = try fault(##"{"id":1,"method":"records.\##(method)","params":\##(params)}"##)
            #expect(
                error?.code == .invalidParams && error?.message.contains(word) == true,
                "\(method) \(params.prefix(60)): \(error?.message ?? "was taken")")
        }
    }

    @Test func thePositionIsOpaqueAndComesBackAsItWas() throws {
        let position = try FeedPosition(codedText: "00ff.12")
        #expect(position == FeedPosition(epoch: "00ff", seq: 12) && position.codedText == "00ff.12")
    }
}

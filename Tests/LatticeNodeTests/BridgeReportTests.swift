import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMetrics
import MetricsTestKit
import Testing

@testable import LatticeNode

/// What bridges say about themselves, and what the node adds.
@Suite(.timeLimit(.minutes(10))) struct BridgeReportTests {
    private static func report(_ via: RecordVia = .nats, added: Int = 0) -> BridgeReport {
        var report = BridgeReport(BridgeEngine(via), isConnected: true)
        report.taken.added = added
        return report
    }

    private static func second(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func theNewestOfEachConnectionAndEngineCounts() {
        let reports = BridgeReports()
        let now = Self.second(0)
        _ = reports.take(ReportBridge(Self.report(), connection: 1), at: now)
        _ = reports.take(ReportBridge(Self.report(.mqtt), connection: 1), at: now)
        _ = reports.take(ReportBridge(Self.report(), connection: 2), at: now)
        _ = reports.take(ReportBridge(Self.report(added: 7), connection: 1), at: now)
        #expect(reports.current(at: now) == [Self.report(added: 7), Self.report(.mqtt), Self.report()])
        reports.end(1)
        #expect(reports.current(at: now) == [Self.report()])
    }

    @Test func whoIsSilentIsForgottenAndSoAreTheOldestOfTooMany() {
        let reports = BridgeReports()
        _ = reports.take(ReportBridge(Self.report(added: 1), connection: 1), at: Self.second(0))
        _ = reports.take(ReportBridge(Self.report(added: 2), connection: 2), at: Self.second(10))
        #expect(reports.current(at: Self.second(30)).count == 2)
        #expect(reports.current(at: Self.second(31)) == [Self.report(added: 2)])
        for connection in 10..<UInt64(10 + BridgeReports.reportsMax) {
            _ = reports.take(ReportBridge(Self.report(), connection: connection), at: Self.second(31))
        }
        #expect(
            reports.current(at: Self.second(31)) == Array(repeating: Self.report(), count: BridgeReports.reportsMax))
    }

    /// A bridge whose connection to the node breaks says again what is counted already, and so does one that is older than the node.
    @Test func eachRecordIsCountedOnce() {
        let reports = BridgeReports(startedAt: WallTime(milliseconds: 1_000))
        func take(_ added: Int, startedAt: Int64?, connection: UInt64) -> Int? {
            var report = Self.report(added: added)
            report.startedAt = startedAt.map { WallTime(milliseconds: $0) }
            return reports.take(ReportBridge(report, connection: connection), at: Self.second(0))?.taken.added
        }
        #expect(take(5, startedAt: 2_000, connection: 1) == nil)
        #expect(take(7, startedAt: 2_000, connection: 1) == 5)
        reports.end(1)
        #expect(take(9, startedAt: 2_000, connection: 2) == 7)
        #expect(take(1, startedAt: 3_000, connection: 3) == nil, "it was started again")
        #expect(take(50, startedAt: 999, connection: 4) == 50)
        #expect(take(52, startedAt: 999, connection: 4) == 50)
        #expect(take(60, startedAt: nil, connection: 5) == 60, "who does not say when it began may be as old")
    }

    @Test func whatBridgesReportIsMeasured() async throws {
        let metrics = TestMetrics()
        let chatter = try await Chatter(try Home("home"), metrics: metrics)
        func total(_ name: String, _ dimensions: (String, String)...) -> Int64 {
            metrics.counterTotal(label: "lattice_bridge_\(name)_total", dimensions: dimensions)
        }
        try await chatter.run {
            var report = Self.report(added: 5)
            report.startedAt = Clocks.machine()
            for _ in 1...2 { _ = try await chatter.node.perform(ReportBridge(report)) }
            report.taken.added = 8
            (report.taken.refused, report.published) = (1, .init(stored: 2, known: 3, repeated: 4))
            _ = try await chatter.node.perform(ReportBridge(report))
        }
        #expect(total("records", ("way", "in"), ("answer", "added")) == 8)
        #expect(total("records", ("way", "in"), ("answer", "refused")) == 1)
        #expect(total("records", ("way", "out"), ("answer", "added")) == 2)
        #expect(total("records", ("way", "out"), ("answer", "known")) == 3)
        #expect(total("retries") == 4)
    }

    @Test func howFarBridgesAreStandsInTheFamilies() async throws {
        let chatter = try await Chatter(try Home("home"), metrics: MetricRegistry(NodeMetrics.descriptions))
        try await chatter.run {
            func value(_ name: String, _ labels: [MetricFamily.Label] = []) async throws -> Double? {
                let families = try await chatter.node.perform(ShowStats()).families
                return families["lattice_bridge_\(name)"]?.series.first { $0.labels == labels }?.number
            }
            #expect(try await value("connected") == 0)
            var report = Self.report()
            report.behindIn = 9
            report.feed = try await chatter.node.perform(RecordsSubscribe()).feed
            _ = try await chatter.node.perform(ReportBridge(report))
            _ = try await chatter.node.perform(NewPost(text: "a bench", at: try .park()))
            #expect(try await value("connected") == 1)
            #expect(try await value("behind", [.init("way", "in")]) == 9)
            #expect(try await value("behind", [.init("way", "out")]).map { $0 > 0 } == true)
            _ = try await chatter.node.perform(EndBridgeReports())
            #expect(try await value("behind", [.init("way", "in")]) == 0)
        }
    }

    @Test func theNodeCountsWhatIsLeftToPublish() async throws {
        let chatter = try await Chatter(try Home("home"))
        try await chatter.run {
            let node = chatter.node
            #expect(try await node.perform(ShowBridges()) == .init([], isCrossing: false))
            var report = Self.report()
            let feed = try await node.perform(RecordsSubscribe(notVia: .nats, crossing: true)).feed
            report.feed = feed
            _ = try await node.perform(ReportBridge(report))
            for text in ["a bench", "a table"] { _ = try await node.perform(NewPost(text: text, at: try .park())) }
            #expect(try await node.perform(ShowBridges()).bridges.first?.behindOut == 0, "nothing may cross yet")
            _ = try await node.perform(SetCrossing(rooms: []))
            let shown = try await node.perform(ShowBridges())
            let left = try #require(shown.bridges.first?.behindOut)
            #expect(shown.isCrossing && left >= 3 && shown.bridges.first?.isMoreBehindOut == false)
            // What was sent counts until it is confirmed.
            let batch = try await node.nextRecords(of: feed)
            #expect(try await node.perform(ShowBridges()).bridges.first?.behindOut == left)
            _ = try await node.perform(RecordsTaken(feed, batch.position))
            #expect(try await node.perform(ShowBridges()).bridges.first?.behindOut == left - batch.records.count)
            // A feed that has ended tells nothing.
            _ = try await node.perform(RecordsEnd(feed))
            #expect(try await node.perform(ShowBridges()).bridges == [report])
            _ = try await node.perform(EndBridgeReports())
            #expect(try await node.perform(ShowBridges()) == .init([], isCrossing: true))
        }
    }

    @Test func aVisitorNeitherReportsNorReads() async throws {
        let chatter = try await Chatter(try Home("home"))
        try await chatter.run {
            let visitor = try await chatter.admit("jonna").visitor
            await #expect(throws: RequestError.ownerOnly) { _ = try await visitor.perform(ShowBridges()) }
            await #expect(throws: RequestError.ownerOnly) {
                _ = try await visitor.perform(ReportBridge(Self.report()))
            }
            await #expect(throws: RequestError.ownerOnly) { _ = try await visitor.perform(EndBridgeReports()) }
        }
    }
}

import LatticeAPI
import LatticeCore
import LatticeStore

/// The newest report of each bridge that runs beside this node.
final class BridgeReports {
    /// A node has one or two bridges; more reports come from a program that is wrong.
    static let reportsMax = 16
    private static let ageMax: Duration = .seconds(ReportBridge.secondsMax)

    private struct Entry {
        let connection: UInt64
        var report: BridgeReport
        var at: Instant
    }

    /// One run of a bridge, over all its connections.
    private struct Run: Hashable {
        let engine: BridgeEngine
        let startedAt: WallTime?

        init(_ report: BridgeReport) { (engine, startedAt) = (report.engine, report.startedAt) }
    }

    private let startedAt: WallTime
    /// In the order in which they came first.
    private var entries: [Entry] = []
    /// The last report of each run, for the counters; the newest run last.
    private var counted: [(run: Run, report: BridgeReport)] = []

    init(startedAt: WallTime = Clocks.machine()) { self.startedAt = startedAt }

    /// - Returns: a report of this run whose counts are in the counters already; `nil` if none are.
    func take(_ request: ReportBridge, at now: Instant) -> BridgeReport? {
        expire(at: now)
        let report = request.report
        let before = entries.firstIndex {
            $0.connection == request.connection && $0.report.engine == report.engine
        }
        if let before {
            (entries[before].report, entries[before].at) = (report, now)
        } else {
            if entries.count == Self.reportsMax { entries.removeFirst() }
            entries.append(Entry(connection: request.connection, report: report, at: now))
        }
        return count(report)
    }

    private func count(_ report: BridgeReport) -> BridgeReport? {
        let run = Run(report)
        if let index = counted.firstIndex(where: { $0.run == run }) {
            defer { counted[index].report = report }
            return counted[index].report
        }
        if counted.count == Self.reportsMax { counted.removeFirst() }
        counted.append((run, report))
        // An earlier node counted what a bridge did before this one started.
        return report.startedAt.map { $0 < startedAt } ?? true ? report : nil
    }

    func end(_ connection: UInt64) {
        entries.removeAll { $0.connection == connection }
    }

    /// The reports of now, with what the readers of feeds have not got yet.
    func current(at now: Instant, on node: isolated Node) async throws(RequestError) -> [BridgeReport] {
        var reports = current(at: now)
        for (index, report) in reports.enumerated() {
            guard let number = report.feed, let left = try await node.sync.feeds.left(in: number, on: node) else {
                continue
            }
            (reports[index].behindOut, reports[index].isMoreBehindOut) = (left.count, left.isMore)
        }
        return reports
    }

    func current(at now: Instant) -> [BridgeReport] {
        expire(at: now)
        return entries.map(\.report)
    }

    private func expire(at now: Instant) {
        entries.removeAll { $0.at.duration(to: now) > Self.ageMax }
    }
}

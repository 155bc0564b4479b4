import LatticeSimulator

/// The results of one or several experiments, as text and as JSON.
struct Figures {
    private let reports: [ExperimentReport]
    private let seed: UInt64
    /// Wall time of a single experiment including its setup; `nil` to leave it out.
    private let wallTime: Duration?
    private let mean: RecordFigures
    private let first: RecordFigures
    private let secondHalf: RecordFigures

    init(_ reports: [ExperimentReport], seed: UInt64, wallTime: Duration?) {
        self.reports = reports
        self.seed = seed
        self.wallTime = wallTime
        mean = RecordFigures.mean(of: reports.map(\.mean))
        first = RecordFigures.mean(of: reports.map(\.first))
        secondHalf = RecordFigures.mean(of: reports.map(\.secondHalf))
    }

    var json: String {
        var object = JSONObject()
        object.set("peers", reports.first?.peers ?? 0)
        object.set("seed", "\(seed)")
        object.set("seeds", reports.count)
        object.set("records", reports.first?.records.count ?? 0)
        Self.set(mean, in: &object)
        object.set("links_mean", average(\.linksMean))
        object.set("isolated", average(\.isolated))
        object.set("first", Self.object(first))
        object.set("second_half", Self.object(secondHalf))
        object.set("after_fail", afterFailure(\.afterFailure).map(JSONObject.number))
        object.set("after_fail_last_ms", afterFailure(\.afterFailureLast).map(JSONObject.number))
        object.set("frames_by_type", byType { Double($0.frames) })
        object.set("bytes_by_type", byType { Double($0.bytes) })
        object.set("joining_frames", average { Double($0.joiningTally.frames) })
        object.set("joining_bytes", average { Double($0.joiningTally.bytes) })
        object.set("events", average { Double($0.events) })
        object.set("faults", reports.reduce(0) { $0 + $1.faults.count })
        if let wallTime { object.set("wall_s", wallTime / .seconds(1)) }
        return object.text + "\n"
    }

    var table: String {
        var table = Table()
        table.row("", "all lines", "first line", "second half")
        for (name, path, places) in Self.rows {
            let values = [mean, first, secondHalf].map { JSONObject.number($0[keyPath: path], places: places) }
            table.row(name, values[0], values[1], values[2])
        }
        table.row("")
        for (type, row) in types.enumerated() {
            let frames = average { Double($0.tally.rows[type].frames) / Double(max($0.records.count, 1)) }
            guard frames > 0 else { continue }
            let bytes = average { Double($0.tally.rows[type].bytes) / Double(max($0.records.count, 1)) }
            table.row(
                "\(row) a line", JSONObject.number(frames, places: 1) + " frames",
                JSONObject.number(bytes, places: 0) + " bytes")
        }
        table.row("")
        table.row("links a peer", JSONObject.number(average(\.linksMean), places: 2))
        table.row("peers without a link", JSONObject.number(average(\.isolated), places: 4))
        let afterwards = zip(afterFailure(\.afterFailure), afterFailure(\.afterFailureLast))
        for (number, (reliability, last)) in afterwards.prefix(5).enumerated() {
            table.row(
                "line \(number + 1) after the failure", JSONObject.number(reliability, places: 4),
                JSONObject.number(last, places: 0) + " ms")
        }
        table.row("events", JSONObject.number(average { Double($0.events) }, places: 0))
        if let wallTime { table.row("wall time", JSONObject.number(wallTime / .seconds(1), places: 2) + " s") }
        return table.text
    }

    /// The rows of the table with their decimal places.
    private static var rows: [(String, KeyPath<RecordFigures, Double>, Int)] {
        [
            ("reliability", \.reliability, 5), ("relative message redundancy", \.redundancy, 3),
            ("last delivery hop", \.lastHop, 2), ("delivered, median ms", \.median, 1),
            ("delivered, 99 of 100 ms", \.nearlyAll, 1), ("delivered, last ms", \.last, 1), ("frames", \.frames, 1),
            ("bytes", \.bytes, 0),
        ]
    }

    private var types: [String] { reports.first?.tally.rows.map(\.name) ?? [] }

    private func afterFailure(_ figure: KeyPath<ExperimentReport, [Double]>) -> [Double] {
        let count = reports.map { $0[keyPath: figure].count }.min() ?? 0
        return (0..<count).map { line in average { $0[keyPath: figure][line] } }
    }

    private func average(_ value: (ExperimentReport) -> Double) -> Double {
        reports.isEmpty ? 0 : reports.reduce(0) { $0 + value($1) } / Double(reports.count)
    }

    private func byType(_ value: (FrameTally.Row) -> Double) -> JSONObject {
        var object = JSONObject()
        for (type, name) in types.enumerated() {
            object.set(name, average { value($0.tally.rows[type]) / Double(max($0.records.count, 1)) })
        }
        return object
    }

    private static func object(_ figures: RecordFigures) -> JSONObject {
        var object = JSONObject()
        set(figures, in: &object)
        return object
    }

    private static func set(_ figures: RecordFigures, in object: inout JSONObject) {
        object.set("reliability", figures.reliability)
        object.set("rmr", figures.redundancy)
        object.set("ldh", figures.lastHop)
        object.set("deliver_ms_p50", figures.median)
        object.set("deliver_ms_p99", figures.nearlyAll)
        object.set("deliver_ms_max", figures.last)
        object.set("last_delivery_ms", figures.last)
        object.set("frames", figures.frames)
        object.set("bytes", figures.bytes)
        object.set("record_frames", figures.recordFrames)
    }
}

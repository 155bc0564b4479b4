import LatticeCore
import LatticeMetrics

/// The counters of a node as text; rates as well if there is an earlier sample.
struct CountLines {
    let families: [MetricFamily]
    /// An earlier sample, and its age in seconds.
    var before: (families: [MetricFamily], seconds: Double)?
    var columns = Int.max

    var summary: [String] { [sync, store, loop, process].compactMap(\.self) }

    /// Leaves out zeros. The longest table comes last, since the window may be too small.
    var tables: [String] { queues + records + frames }

    private var frames: [String] {
        let names = ["lattice_frames_received_total", "lattice_frames_sent_total"]
        let types = values(of: "type", in: names)
        return table(
            ["frames", "received", "sent"],
            types.map { type in (type, names.map { ($0, [("type", type)]) }) }, speeds: ["received", "sent"])
    }

    private var records: [String] {
        let name = "lattice_records_total"
        let ways = ["said", "heard", "fetched"]
        return table(
            ["records"] + ways,
            values(of: "kind", in: [name]).map { kind in
                (kind, ways.map { (name, [("kind", kind), ("way", $0)]) })
            }, speeds: ways)
    }

    private var queues: [String] {
        let rows = (families["lattice_queue_depth"]?.series ?? []).compactMap { series -> [String]? in
            guard let queue = series.label("queue"), let depth = series.number else { return nil }
            let age = families.number("lattice_queue_age_seconds", ("queue", queue)) ?? 0
            return [queue, Self.number(depth), depth > 0 ? "\(Self.number(age.rounded(tenths: true))) s" : "-"]
        }
        return rows.isEmpty ? [] : Self.aligned([["queue", "waiting", "oldest"]] + rows)
    }

    private func values(of label: String, in names: [String]) -> [String] {
        let series = names.flatMap { families[$0]?.series ?? [] }
        return Set(series.filter { ($0.number ?? 0) > 0 }.compactMap { $0.label(label) }).sorted()
    }

    private typealias Count = (name: String, labels: [(String, String)])

    /// Totals, with rates beside them, or below them on a narrow screen.
    ///
    /// - Parameter speeds: the headings of the rates, if there is an earlier sample.
    private func table(_ head: [String], _ rows: [(String, [Count])], speeds: [String]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let totals = [head] + rows.map { name, counts in [name] + counts.map { Self.number(count($0, in: families)) } }
        guard before != nil else { return Self.aligned(totals) }
        let rates = [speeds.map { "\($0)/s" }] + rows.map { $0.1.compactMap(speed) }
        let lines = Self.aligned(zip(totals, rates).map { $0 + $1 })
        guard lines.contains(where: { $0.utf8.count >= columns }) else { return lines }
        let below = zip(totals, [speeds] + rates.dropFirst()).enumerated().map { index, row in
            [(row.0.first ?? "") + (index == 0 ? "/s" : "")] + row.1
        }
        return Self.aligned(totals) + Self.aligned(below)
    }

    private func count(_ count: Count, in families: [MetricFamily]) -> Double {
        let wanted = count.labels.map { MetricFamily.Label($0.0, $0.1) }.sorted()
        return families[count.name]?.series.first { $0.labels == wanted }?.number ?? 0
    }

    private func speed(_ count: Count) -> String? {
        guard let before, before.seconds > 0 else { return before == nil ? nil : "-" }
        let speed = (self.count(count, in: families) - self.count(count, in: before.families)) / before.seconds
        return Self.number(max(0, speed).rounded(tenths: speed < 100))
    }

    private var sync: String? {
        guard let caughtUp = families.number("lattice_sync_caught_up") else { return nil }
        let missing = families.number("lattice_sync_missing") ?? 0
        let compared = families.number("lattice_sync_comparisons_total") ?? 0
        let lack = missing > 0 ? "\(Self.counted(missing, "record")) missing" : "not started yet"
        let state = caughtUp > 0 ? "caught up" : lack
        return "sync: \(state); \(Self.counted(compared, "comparison"))"
    }

    private var store: String? {
        guard let file = families.number("lattice_store_file_bytes"), file > 0 else { return nil }
        func sum(_ name: String) -> Double { (families[name]?.series ?? []).compactMap(\.number).reduce(0, +) }
        let records = Self.counted(sum("lattice_store_records"), "record")
        let quota = families.number("lattice_store_quota_bytes") ?? 0
        let expired = families.number("lattice_store_expired_total") ?? 0
        let evicted = families.number("lattice_store_evicted_total") ?? 0
        return
            "store: \(records), \(Self.bytes(sum("lattice_store_bytes"))) of \(Self.bytes(quota)), "
            + "\(Self.bytes(file)) on disk; \(Self.number(expired)) expired, \(Self.number(evicted)) evicted"
    }

    private var loop: String? {
        guard case .histogram(let lag)? = families["lattice_event_loop_lag_seconds"]?.series.first?.value, lag.count > 0
        else { return nil }
        func bound(_ share: Double) -> String {
            lag.bound(of: share).map { "at most \(Self.number($0 * 1_000)) ms" } ?? "longer than is measured"
        }
        return "loop delay: median \(bound(0.5)), 99th percentile \(bound(0.99)); \(lag.count) samples"
    }

    private var process: String? {
        guard let memory = families.number("process_resident_memory_bytes") else { return nil }
        var parts = ["\(Self.bytes(memory)) memory"]
        if let open = families.number("process_open_fds") {
            let most = families.number("process_max_fds").map { " of \(Self.number($0))" } ?? ""
            parts.append("\(Self.number(open))\(most) files open")
        }
        let name = "process_cpu_seconds_total"
        if let used = families.number(name) {
            var text = "\(Self.number(used.rounded(tenths: true))) s CPU time"
            if let before, before.seconds > 0, let earlier = before.families.number(name) {
                text += " (\(Self.number(max(0, (used - earlier) / before.seconds * 100).rounded(tenths: true))) %)"
            }
            parts.append(text)
        }
        return "process: \(parts.joined(separator: ", "))"
    }

    private static func number(_ value: Double) -> String { Exposition.written(value) }

    private static func counted(_ value: Double, _ one: String) -> String { ItemPhrases.counted(whole(value), one) }

    private static func bytes(_ count: Double) -> String { StoreLines.bytes(whole(count)) }

    /// The value comes from another process, perhaps of another version.
    private static func whole(_ value: Double) -> Int { Int(exactly: value.rounded()) ?? .max }

    /// Aligns the first column left and the others right.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].utf8.count }.max() ?? 0 }
        return rows.enumerated().map { index, row in
            zip(row, widths).enumerated().map { column, cell in
                let blanks = String(repeating: " ", count: cell.1 - cell.0.utf8.count)
                guard column == 0 else { return blanks + cell.0 }
                return index == 0 ? "\(cell.0)\(blanks)  " : "  \(cell.0)\(blanks)"
            }.joined(separator: "  ")
        }
    }
}

extension Double {
    fileprivate func rounded(tenths: Bool) -> Double { tenths ? (self * 10).rounded() / 10 : rounded() }
}

extension MetricFamily {
    /// The plain value if there are no labels; else a list of objects with the labels and a `value`.
    var json: JSONLine.Value {
        if series.count == 1, let only = series.first, only.labels.isEmpty { return Self.json(only.value) }
        return .list(
            series.map { series in
                .object(
                    JSONLine(series.labels.map { ($0.name, .text($0.value)) } + [("value", Self.json(series.value))]))
            })
    }

    private static func json(_ value: Value) -> JSONLine.Value {
        switch value {
        case .number(let number): self.json(number)
        case .histogram(let histogram):
            .object(
                JSONLine([
                    ("count", .integer(histogram.count)), ("sum", .number(histogram.sum)),
                    (
                        "buckets",
                        .list(
                            histogram.buckets.map {
                                .object(JSONLine([("up_to", json($0.upTo)), ("count", .integer($0.count))]))
                            })
                    ),
                ]))
        }
    }

    private static func json(_ number: Double) -> JSONLine.Value {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
}

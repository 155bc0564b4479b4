import Foundation
import LatticeAPI
import LatticeCore
import LatticeMetrics
import Testing

@testable import LatticeChat

/// What a node has open and what it turned down, as people and programs read it.
@Suite struct StatsTests {
    private func stats(_ refused: (RefusalReason, Int)...) -> NodeStats {
        var counts = RefusalCounts()
        for (reason, count) in refused { counts.add(reason, count) }
        return NodeStats(
            links: 1, incoming: 20, outgoing: 2, halfOpen: 16, addresses: 3, waitingBytes: 4_096, waitingRecords: 0,
            refused: counts)
    }

    @Test func peopleReadWhatWasTurnedDownAndWhy() {
        let rendered = Samples.plainRenderer.render(.reply(.stats(stats((.faults, 2), (.handshakeRate, 31)))))
        #expect(
            rendered.error == [
                "links: 1; connections: 20 in (16 half open, 3 recent addresses), 2 out",
                "queued: 4096 bytes to send, 0 records held back for busy links",
                "refused:",
                "  31 connections: too many handshakes lately",
                "  2 links: protocol violated",
            ])
    }

    @Test func whereNothingWasTurnedDownThatIsSaid() {
        #expect(Samples.plainRenderer.render(.reply(.stats(stats()))).error.last == "refused: nothing")
    }

    @Test func programsReadAnObject() {
        #expect(
            JSONRenderer().render(.reply(.stats(stats((.halfOpen, 7), (.unasked, 1))))).output == [
                "{\"event\":\"node_stats\",\"links\":1,\"incoming\":20,\"outgoing\":2,\"half_open\":16,\"addresses\":3,"
                    + "\"waiting_bytes\":4096,\"waiting_records\":0,\"refused\":{\"half_open\":7,\"unasked\":1}}"
            ])
    }

    @Test func everyReasonHasWords() {
        let all = RefusalReason.allCases.map { ($0, 1) }
        var counts = RefusalCounts()
        for (reason, count) in all { counts.add(reason, count) }
        let stats = NodeStats(
            links: 0, incoming: 0, outgoing: 0, halfOpen: 0, addresses: 0, waitingBytes: 0, waitingRecords: 0,
            refused: counts)
        #expect(Set(StatsLines.lines(stats)).count == 3 + all.count)
    }
}

/// What a node counts, as people and programs read it.
@Suite struct CountTests {
    private func families(records: Double = 3, cpu: Double = 12.5) -> [MetricFamily] {
        func series(_ labels: [(String, String)], _ value: Double) -> MetricFamily.Series {
            .init(labels.map { .init($0.0, $0.1) }, .number(value))
        }
        return [
            MetricFamily(
                "lattice_frames_received_total", .counter, "",
                [series([("type", "record")], records), series([("type", "ping")], 0), series([("type", "have")], 12)]),
            MetricFamily(
                "lattice_frames_sent_total", .counter, "",
                [series([("type", "record")], 1_000), series([("type", "ping")], 0), series([("type", "have")], 0)]),
            MetricFamily(
                "lattice_records_total", .counter, "",
                [
                    series([("kind", "chat"), ("way", "heard")], records),
                    series([("kind", "chat"), ("way", "said")], 1),
                    series([("kind", "post"), ("way", "said")], 0),
                ]),
            MetricFamily(
                "lattice_queue_depth", .gauge, "", [series([("queue", "keep")], 7), series([("queue", "serve")], 0)]),
            MetricFamily(
                "lattice_queue_age_seconds", .gauge, "",
                [series([("queue", "keep")], 1.25), series([("queue", "serve")], 0)]),
            MetricFamily("lattice_sync_caught_up", .gauge, "", 0),
            MetricFamily("lattice_sync_missing", .gauge, "", 4),
            MetricFamily("lattice_sync_comparisons_total", .counter, "", 9),
            MetricFamily("lattice_store_file_bytes", .gauge, "", 4_096),
            MetricFamily("lattice_store_quota_bytes", .gauge, "", 1_048_576),
            MetricFamily("lattice_store_records", .gauge, "", [series([("kind", "chat")], 4)]),
            MetricFamily("lattice_store_bytes", .gauge, "", [series([("kind", "chat")], 1_000)]),
            MetricFamily("lattice_store_expired_total", .counter, "", 2),
            MetricFamily("lattice_store_evicted_total", .counter, "", 0),
            MetricFamily(
                "lattice_event_loop_lag_seconds", .histogram, "",
                [
                    .init(
                        [],
                        .histogram(
                            .init(
                                buckets: [.init(upTo: 0.001, count: 90), .init(upTo: 0.5, count: 98)], count: 100,
                                sum: 3)))
                ]),
            MetricFamily("process_resident_memory_bytes", .gauge, "", 27 * 1_048_576),
            MetricFamily("process_open_fds", .gauge, "", 31),
            MetricFamily("process_max_fds", .gauge, "", 1_024),
            MetricFamily("process_cpu_seconds_total", .counter, "", cpu),
        ]
    }

    private func stats(_ families: [MetricFamily]) -> NodeStats {
        NodeStats(
            links: 1, incoming: 2, outgoing: 0, halfOpen: 0, addresses: 0, waitingBytes: 0, waitingRecords: 0,
            refused: RefusalCounts(), families: families)
    }

    @Test func peopleReadAllThatIsCounted() {
        #expect(
            StatsLines.lines(stats(families())).dropFirst(2) == [
                "sync: 4 records missing; 9 comparisons",
                "store: 4 records, 1000 bytes of 1 MiB, 4 KiB on disk; 2 expired, 0 evicted",
                "loop delay: median at most 1 ms, 99th percentile longer than is measured; 100 samples",
                "process: 27 MiB memory, 31 of 1024 files open, 12.5 s CPU time",
                "refused: nothing",
                "queue    waiting  oldest",
                "  keep         7   1.3 s",
                "  serve        0       -",
                "records    said  heard  fetched",
                "  chat        1      3        0",
                "frames    received  sent",
                "  have          12     0",
                "  record         3  1000",
            ])
    }

    @Test func aSecondLookTellsHowFastThingsGo() {
        var page = StatsPage()
        _ = page.lines(stats(families()), at: 10)
        let lines = page.lines(stats(families(records: 8, cpu: 12.51)), at: 12)
        #expect(lines.contains("frames    received  sent  received/s  sent/s"))
        #expect(lines.contains("  record         8  1000         2.5       0"))
        #expect(lines.contains("  chat        1      8        0       0      2.5          0"))
        #expect(lines.contains { $0.hasSuffix("12.5 s CPU time (0.5 %)") })
        // A node that began anew in between.
        let anew = page.lines(stats(families(records: 0)), at: 13)
        #expect(anew.contains("  record         0  1000           0       0"))
    }

    /// Rates stand below the totals where there is no room beside them.
    @Test func aNarrowScreenBreaksNoLine() {
        var page = StatsPage()
        _ = page.lines(stats(families()), at: 10)
        let lines = page.lines(stats(families(records: 8, cpu: 12.51)), at: 12, columns: 40)
        #expect(lines.allSatisfy { $0.count < 40 }, "\(lines)")
        #expect(
            lines.contains("records    said  heard  fetched") && lines.contains("records/s    said  heard  fetched"))
        #expect(lines.contains("  chat          0    2.5        0"))
    }

    @Test func programsReadAllThatIsCounted() throws {
        let text = StatsPage.json(stats(families()))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let metrics = try #require(object["metrics"] as? [String: Any])
        #expect(metrics["lattice_sync_missing"] as? Int == 4)
        let records = try #require(metrics["lattice_records_total"] as? [[String: Any]])
        let heard = records.first { $0["kind"] as? String == "chat" && $0["way"] as? String == "heard" }
        #expect(heard?["value"] as? Int == 3)
        let lag = try #require(metrics["lattice_event_loop_lag_seconds"] as? [String: Any])
        #expect(lag["count"] as? Int == 100)
        #expect((lag["buckets"] as? [[String: Any]])?.last?["up_to"] as? Double == 0.5)
        #expect(Set(metrics.keys) == Set(families().map(\.name)))
    }
}

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMetrics
import LatticeWire
import MetricsTestKit
import Testing

@testable import LatticeNode

/// What a metrics backend receives.
@Suite(.timeLimit(.minutes(10))) struct MetricsTests {
    private func total(_ metrics: TestMetrics, _ label: String, _ dimensions: (String, String)...) -> Int64 {
        metrics.counterTotal(label: "lattice_\(label)", dimensions: dimensions)
    }

    private func gauge(_ metrics: TestMetrics, _ label: String, _ dimensions: (String, String)...) -> Double? {
        metrics.recorders(label: "lattice_\(label)", dimensions: dimensions).first?.lastValue
    }

    @Test func whatComesGoesAndIsTurnedDownIsCounted() async throws {
        let metrics = TestMetrics()
        let host = try await Chatter(try Home("alice"), metrics: metrics)
        let (witness, liar) = (try await Chatter.stranger(), try await Chatter.stranger())
        let series = metrics.counters.count + metrics.recorders.count
        try await host.run {
            try await witness.visit(await host.address) {
                try await eventually("a neighbour") { gauge(metrics, "links") == 1 }
                #expect(gauge(metrics, "connections", ("direction", "in")) == 1)
                #expect(gauge(metrics, "connections", ("direction", "out")) == 0)
                for text in ["one", "two"] { witness.say(try Speech.line(text, by: witness.identity)) }
                for record in ChatRig.lines(3, by: witness.identity) {
                    witness.say(.serve(ServedRecord(ageSeconds: 0, signed: record.signed)))
                }
                try await eventually("both lines") { host.heardTexts == ["one", "two"] }
                try await host.say("three")
                try await eventually("it is sent") { witness.heardLines == ["three"] }
                try await liar.visit(await host.address) {
                    let forged = try Speech.forged("a lie", as: Identity.generate())
                    liar.say(.record(RecordFrame(timeToLive: 4, hops: 1, signed: forged)))
                    try await eventually("it is sent away") { liar.closure != nil }
                }
                try await eventually("a second has gone by") {
                    total(metrics, "refused_total", ("reason", "faults")) == 1
                }
            }
        }
        #expect(total(metrics, "frames_received_total", ("type", "record")) == 3)
        #expect(total(metrics, "frames_received_total", ("type", "serve")) == 3)
        #expect(total(metrics, "frames_received_total", ("type", "invitation")) == 2)
        #expect(total(metrics, "frames_sent_total", ("type", "accept")) == 2)
        #expect(total(metrics, "frames_sent_total", ("type", "record")) >= 1)
        #expect(total(metrics, "records_total", ("kind", "chat"), ("way", "heard")) == 2)
        #expect(total(metrics, "records_total", ("kind", "chat"), ("way", "said")) == 1)
        #expect(total(metrics, "records_total", ("kind", "chat"), ("way", "fetched")) == 0)
        #expect(total(metrics, "refused_total", ("reason", "unasked")) == 3)
        // What strangers do makes no new series.
        #expect(metrics.counters.count + metrics.recorders.count == series)
        #expect(gauge(metrics, "links") == 0)
        for queue in ["backlog", "keep", "compare", "serve"] {
            #expect(gauge(metrics, "queue_depth", ("queue", queue)) == 0)
            #expect(gauge(metrics, "queue_age_seconds", ("queue", queue)) == 0)
        }
    }

    /// A counter that adds totals would count everything again every second.
    @Test func whatWasTurnedDownIsToldOnce() async throws {
        let metrics = TestMetrics()
        let host = try await Chatter(try Home("alice"), metrics: metrics)
        let stranger = try await Chatter.stranger()
        try await host.run {
            try await stranger.visit(await host.address) {
                for round in 1...3 {
                    for record in ChatRig.lines(2, by: stranger.identity) {
                        stranger.say(.serve(ServedRecord(ageSeconds: 0, signed: record.signed)))
                    }
                    try await eventually("they are notified") {
                        total(metrics, "refused_total", ("reason", "unasked")) >= Int64(2 * round)
                    }
                    #expect(total(metrics, "refused_total", ("reason", "unasked")) == Int64(2 * round))
                }
            }
        }
        #expect(total(metrics, "refused_total", ("reason", "unasked")) == 6)
    }

    /// A stranger cannot create series in a backend; and nothing is reported before `run`.
    @Test func everyReasonAndEveryFrameHasASeries() throws {
        let metrics = TestMetrics()
        _ = NodeMetrics(metrics)
        #expect(metrics.counters(label: "lattice_refused_total").count == RefusalReason.allCases.count)
        #expect(metrics.counters(label: "lattice_frames_sent_total").count == Frame.TypeNumber.allCases.count)
        #expect(metrics.counters.allSatisfy { $0.totalValue == 0 })
    }

    /// A request for metrics gets the present values of this process.
    @Test func whoeverAsksIsToldAllThatIsCounted() async throws {
        let registry = MetricRegistry(NodeMetrics.descriptions)
        let host = try await Chatter(try Home("alice"), metrics: registry)
        let witness = try await Chatter.stranger()
        try await host.run {
            try await witness.visit(await host.address) {
                witness.say(try Speech.line("one", by: witness.identity))
                try await eventually("it is heard and kept") {
                    try await host.stats().families.number("lattice_store_records", ("kind", "chat")) == 1
                }
                let stats = try await host.stats()
                let families = stats.families
                #expect(families.number("lattice_links") == 1 && stats.links == 1)
                #expect(families.number("lattice_records_total", ("kind", "chat"), ("way", "heard")) == 1)
                #expect((families.number("lattice_store_file_bytes") ?? 0) > 0)
                #expect(families.number("lattice_sync_caught_up") != nil)
                try await eventually("the loop was looked at") {
                    let lag = try await host.stats().families["lattice_event_loop_lag_seconds"]
                    guard case .histogram(let histogram)? = lag?.series.first?.value else { return false }
                    return histogram.count > 0
                }
            }
        }
    }

    @Test func everythingThatIsToldIsDescribedAndTheOtherWayRound() {
        let registry = MetricRegistry(NodeMetrics.descriptions)
        _ = NodeMetrics(registry)
        let told = registry.families().filter { $0.name != "lattice_metrics_lost_total" }
        #expect(Set(told.map(\.name)) == Set(NodeMetrics.descriptions.map(\.name)))
        #expect(told.allSatisfy { !$0.help.isEmpty })
        #expect(registry.families().reduce(0) { $0 + $1.series.count } < MetricRegistry.seriesMaxUsual / 4)
    }
}

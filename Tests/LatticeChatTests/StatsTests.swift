import LatticeAPI
import LatticeCore
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
                "open: 1 link; 20 connections in (16 of them half open, from 3 addresses lately), 2 out",
                "waiting: 4096 bytes on links, 0 records for busy ones",
                "turned down:",
                "  31 connections, since too many handshakes had begun lately",
                "  2 links, which broke the protocol",
            ])
    }

    @Test func whereNothingWasTurnedDownThatIsSaid() {
        #expect(Samples.plainRenderer.render(.reply(.stats(stats()))).error.last == "turned down: nothing")
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

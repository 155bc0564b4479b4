import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeChat

/// How bridges are shown.
@Suite struct BridgeLinesTests {
    private static func output(_ bridges: [BridgeReport], isCrossing: Bool = true) -> CommandOutput {
        BridgeLines.output(ShowBridges.Reply(bridges, isCrossing: isCrossing), CommandContext(now: Samples.at))
    }

    private static let complete: BridgeReport = {
        var bridge = BridgeReport(
            BridgeEngine(.nats), broker: "nats://broker:4222", isConnected: true, isComplete: true)
        (bridge.behindIn, bridge.behindOut) = (0, 0)
        bridge.taken = .init(added: 4, known: 3, expired: 2, refused: 1)
        bridge.published = .init(stored: 7, known: 1)
        return bridge
    }()

    @Test func whoHasEverythingIsShort() {
        let output = Self.output([Self.complete])
        #expect(
            output.lines == [
                "bridge nats to nats://broker:4222: connected; both sides have everything",
                "  in: 4 added, 3 known, 2 expired, 1 refused", "  out: 7 added, 1 known",
            ])
        #expect(output.remarks.isEmpty)
    }

    @Test func whatIsInTheWayIsSaid() throws {
        var lost = Self.complete
        (lost.isConnected, lost.isComplete, lost.lostAt) = (false, false, Samples.at)
        lost.obstacleIn = .init(.unreachable, "no answer")
        lost.obstacleOut = lost.obstacleIn
        (lost.behindIn, lost.behindOut, lost.published.repeated) = (nil, 12, 5)
        let time = LocalCalendar.utc.text(Samples.at)
        #expect(
            Self.output([lost]).lines == [
                "bridge nats to nats://broker:4222: not reachable since \(time)",
                "  in: 4 added, 3 known, 2 expired, 1 refused",
                "  out: 7 added, 1 known, 5 sent again; behind by 12 records", "  nothing crosses: no answer",
            ])
        var slow = Self.complete
        slow.isComplete = false
        (slow.behindIn, slow.behindOut, slow.isMoreBehindOut) = (1, 8_114, true)
        slow.obstacleOut = .init(.full, "a stream has no space")
        slow.clockAhead = .seconds(-94)
        #expect(
            Self.output([slow]).lines == [
                "bridge nats to nats://broker:4222: connected",
                "  in: 4 added, 3 known, 2 expired, 1 refused; behind by 1 record",
                "  out: 7 added, 1 known; behind by more than 8114 records",
                "  nothing goes out: the broker is full: a stream has no space",
                "  your clock is 94 s behind the broker's",
            ])
        slow.obstacleIn = .init(.refused, "the\u{1B}[2J login")
        slow.clockAhead = .seconds(60)
        let lines = Self.output([slow]).lines
        #expect(lines.contains { $0.hasPrefix("  nothing comes in: the broker refuses: the") })
        #expect(!lines.contains { $0.contains("\u{1B}") || $0.contains("clock") })
        let first = try #require(Self.output([slow, lost]).json.first)
        for member in [
            ##""event":"bridge""##, ##""engine":"nats""##, ##""connected":true"##, ##""behind_out":8114"##,
            ##""obstacle_out":{"code":"full","message":"a stream has no space"}"##, ##""clock_ahead_s":60.0"##,
            ##""lost_at":null"##, ##""refused_in":1"##,
        ] { #expect(first.contains(member), "\(first)") }
    }

    @Test func nobodysBridgesAndNobodysWordAreSaid() {
        let none = Self.output([], isCrossing: false)
        #expect(none.lines.isEmpty && none.remarks.count == 2)
        #expect(none.remarks.last == "Nobody here lets anything cross. To allow it: lattice bridge allow")
        #expect(none.json == [##"{"event":"bridges","count":0,"anybody_crosses":false}"##])
        #expect(Self.output([]).remarks == ["No bridge runs beside this node. To start one: lattice-bridge --help"])
        let starting = Self.output([BridgeReport(BridgeEngine(.mqtt))], isCrossing: false)
        #expect(starting.lines.first == "bridge mqtt: connecting" && starting.remarks.count == 1)
    }
}

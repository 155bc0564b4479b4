import LatticeAPI
import LatticeCore
import Testing

@testable import LatticeDoctor

/// Bridges beside the node.
@Suite struct BridgeDiagnosisTests {
    private static func facts(_ bridges: [BridgeReport], isCrossing: Bool = true) -> Facts {
        var facts = Case.met
        facts.node?.peers = [Case.linked]
        facts.node?.bridges = ShowBridges.Reply(bridges, isCrossing: isCrossing)
        return facts
    }

    private static var connected: BridgeReport { BridgeReport(BridgeEngine(.nats), isConnected: true) }

    private static func bridge(_ change: (inout BridgeReport) -> Void) -> Facts {
        var bridge = connected
        change(&bridge)
        return facts([bridge])
    }

    private static func check(_ facts: Facts) -> String? {
        let checks = Diagnosis(facts).checks.filter { $0.subject == .bridge }
        return checks.first.map { "\($0.state) \($0.text)" }
    }

    @Test func aCompleteBridgeIsWell() {
        let facts = Self.bridge { $0.isComplete = true }
        #expect(Diagnosis(facts).verdict == .well && Diagnosis(facts).findings.isEmpty)
        #expect(Self.check(facts) == "good bridge nats: connected, both sides have everything")
        #expect(Self.check(Self.facts([])) == nil)
    }

    @Test func aBrokerThatIsAwayIsInTheWay() throws {
        let now = try #require(Case.quiet.machine.clock)
        func lost(_ minutes: Int64) -> Facts {
            Self.bridge { bridge in
                (bridge.isConnected, bridge.obstacleIn) = (false, .init(.unreachable, "no answer"))
                bridge.obstacleOut = bridge.obstacleIn
                bridge.lostAt = WallTime(milliseconds: now.milliseconds - minutes * 60_000)
            }
        }
        let diagnosis = Diagnosis(lost(12))
        #expect(diagnosis.verdict == .hindered && diagnosis.findings.map(\.code) == [.bridgeLost])
        #expect(diagnosis.summary == "the nats bridge does not reach its broker for 12 min: no answer")
        #expect(Self.check(lost(0)) == "bad bridge nats: not reachable")
        #expect(Self.check(lost(300)) == "bad bridge nats: not reachable for 5 h")
        #expect(Self.check(lost(5_000)) == "bad bridge nats: not reachable for 3 days")
    }

    @Test func eachObstacleHasItsFinding() {
        func judged(_ code: BridgeReport.Obstacle.Code) -> [String] {
            let facts = Self.bridge { $0.obstacleOut = .init(code, "so it is") }
            return Diagnosis(facts).findings.map { "\($0.severity) \($0.code.rawValue)" }
        }
        #expect(judged(.refused) == ["hinders bridgeRefused"] && judged(.settings) == ["hinders bridgeRefused"])
        #expect(judged(.full) == ["hinders bridgeFull"] && judged(.unreachable) == ["hinders bridgeLost"])
        #expect(judged(.nodeBusy).isEmpty && judged(.other).isEmpty)
    }

    @Test func whoIsBehindIsCatchingUp() {
        let facts = Self.bridge { ($0.behindIn, $0.behindOut) = (8_114, 1) }
        #expect(Diagnosis(facts).verdict == .well)
        #expect(Self.check(facts) == "open bridge nats: connected, behind by 8114 records in, 1 record out")
        let more = Self.bridge { ($0.behindOut, $0.isMoreBehindOut) = (16_000, true) }
        #expect(Self.check(more) == "open bridge nats: connected, behind by more than 16000 records out")
        #expect(Self.check(Self.facts([Self.connected])) == "open bridge nats: connected")
    }

    @Test func clocksAndSilenceAreNoted() {
        #expect(Diagnosis(Self.bridge { $0.clockAhead = .seconds(60) }).findings.isEmpty)
        let late = Diagnosis(Self.bridge { $0.clockAhead = .seconds(-94) })
        #expect(late.verdict == .well && late.findings.map(\.code) == [.bridgeClock])
        #expect(late.findings.first?.text == "your clock is 94 s behind the broker's of the nats bridge")
        let silent = Self.facts([Self.connected], isCrossing: false)
        #expect(Diagnosis(silent).findings.map(\.code) == [.nothingCrosses])
        #expect(DoctorReport(Diagnosis(silent), isChat: true).lines.contains("  → /bridge allow"))
        #expect(Diagnosis(Self.facts([], isCrossing: false)).findings.isEmpty)
    }
}

import LatticeAPI
import LatticeCore

/// What stands in the way of programs that copy records between the node and brokers.
struct BridgeDiagnosis {
    private static let clockMax: Duration = .seconds(60)

    private let bridges: [BridgeReport]
    private let now: WallTime?
    private(set) var findings: [Finding] = []

    init(_ facts: Facts) {
        (bridges, now) = (facts.node?.bridges?.bridges ?? [], facts.machine.clock)
        for bridge in bridges {
            for obstacle in [bridge.obstacleIn, bridge.obstacleOut].compactMap(\.self) { judge(bridge, obstacle) }
            judgeClock(of: bridge)
        }
        guard facts.node?.bridges?.isCrossing == false, !bridges.isEmpty else { return }
        add(
            .notes, .nothingCrosses, "a bridge runs, but nobody here lets anything cross it",
            remedy: "lattice bridge allow")
    }

    private mutating func add(
        _ severity: Finding.Severity, _ code: Finding.Code, _ text: String, remedy: String
    ) {
        findings.append(Finding(severity, code, text, remedy: remedy))
    }

    private mutating func judge(_ bridge: BridgeReport, _ obstacle: BridgeReport.Obstacle) {
        let (name, why) = ("\(bridge.engine.codedText) bridge", DisplayText.safe(obstacle.words))
        let code: Finding.Code
        let finding: (text: String, remedy: String)
        switch obstacle.code {
        case .unreachable:
            code = .bridgeLost
            finding = (
                "the \(name) does not reach its broker\(length(of: bridge)): \(why)",
                "check that the broker runs, and the network; the bridge tries again on its own"
            )
        case .refused, .settings:
            code = .bridgeRefused
            finding = (
                "the broker refuses the \(name): \(why)",
                "check the login and its permissions at the broker, and the settings of its streams"
            )
        case .full:
            code = .bridgeFull
            finding = (
                "the broker of the \(name) is full: \(why)", "give it more space; nothing is lost meanwhile"
            )
        case .nodeBusy, .other: return
        }
        // Once for both ways.
        guard !findings.contains(where: { $0.code == code && $0.text == finding.text }) else { return }
        add(.hinders, code, finding.text, remedy: finding.remedy)
    }

    /// ` for 12 min`; empty if it is unknown, or shorter.
    private func length(of bridge: BridgeReport) -> String {
        guard let since = bridge.lostAt, let now else { return "" }
        let minutes = (now.milliseconds - since.milliseconds) / 60_000
        switch minutes {
        case ..<1: return ""
        case ..<120: return " for \(minutes) min"
        case ..<2_880: return " for \(minutes / 60) h"
        default: return " for \(minutes / 1_440) days"
        }
    }

    private mutating func judgeClock(of bridge: BridgeReport) {
        guard let ahead = bridge.clockAhead, ahead.length > Self.clockMax else { return }
        let seconds = ahead.components.seconds
        add(
            .notes, .bridgeClock,
            "your clock is \(seconds.magnitude) s \(seconds < 0 ? "behind" : "ahead of") the broker's of the \(bridge.engine.codedText) bridge",
            remedy: "check which clock is wrong ('date' shows yours), and set it: timedatectl set-ntp true")
    }

    var checks: [Check] {
        bridges.map { bridge in
            let state: Check.State = !bridge.isConnected ? .bad : bridge.isComplete ? .good : .open
            return Check(subject: .bridge, state: state, text: "\(bridge.label): \(words(bridge))")
        }
    }

    private func words(_ bridge: BridgeReport) -> String {
        guard bridge.isConnected else {
            return bridge.lostAt == nil ? "not connected" : "not reachable\(length(of: bridge))"
        }
        guard !bridge.isComplete else { return "connected, both sides have everything" }
        let behind = [
            bridge.behindIn.map { "\(Told.count($0, "record")) in" },
            bridge.behindOut.map { "\(bridge.isMoreBehindOut ? "more than " : "")\(Told.count($0, "record")) out" },
        ].compactMap(\.self)
        return "connected" + (behind.isEmpty ? "" : ", behind by \(behind.joined(separator: ", "))")
    }
}

extension BridgeReport {
    /// `bridge nats`.
    fileprivate var label: String { "bridge \(engine.codedText)" }
}

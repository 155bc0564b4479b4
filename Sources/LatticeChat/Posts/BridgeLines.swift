package import LatticeAPI
import LatticeCore

/// The bridges beside a node, for people and programs.
package enum BridgeLines {
    /// Smaller differences have many harmless causes.
    private static let clockMax: Duration = .seconds(60)

    package static func output(_ status: ShowBridges.Reply, _ context: CommandContext) -> CommandOutput {
        let objects = status.bridges.map(object) + [crossing(status)]
        let remarks =
            status.isCrossing ? [] : ["Nobody here lets anything cross. To allow it: \(context.call("bridge allow"))"]
        guard !status.bridges.isEmpty else {
            return CommandOutput(
                [], remarks: ["No bridge runs beside this node. To start one: lattice-bridge --help"] + remarks,
                objects: objects)
        }
        return CommandOutput(status.bridges.flatMap { lines($0, context) }, remarks: remarks, objects: objects)
    }

    private static func lines(_ bridge: BridgeReport, _ context: CommandContext) -> [String] {
        let broker = bridge.broker.map { " to \(DisplayText.isolated($0))" } ?? ""
        let (taken, published) = (bridge.taken, bridge.published)
        let again = published.repeated > 0 ? ", \(published.repeated) sent again" : ""
        let lines =
            [
                "in: \(taken.added) added, \(taken.known) known, \(taken.expired) expired, \(taken.refused) refused"
                    + behind(bridge.behindIn)
            ]
            + [
                "out: \(published.stored) added, \(published.known) known\(again)"
                    + behind(bridge.behindOut, isMore: bridge.isMoreBehindOut)
            ]
            + obstacles(bridge) + clock(bridge)
        return ["bridge \(bridge.engine.codedText)\(broker): \(state(bridge, context))"]
            + lines.flatMap { ItemLines.wrapped($0, indent: 2, context) }
    }

    private static func state(_ bridge: BridgeReport, _ context: CommandContext) -> String {
        if let since = bridge.lostAt { return "not reachable since \(context.calendar.text(since))" }
        guard bridge.isConnected else { return bridge.obstacleIn == nil ? "connecting" : "not connected" }
        return bridge.isComplete ? "connected; both sides have everything" : "connected"
    }

    private static func behind(_ count: Int?, isMore: Bool = false) -> String {
        guard let count, count > 0 || isMore else { return "" }
        return "; behind by \(isMore ? "more than " : "")\(ItemPhrases.counted(count, "record"))"
    }

    /// The same reason for both ways is said once.
    private static func obstacles(_ bridge: BridgeReport) -> [String] {
        let (inward, outward) = (bridge.obstacleIn, bridge.obstacleOut)
        guard inward != outward else { return inward.map { ["nothing crosses: \(words($0))"] } ?? [] }
        return [inward.map { "nothing comes in: \(words($0))" }, outward.map { "nothing goes out: \(words($0))" }]
            .compactMap(\.self)
    }

    private static func words(_ obstacle: BridgeReport.Obstacle) -> String {
        let why = DisplayText.safe(obstacle.words)
        return switch obstacle.code {
        case .refused: "the broker refuses: \(why)"
        case .full: "the broker is full: \(why)"
        case .unreachable, .settings, .nodeBusy, .other: why
        }
    }

    private static func clock(_ bridge: BridgeReport) -> [String] {
        guard let ahead = bridge.clockAhead, max(ahead, .zero - ahead) > clockMax else { return [] }
        let seconds = ahead.components.seconds
        return ["your clock is \(seconds.magnitude) s \(seconds < 0 ? "behind" : "ahead of") the broker's"]
    }

    private static func object(_ bridge: BridgeReport) -> JSONLine {
        func obstacle(_ obstacle: BridgeReport.Obstacle?) -> JSONLine.Value {
            obstacle.map { .object(JSONLine([("code", .text($0.code.rawValue)), ("message", .text($0.words))])) }
                ?? .null
        }
        return JSONLine([
            ("event", .text("bridge")), ("engine", .text(bridge.engine.codedText)), ("broker", .text(bridge.broker)),
            ("started_at", .text(bridge.startedAt.map { RFC3339.string($0) })),
            ("connected", .flag(bridge.isConnected)), ("complete", .flag(bridge.isComplete)),
            ("lost_at", .text(bridge.lostAt.map { RFC3339.string($0) })), ("obstacle_in", obstacle(bridge.obstacleIn)),
            ("obstacle_out", obstacle(bridge.obstacleOut)), ("behind_in", .integer(bridge.behindIn)),
            ("behind_out", .integer(bridge.behindOut)), ("more_behind_out", .flag(bridge.isMoreBehindOut)),
            ("added_in", .integer(bridge.taken.added)), ("known_in", .integer(bridge.taken.known)),
            ("expired_in", .integer(bridge.taken.expired)), ("refused_in", .integer(bridge.taken.refused)),
            ("added_out", .integer(bridge.published.stored)), ("known_out", .integer(bridge.published.known)),
            ("repeated_out", .integer(bridge.published.repeated)),
            ("clock_ahead_s", bridge.clockAhead.map { .number(Double($0.components.seconds)) } ?? .null),
        ])
    }

    private static func crossing(_ status: ShowBridges.Reply) -> JSONLine {
        JSONLine([
            ("event", .text("bridges")), ("count", .integer(status.bridges.count)),
            ("anybody_crosses", .flag(status.isCrossing)),
        ])
    }
}

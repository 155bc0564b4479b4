import LatticeAPI
import LatticeCore

extension ShowBridges.Reply {
    var json: JSON {
        ["bridges": .list(bridges.map(\.json)), "anybody_crosses": .flag(isCrossing)]
    }

    static let schema = JSONSchema.object(
        ("bridges", JSONSchema.list(BridgeReport.schema)), ("anybody_crosses", JSONSchema.flag))
}

extension BridgeReport {
    fileprivate var json: JSON {
        [
            "engine": .text(engine.codedText), "broker": .text(broker), "started_at": startedAt?.json,
            "connected": .flag(isConnected), "complete": .flag(isComplete), "lost_at": lostAt?.json,
            "obstacle_in": obstacleIn?.json, "obstacle_out": obstacleOut?.json, "behind_in": .integer(behindIn),
            "behind_out": .integer(behindOut), "more_behind_out": .flag(isMoreBehindOut),
            "in": [
                "added": .integer(taken.added), "known": .integer(taken.known), "expired": .integer(taken.expired),
                "refused": .integer(taken.refused),
            ],
            "out": [
                "added": .integer(published.stored), "known": .integer(published.known),
                "repeated": .integer(published.repeated),
            ],
            "clock_ahead_s": clockAhead.map { .number(Double($0.components.seconds)) },
        ]
    }

    fileprivate static let schema = JSONSchema.object(
        ("engine", JSONSchema.text), ("broker?", JSONSchema.text), ("started_at?", JSONSchema.date),
        ("connected", JSONSchema.flag), ("complete", JSONSchema.flag), ("lost_at?", JSONSchema.date),
        ("obstacle_in?", Obstacle.schema), ("obstacle_out?", Obstacle.schema), ("behind_in?", JSONSchema.integer),
        ("behind_out?", JSONSchema.integer), ("more_behind_out", JSONSchema.flag),
        (
            "in",
            JSONSchema.object(
                ("added", JSONSchema.integer), ("known", JSONSchema.integer), ("expired", JSONSchema.integer),
                ("refused", JSONSchema.integer))
        ),
        (
            "out",
            JSONSchema.object(
                ("added", JSONSchema.integer), ("known", JSONSchema.integer), ("repeated", JSONSchema.integer))
        ), ("clock_ahead_s?", JSONSchema.number))
}

extension BridgeReport.Obstacle {
    fileprivate var json: JSON { ["code": .text(code.rawValue), "message": .text(words)] }

    fileprivate static let schema = JSONSchema.object(
        ("code", JSONSchema.one(of: Code.allCases.map(\.rawValue))), ("message", JSONSchema.text))
}

package import LatticeAPI
import LatticeCore

/// What may cross bridges, for people and programs.
package enum CrossingLines {
    package static func output(_ crossing: Crossing, _ context: CommandContext) -> CommandOutput {
        guard crossing.allows else {
            return CommandOutput(
                ["Nothing of yours may cross a bridge to another network."],
                remarks: [remark(crossing, context)], objects: [object(crossing)])
        }
        var lines = ["Your posts, comments, likes, profile and private messages may cross bridges to other networks."]
        if crossing.rooms.isEmpty {
            lines.append("Your lines in rooms may not.")
        } else {
            let names = crossing.rooms.map { DisplayText.isolated($0.text) }.joined(separator: ", ")
            lines += ItemLines.wrapped("So may your lines in \(names).", indent: 0, context)
        }
        if let until = crossing.until { lines.append("This holds until \(RFC3339.string(until).prefix(10)).") }
        return CommandOutput(lines, objects: [object(crossing)])
    }

    private static func remark(_ crossing: Crossing, _ context: CommandContext) -> String {
        crossing.at == nil
            ? "To allow it: \(context.call("bridge allow"))"
            : "What has crossed already can stay at brokers for up to a year."
    }

    private static func object(_ crossing: Crossing) -> JSONLine {
        JSONLine([
            ("event", .text("crossing")), ("allows", .flag(crossing.allows)),
            ("rooms", .list(crossing.rooms.map { .text($0.text) })),
            ("at", .text(crossing.at.map { RFC3339.string($0) })),
            ("until", .text(crossing.until.map { RFC3339.string($0) })),
        ])
    }
}

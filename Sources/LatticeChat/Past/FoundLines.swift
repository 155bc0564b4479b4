package import LatticeAPI
import LatticeCore

/// Lines that were searched for, or that stand around one.
package enum FoundLines {
    /// With where each was said, and the digits by which `context` finds it.
    package static func list(_ lines: [FoundLine], _ context: CommandContext) -> [String] {
        rows(lines, context) { [context.calendar.text($0.at), place($0, context)] }
    }

    /// All of one room.
    package static func around(_ lines: [FoundLine], _ context: CommandContext) -> [String] {
        guard let first = lines.first else { return [] }
        return [context.styled(place(first, context), "1")] + rows(lines, context) { [context.calendar.text($0.at)] }
    }

    private static func rows(
        _ lines: [FoundLine], _ context: CommandContext, _ columns: (FoundLine) -> [String]
    ) -> [String] {
        let names = NamesInList(lines.map { ($0.name, $0.from) })
        let rows = lines.map { line in
            let text = MessageText.line(line.text) + (line.isEdited ? " (edited)" : "")
            return ItemRow(
                columns(line), text: "\(names.shown(line.name, line.from)): \(text)", id: line.short ?? "")
        }
        return ItemRow.lines(rows, indent: 2, context)
    }

    private static func place(_ line: FoundLine, _ context: CommandContext) -> String {
        switch line.conversation {
        case .room(let room): RoomLines.name(room, isPrivate: line.isPrivate)
        case .peer(let peer): "@\(peer.id?.short ?? "")"
        }
    }

    package static func object(_ line: FoundLine) -> JSONLine {
        var members: [(String, JSONLine.Value)] = [
            ("event", .text("found_line")), ("record", .text(line.record?.hex)),
        ]
        switch line.conversation {
        case .room(let room): members.append(("room", .text(room.text)))
        case .peer(let peer): members.append(("peer", .text(peer.id?.hex)))
        }
        return JSONLine(
            members + [
                ("from", .text(line.from.hex)), ("name", .text(line.name)), ("text", .text(line.text)),
                ("at", .text(RFC3339.string(line.at))), ("edited", .flag(line.isEdited)),
                ("private", .flag(line.isPrivate)),
            ])
    }
}

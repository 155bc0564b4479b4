package import LatticeAPI
package import LatticeCore

package enum HistoryLines {
    package static func output(_ page: HistoryPage, _ query: HistoryQuery, _ context: CommandContext) -> CommandOutput {
        guard !page.lines.isEmpty else { return .none(nothing(in: query.room)) }
        var output = CommandOutput(
            lines(page, context), objects: page.lines.map { JSONLine($0.members(isHistory: true)) })
        if page.hasMore, query.limit < HistoryQuery.limitMax {
            output.remarks = ["More: add -n \(wider(query.limit))"]
        }
        return output
    }

    package static func nothing(in room: RoomName) -> String {
        "No messages in \(DisplayText.isolated(room.text)) yet."
    }

    /// The limit to suggest for seeing more.
    static func wider(_ limit: Int) -> Int { min(limit * 2, HistoryQuery.limitMax) }

    /// With what was done to it, as in a pipe.
    private static func text(of line: Message) -> String {
        guard !line.isDeleted else { return "(\(Phrases.deleted))" }
        let answers = line.reply.map { "(to \($0.name?.text ?? "an earlier line")) " } ?? ""
        return answers + line.text + (line.isUrgent ? " (urgent)" : "") + (line.isEdited ? " (edited)" : "")
            + Phrases.reactions(line.reactions).map { " [\($0)]" }.joined()
    }

    /// A terminal gets day marks and text wrapped in a column; a pipe gets the date on each line.
    private static func lines(_ page: HistoryPage, _ context: CommandContext) -> [String] {
        let names = NamesInList(page.lines.map { ($0.name.text, $0.from) })
        let shown = page.lines.map { names.shown($0.name.text, $0.from) }
        guard context.isTerminal else {
            return zip(page.lines, shown).map { "\(context.calendar.text($0.at)) \(SpokenLine.text($0, $1))" }
        }
        var days = DayMarks(at: context.now, in: context.calendar)
        let column = PastColumns(zip(page.lines, shown).map { $0.style == .acts ? "* \($1)" : $1 })
        return zip(page.lines, shown).flatMap { message, name -> [String] in
            let mark = days.mark(before: message.at).map { [context.styled($0, "2")] } ?? []
            let shown = message.style == .acts ? "* \(name)" : name
            return mark + column.lines(message.at, shown, text(of: message), context)
        }
    }
}

package import LatticeAPI
package import LatticeCore

/// What was said in a room, as the shell prints it.
package enum HistoryLines {
    package static func output(_ page: HistoryPage, _ query: HistoryQuery, _ context: WallContext) -> WallOutput {
        guard !page.lines.isEmpty else { return .none(nothing(in: query.room)) }
        var output = WallOutput(lines(page, context), objects: page.lines.map { JSONLine($0.members(isHistory: true)) })
        if page.hasMore, query.limit < HistoryQuery.limitMax {
            output.remarks = ["there is more: add -n \(wider(query.limit))"]
        }
        return output
    }

    package static func nothing(in room: RoomName) -> String {
        "nothing that was said in \(DisplayText.isolated(room.text)) is kept here"
    }

    /// The number to ask for next.
    static func wider(_ limit: Int) -> Int { min(limit * 2, HistoryQuery.limitMax) }

    /// On a terminal the day stands between lines; in a pipe, where one thing is one line, in each.
    private static func lines(_ page: HistoryPage, _ context: WallContext) -> [String] {
        let names = NamesInList(page.lines.map { ($0.name.text, $0.from) })
        var days = DayMarks(at: context.now, in: context.calendar)
        return page.lines.flatMap { message -> [String] in
            let mark = days.mark(before: message.at).map { [context.styled($0, "2")] } ?? []
            let date = context.calendar.text(message.at)
            let time = context.isTerminal ? String(date.suffix(5)) : date
            let line =
                "\(context.styled(time, "2")) \(SpokenLine.text(message, names.shown(message.name.text, message.from)))"
            return (context.isTerminal ? mark : []) + [line]
        }
    }
}

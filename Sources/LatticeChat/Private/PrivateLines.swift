package import LatticeAPI
import LatticeCore

package enum PrivateLines {
    /// With fewer columns left, the last message goes below the name.
    private static let columnsMin = 20

    package static func output(_ lines: [PrivateMessage], limit: Int, _ context: CommandContext) -> CommandOutput {
        let shown = names(of: lines)
        var days = DayMarks(at: context.now, in: context.calendar)
        let column = PastColumns(zip(lines, shown).map { $0.isMine ? "→ \($1)" : $1 })
        let printed = zip(lines, shown).flatMap { message, name -> [String] in
            guard context.isTerminal else {
                return ["\(context.calendar.text(message.at)) \(PrivatePhrases.line(message, name))"]
            }
            let mark = days.mark(before: message.at).map { [context.styled($0, "2")] } ?? []
            let text = message.isDeleted ? "(\(Phrases.deleted))" : (message.style == .acts ? "* " : "") + message.text
            let edited = message.isEdited ? " (edited)" : ""
            let state = message.isDeleted ? "" : PrivatePhrases.mark(message).map { " \($0)" } ?? ""
            let answers = message.reply.map { "(to \(Phrases.answered($0))) " } ?? ""
            let given = Phrases.reactions(message.reactions).map { " [\($0)]" }.joined()
            let said = answers + text + edited + state + given
            return mark + column.lines(message.at, message.isMine ? "→ \(name)" : name, said, context)
        }
        var output = CommandOutput(printed, objects: lines.map(\.pastObject))
        if lines.count >= limit, limit < HistoryQuery.limitMax {
            output.remarks = ["More: add -n \(HistoryLines.wider(limit))"]
        }
        return output
    }

    /// The last line of each conversation. The names must be safe to show.
    package static func conversations(
        _ lines: [PrivateMessage], _ shown: [String], _ context: CommandContext
    ) -> CommandOutput {
        guard !lines.isEmpty else {
            let call = context.isChat ? "/msg NAME TEXT" : "lattice send PEER TEXT"
            return .none("No private messages yet. Write one: \(call)")
        }
        let today = context.calendar.text(context.now).prefix(10)
        let rows = zip(lines, shown).map { message, name in
            let date = context.calendar.text(message.at)
            return [name, date.hasPrefix(today) ? String(date.suffix(5)) : date]
        }
        let heads = TextTable.lines(rows)
        let width = heads.map { DisplayWidth.columns(of: $0) }.max() ?? 0
        let free = context.columns - 1 - width - 2
        let printed = zip(lines, heads).flatMap { message, head -> [String] in
            guard free < columnsMin, context.isTerminal else {
                return [TextTable.padded(head, to: width) + "  " + cut(said(message), to: free, context)]
            }
            return [head, "  " + cut(said(message), to: context.columns - 3, context)]
        }
        return CommandOutput(printed, objects: lines.map(\.pastObject))
    }

    /// The partners' names, with short ids if they look alike.
    package static func names(of lines: [PrivateMessage]) -> [String] {
        let names = NamesInList(lines.map { ($0.peerName?.text ?? "", $0.peer) })
        return lines.map { names.shown($0.peerName?.text ?? "", $0.peer) }
    }

    /// - Parameter shown: safe to show.
    package static func nothing(with shown: String) -> String {
        "No private messages with \(shown) yet."
    }

    private static func said(_ message: PrivateMessage) -> String {
        let text = message.isDeleted ? "(\(Phrases.deleted))" : DisplayText.isolated(message.text)
        let said = message.style == .acts ? "* \(text)" : text
        return message.isMine ? "→ \(said)\(message.state == .waiting ? " (waiting)" : "")" : said
    }

    /// A pipe gets one line a message, however long.
    private static func cut(_ text: String, to columns: Int, _ context: CommandContext) -> String {
        let columns = max(columns, columnsMin)
        guard context.isTerminal || context.isChat, DisplayWidth.columns(of: text) > columns else { return text }
        var kept = ""
        for character in text {
            guard DisplayWidth.columns(of: kept + String(character)) < columns else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}

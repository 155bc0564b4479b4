package import LatticeAPI
import LatticeCore

/// What was said between two, as lists of it are printed.
package enum PrivateLines {
    /// A last line is cut where a row would be wider than this on a screen.
    private static let columnsMin = 20

    /// The lines of one conversation.
    package static func output(_ lines: [PrivateMessage], limit: Int, _ context: WallContext) -> WallOutput {
        let names = NamesInList(lines.map { ($0.peerName?.text ?? "", $0.peer) })
        var days = DayMarks(at: context.now, in: context.calendar)
        let printed = lines.flatMap { message -> [String] in
            let mark = days.mark(before: message.at).map { [context.styled($0, "2")] } ?? []
            let date = context.calendar.text(message.at)
            let time = context.isTerminal ? String(date.suffix(5)) : date
            let line = PrivatePhrases.line(message, names.shown(message.peerName?.text ?? "", message.peer))
            return (context.isTerminal ? mark : []) + ["\(context.styled(time, "2")) \(line)"]
        }
        var output = WallOutput(printed, objects: lines.map(\.pastObject))
        if lines.count >= limit, limit < HistoryQuery.limitMax {
            output.remarks = ["there may be more: add -n \(HistoryLines.wider(limit))"]
        }
        return output
    }

    /// The last line of each conversation; the names are safe to be shown.
    package static func conversations(
        _ lines: [PrivateMessage], _ shown: [String], _ context: WallContext
    ) -> WallOutput {
        guard !lines.isEmpty else {
            let call = context.isChat ? "/msg NAME TEXT" : "lattice send PEER TEXT"
            return .none("you have talked with nobody alone yet: \(call)")
        }
        let today = context.calendar.text(context.now).prefix(10)
        let rows = zip(lines, shown).map { message, name in
            let date = context.calendar.text(message.at)
            return [name, date.hasPrefix(today) ? String(date.suffix(5)) : date]
        }
        let heads = TextTable.lines(rows)
        let width = heads.map { DisplayWidth.columns(of: $0) }.max() ?? 0
        let printed = zip(zip(lines, heads), heads).map { pair, head in
            let blanks = String(repeating: " ", count: width - DisplayWidth.columns(of: head) + 2)
            return head + blanks + cut(said(pair.0), to: context.columns - width - 2, context)
        }
        return WallOutput(printed, objects: lines.map(\.pastObject))
    }

    /// The names of those one talked with, told apart where they look alike.
    package static func names(of lines: [PrivateMessage]) -> [String] {
        let names = NamesInList(lines.map { ($0.peerName?.text ?? "", $0.peer) })
        return lines.map { names.shown($0.peerName?.text ?? "", $0.peer) }
    }

    /// - Parameter shown: safe to be shown.
    package static func nothing(with shown: String) -> String {
        "nothing that you and \(shown) said to each other alone is kept here"
    }

    private static func said(_ message: PrivateMessage) -> String {
        let text = DisplayText.isolated(message.text)
        let said = message.style == .acts ? "* \(text)" : text
        return message.isMine ? "→ \(said)\(message.state == .waiting ? " (waiting)" : "")" : said
    }

    /// In a pipe one thing is one line, however long.
    private static func cut(_ text: String, to columns: Int, _ context: WallContext) -> String {
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

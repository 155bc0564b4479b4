import LatticeAPI
package import LatticeCore
import Synchronization

/// For people at a terminal: columns for time, name and text, and a colour for each peer. Everything can be read
/// without colours.
package final class TerminalRenderer: Renderer {
    private enum Ink {
        static let dim = "2"
        static let strong = "1"
        static let heading = "1;36"
        static let hint = "36"
        static let room = "35"
        static let privately = "95"
        static let problem = "33"
        static let error = "31"
        static let alarm = "1;31"
    }

    private let me: PeerID
    private let hasColor: Bool
    private let isUTF8: Bool
    private let size: @Sendable () -> TerminalDevice.Size
    private let clock: @Sendable (WallTime) -> String
    private let names = Mutex(NameColumn())

    /// - Parameters:
    ///   - hasColor: whether there are colours and links.
    ///   - size: the current size of the terminal.
    ///   - clock: formats the local time of day.
    package init(
        me: PeerID, hasColor: Bool, isUTF8: Bool = true,
        size: @escaping @Sendable () -> TerminalDevice.Size = { TerminalDevice.Size(columns: 80, rows: 24) },
        clock: @escaping @Sendable (WallTime) -> String
    ) {
        self.me = me
        self.hasColor = hasColor
        self.isUTF8 = isUTF8
        self.size = size
        self.clock = clock
    }

    package func render(_ item: ChatItem) -> Rendered {
        switch item {
        case .message(let message, let shown, let isCurrentRoom, let isMention, let number):
            Rendered(
                output: line(spoken(message, shown, isCurrentRoom, isMention: isMention, number)), rings: isMention,
                alert: isMention
                    ? DesktopAlert(
                        "\(shown) in \(message.room.text): \(MessageText.line(message.text))",
                        isElsewhere: !isCurrentRoom)
                    : nil)
        case .past(let message, let shown, let isCurrentRoom, let isLate, let number):
            Rendered(output: line(past(message, shown, isCurrentRoom, isLate: isLate, number)))
        case .lineChanged(let change, let shown, let isCurrentRoom, let interest):
            switch change.kind {
            case .edited: Rendered(output: line(past(change.line, shown, isCurrentRoom, isLate: false)))
            case .deleted: deleted(change.line.at, shown, interest)
            case .reacted, .unreacted: reacted(item, interest, isGiven: change.kind == .reacted)
            }
        case .privateMessageChanged(let change, let shown, let interest):
            switch change.kind {
            case .edited: Rendered(output: line(privately(change.message, shown, isPast: true, isGoingOut: true)))
            case .deleted: deleted(change.message.at, shown, interest)
            case .reacted, .unreacted: reacted(item, interest, isGiven: change.kind == .reacted)
            }
        case .privateMessage(let message, let shown, let isPast, let isGoingOut, let number):
            Rendered(
                output: line(privately(message, shown, isPast: isPast, isGoingOut: isGoingOut, number)),
                rings: !message.isMine && !message.isLate && !isPast,
                alert: message.isMine || message.isLate || isPast
                    ? nil : DesktopAlert("\(shown): \(MessageText.line(message.text))", isElsewhere: true))
        case .sync, .privateState: Rendered()
        case .ready(let me, let arrival): Rendered(output: welcome(me, arrival))
        case .reply(let reply): answer(reply)
        case .privateOutcome(let outcome): notice(item, outcome.state == .lapsed ? Ink.problem : Ink.dim)
        case .day, .earlier: notice(item, Ink.dim, mark: "")
        case .peer, .presence, .missed, .caughtUp, .renamed, .me: notice(item, Ink.dim)
        case .posted, .latePosts, .manyNotifications, .pins, .pinned: notice(item, nil)
        case .notification: alerting(notice(item, nil, rings: true), item)
        case .invitation: notice(item, Ink.strong, rings: true)
        case .notice(let notice): self.notice(item, notice.level == .problem ? Ink.problem : Ink.dim)
        case .nameClash: notice(item, Ink.alarm, mark: "! ", rings: true)
        case .error: notice(item, Ink.error, mark: "! ")
        }
    }

    private func deleted(_ at: WallTime, _ shown: String, _ interest: ChatItem.LineInterest) -> Rendered {
        notice("\(interest == .myAct ? "you" : shown) deleted a line of \(clock(at))", Ink.dim)
    }

    private func reacted(_ item: ChatItem, _ interest: ChatItem.LineInterest, isGiven: Bool) -> Rendered {
        interest == .myLine && isGiven
            ? alerting(notice(item, nil, rings: true), item) : notice(item, interest == .myLine ? nil : Ink.dim)
    }

    private func alerting(_ rendered: Rendered, _ item: ChatItem) -> Rendered {
        var rendered = rendered
        rendered.alert = Phrases.status(item).first.map { DesktopAlert($0, isElsewhere: false) }
        return rendered
    }

    // MARK: - Messages

    private struct Parts {
        var mark = ""
        let at: WallTime
        let name: String
        let text: [String]
    }

    private func spoken(
        _ message: Message, _ shown: String, _ isCurrentRoom: Bool, isMention: Bool, _ number: Int? = nil
    ) -> Parts {
        let name = named(shown, message.from == me ? Ink.strong : Self.color(of: message.from))
        let text = rows(of: message, number) {
            isMention ? styled(linked($0), Ink.strong) : linked($0)
        }
        let mark = isMention ? styled(isUTF8 ? "▌" : ">", Ink.alarm) : ""
        return Parts(
            mark: mark, at: message.at, name: room(message, isCurrentRoom) + speaker(message, name), text: text)
    }

    /// Dim, except for the name in its colour: new lines never look like this.
    private func past(
        _ message: Message, _ shown: String, _ isCurrentRoom: Bool, isLate: Bool, _ number: Int? = nil
    ) -> Parts {
        let name = styled(shown, Ink.dim + ";" + (message.from == me ? Ink.strong : Self.color(of: message.from)))
        let lines = rows(of: message, number) { styled(linked($0), Ink.dim) }
        return Parts(
            at: message.at, name: room(message, isCurrentRoom) + speaker(message, name), text: late(lines, isLate))
    }

    /// What it answers, its text, and what was done to it.
    private func rows(of message: Message, _ number: Int?, _ text: (String) -> String) -> [String] {
        guard !message.isDeleted else { return [styled(Phrases.deleted, Ink.dim)] }
        var rows = MessageText.lines(message.text).map(text)
        if message.isUrgent { rows[rows.count - 1] += styled(" (urgent)", Ink.alarm) }
        if message.isEdited { rows[rows.count - 1] += styled(" (edited)", Ink.dim) }
        if let number { rows[rows.count - 1] += styled(Phrases.file(message.text, number), Ink.dim) }
        let answer = message.reply.map { [self.answer($0)] } ?? []
        return answer + rows + Phrases.reactions(message.reactions).map { styled($0, Ink.dim) }
    }

    /// The line that another one answers, in one dim row.
    private func answer(_ reply: LineReference) -> String {
        styled("\(isUTF8 ? "↳" : ">") \(Phrases.answer(reply))", Ink.dim)
    }

    /// In a colour that nothing else uses. My own message has a mark once the other side has opened it.
    private func privately(
        _ message: PrivateMessage, _ shown: String, isPast: Bool, isGoingOut: Bool, _ number: Int? = nil
    ) -> Parts {
        let ink = isPast || message.isLate ? "\(Ink.dim);\(Ink.privately)" : Ink.privately
        let head = message.isMine ? "\(isUTF8 ? "→" : "->") \(shown)" : "*\(shown)*"
        if message.isDeleted {
            return Parts(at: message.at, name: styled(head, ink), text: [styled(Phrases.deleted, Ink.dim)])
        }
        var lines = MessageText.lines(message.text).map(linked)
        if message.style == .acts { lines[0] = "* \(lines[0])" }
        if message.isNotice { lines[0] = "(notice) \(lines[0])" }
        lines = lines.map { styled($0, ink) }
        if message.isEdited { lines[lines.count - 1] += styled(" (edited)", Ink.dim) }
        if let number { lines[lines.count - 1] += styled(Phrases.file(message.text, number), Ink.dim) }
        if message.isMine {
            let state = isGoingOut ? nil : PrivatePhrases.mark(message)
            let mark = message.state == .delivered ? (isUTF8 ? " ✓" : " *") : state.map { " \($0)" } ?? ""
            if !mark.isEmpty { lines[lines.count - 1] += styled(mark, Ink.dim) }
        }
        if let reply = message.reply { lines.insert(answer(reply), at: 0) }
        lines += Phrases.reactions(message.reactions).map { styled($0, Ink.dim) }
        return Parts(
            at: message.at, name: styled(head, ink), text: late(lines, message.isLate && !isPast))
    }

    private func room(_ message: Message, _ isCurrent: Bool) -> String {
        isCurrent ? "" : styled(RoomLines.name(message.room, isPrivate: message.isPrivate), Ink.room) + " "
    }

    /// Dims the short id of a name.
    private func named(_ shown: String, _ ink: String) -> String {
        guard let mark = shown.firstIndex(of: "#"), mark > shown.startIndex else { return styled(shown, ink) }
        return styled(String(shown[..<mark]), ink) + styled(String(shown[mark...]), Ink.dim)
    }

    /// `bob`; `* bob` for an action; `-bob-` for a notice.
    private func speaker(_ message: Message, _ name: String) -> String {
        switch message.style {
        case .acts: "* \(name)"
        case .says: message.isNotice ? "-\(name)-" : name
        }
    }

    private func late(_ lines: [String], _ isLate: Bool) -> [String] {
        guard isLate, let first = lines.first else { return lines }
        return ["\(styled(Phrases.late, Ink.dim)) \(first)"] + lines.dropFirst()
    }

    private func line(_ parts: Parts) -> [String] {
        let size = size()
        return names.withLock { names in
            let columns = StyledText.columns(of: parts.name)
            let layout = LineLayout(columns: size.columns, nameColumns: names.columns(with: columns, on: size))
            let rows = layout.rows(
                mark: parts.mark, time: styled(clock(parts.at), Ink.dim), name: parts.name, text: parts.text)
            names.note(columns: columns, rows: rows.count, on: size)
            return rows
        }
    }

    // MARK: - Everything else

    private func notice(_ item: ChatItem, _ ink: String?, mark: String? = nil, rings: Bool = false) -> Rendered {
        notice(Phrases.status(item), ink, mark: mark, rings: rings)
    }

    private func notice(_ text: String, _ ink: String?) -> Rendered { notice([text], ink, mark: nil, rings: false) }

    private func notice(_ texts: [String], _ ink: String?, mark: String?, rings: Bool) -> Rendered {
        let mark = mark ?? (isUTF8 ? "• " : "* ")
        let layout = LineLayout(columns: size().columns, nameColumns: 0)
        let rows = texts.flatMap { layout.rows(mark: mark, $0) }
        return shown(Rendered(output: rows.map { ink == nil ? $0 : styled($0, ink ?? "") }, rings: rings))
    }

    private func welcome(_ me: Me, _ arrival: ChatItem.Arrival) -> [String] {
        let layout = LineLayout(columns: size().columns, nameColumns: 0)
        let dot = isUTF8 ? " · " : " - "
        let who = layout.rows(mark: "", Phrases.welcome(me, others: arrival.others).joined(separator: dot))
        let hint = arrival.isFirst ? layout.rows(mark: "", Phrases.firstHint) : []
        return shown(Rendered(output: who.map { styled($0, Ink.strong) } + hint.map { styled($0, Ink.hint) })).output
    }

    /// Facts have the terminal's own colour; headings and hints do not.
    private func answer(_ reply: ChatItem.Reply) -> Rendered {
        let layout = LineLayout(columns: size().columns, nameColumns: 0)
        switch reply {
        case .help(let lines):
            return shown(
                Rendered(output: lines.flatMap { layout.rows(ofList: heading(in: $0)) }, isPaged: true))
        case .output(let output):
            let failure = (output.failure?.lines ?? []).flatMap { layout.rows(mark: "! ", $0) }
            var rendered = Rendered(
                output: output.lines.flatMap { layout.rows(ofList: $0) }
                    + output.remarks.flatMap { layout.rows(mark: "", $0) }.map { styled($0, Ink.hint) }
                    + failure.map { styled($0, Ink.error) })
            rendered.picture = output.picture
            return shown(rendered)
        default:
            let lines = tables(reply).map { $0.hasPrefix("  id ") ? styled($0, Ink.dim) : $0 }
            return shown(Rendered(output: lines.flatMap { layout.rows(ofList: $0) }))
        }
    }

    private func tables(_ reply: ChatItem.Reply) -> [String] {
        switch reply {
        case .peers(let peers, let shown): PeerTable.lines(peers, shown, columns: size().columns)
        case .stats(let stats): StatsLines.lines(stats, columns: size().columns)
        case .rooms(let rooms): rooms.lines(columns: size().columns)
        default: Phrases.reply(reply)
        }
    }

    /// `Talk:`, or the text before the second column.
    private func heading(in line: String) -> String {
        let start = line.prefix { $0 == " " }
        let body = line.dropFirst(start.count)
        if start.isEmpty, body.last == ":" { return styled(line, Ink.heading) }
        guard let gap = body.firstRange(of: "  ") else { return start.isEmpty ? styled(line, Ink.hint) : line }
        return start + styled(String(body[..<gap.lowerBound]), start.isEmpty ? Ink.heading : Ink.hint)
            + body[gap.lowerBound...]
    }

    /// Notes rows that push names off the screen.
    private func shown(_ rendered: Rendered) -> Rendered {
        let size = size()
        let rows = rendered.picture.count + rendered.output.count
        if rows > 0 { names.withLock { $0.note(columns: 0, rows: rows, on: size) } }
        return rendered
    }

    /// The text of a line, isolated; addresses are links where there are colours.
    private func linked(_ text: String) -> String {
        let text = DisplayText.isolated(text)
        return hasColor ? Hyperlink.marked(text) : text
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// One of twelve colours of the 256-colour palette that are readable on light and dark ground, chosen by key.
    private static func color(of peer: PeerID) -> String {
        let readable = [31, 37, 64, 67, 97, 127, 130, 133, 136, 161, 166, 172]
        return "38;5;\(readable[Int(peer.key.leadingWord % UInt64(readable.count))])"
    }
}

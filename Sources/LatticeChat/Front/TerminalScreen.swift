import Dispatch
import LatticeCore
import Synchronization

/// A person's terminal: the line editor at the bottom, the conversation above.
///
/// Reading keys and writing to the screen have threads of their own, since either may stall indefinitely.
package final class TerminalScreen: ChatScreen {
    private struct State {
        var terminal: LineTerminal
        var completer: Completer
        /// The room or partner shown in the prompt, safe to show.
        var place = "(no room)"
        var unread = ""
        var urgent: [String] = []
        var progress: String?
        var pager = Pager()
        var hasLeft = false
        /// When keys came last.
        var typedAt: Instant?
        var alerts = AlertPace()
        /// The command that is being typed and whose lines were drawn.
        var numbered: NumberedCommand?
    }

    /// Who typed this short a time ago looks at the terminal, if it does not report its focus.
    private static let attention: Duration = .seconds(60)

    private static let farewellPatience: DispatchTimeInterval = .milliseconds(500)
    private let device: TerminalDevice
    private let history: HistoryFile
    private let hasColor: Bool
    private let isUTF8: Bool
    private let extraWords: [String]
    private let passage: DesktopAlert.Passage
    private let begun = ContinuousClock.now
    private let state: Mutex<State>
    private let keys = DispatchQueue(label: "lattice.keys")
    private let paper = DispatchQueue(label: "lattice.screen")

    /// Takes over the terminal.
    ///
    /// - Parameters:
    ///   - textBytesMax: maximum length of a message.
    ///   - extraWords: commands that Tab completes in addition to the chat's own.
    /// - Throws: `TerminalDevice.Fault` if standard input or output is not a terminal.
    package init(
        historyPath: String, lineBytesMax: Int, textBytesMax: Int, hasColor: Bool, isUTF8: Bool,
        extraWords: [String] = [], passage: DesktopAlert.Passage = .direct
    ) throws(TerminalDevice.Fault) {
        device = try TerminalDevice()
        history = HistoryFile(path: historyPath)
        self.hasColor = hasColor
        self.isUTF8 = isUTF8
        self.extraWords = extraWords
        self.passage = passage
        let (entries, complaint) = history.load()
        let size = device.size
        var terminal = LineTerminal(
            prompt: "> ", columns: size.columns, rows: size.rows, history: entries, lineBytesMax: lineBytesMax,
            textBytesMax: textBytesMax, keepsSubmittedLines: false)
        try device.enterRaw()
        device.write(terminal.enter())
        if let complaint { device.write(terminal.printAbove(["! \(complaint)"])) }
        state = Mutex(State(terminal: terminal, completer: Completer(names: [], rooms: [], extraWords: extraWords)))
    }

    package func read() async -> [ChatInput] {
        while true {
            let inputs = await withCheckedContinuation { continuation in
                keys.async { continuation.resume(returning: self.readKeys()) }
            }
            if let inputs { return inputs }
        }
    }

    package func show(_ rendered: Rendered) async {
        let lines = rendered.error + rendered.output
        await write { state in
            let page = rendered.isPaged ? state.pager.begin(lines, rows: state.terminal.rows) : lines
            let isEmpty = page.isEmpty && rendered.picture.isEmpty
            let output = isEmpty ? "" : state.terminal.printAbove(page, below: rendered.picture)
            return output + self.prompted(&state) + (rendered.rings ? state.terminal.bell() : "")
                + self.alerted(rendered.alert, &state)
        }
    }

    private func alerted(_ alert: DesktopAlert?, _ state: inout State) -> String {
        guard let alert else { return "" }
        let now = now
        let isWatched =
            state.terminal.hasFocus ?? state.typedAt.map { $0.duration(to: now) < Self.attention } ?? false
        guard alert.isElsewhere || !isWatched, state.alerts.lets(at: now) else { return "" }
        return alert.sequence(passage)
    }

    package func setContext(_ context: ScreenContext) async {
        await write { state in
            state.completer = Completer(
                names: context.names, rooms: context.rooms, extraWords: self.extraWords,
                addressees: context.addressees, lines: state.completer.lines)
            let room = context.room.map { RoomLines.name($0, isPrivate: context.isPrivate) }
            state.place = context.partner.map { "@\($0)" } ?? room ?? "(no room)"
            state.unread = context.unread
            state.urgent = context.urgent
            return self.prompted(&state)
        }
    }

    package func setLines(_ lines: ScreenLines) async {
        await write { state in
            state.completer.lines = lines
            state.terminal.edit = lines.edit
            return ""
        }
    }

    package func setProgress(_ text: String?) async {
        await write { state in
            state.progress = text
            return self.prompted(&state)
        }
    }

    package var size: TerminalDevice.Size { device.size }

    private var now: Instant { Instant.zero.advanced(by: begun.duration(to: .now)) }

    /// The prompt: progress and the room or partner, or the prompt of the pager.
    private func prompted(_ state: inout State) -> String {
        if let more = state.pager.prompt { return state.terminal.setPrompt(styled(more, "36")) }
        let progress = state.progress.map { styled(DisplayText.safe($0), "2") + " " } ?? ""
        let unread = state.unread.isEmpty ? "" : " " + styled(state.unread, "33")
        let pins = UrgentRows.rows(of: state.urgent, columns: state.terminal.columns, rows: state.terminal.rows)
        let prompt =
            pins.map { styled($0, "1;31") }.joined() + progress + styled(state.place, "1;36") + unread
            + styled(">", "1;36") + " "
        return state.terminal.prompt == prompt ? "" : state.terminal.setPrompt(prompt)
    }

    package func clear() async {
        await write { $0.terminal.clear() }
    }

    package func leave() {
        device.wake()
        let done = DispatchGroup()
        paper.async(group: done) {
            self.state.withLock { state in
                guard !state.hasLeft else { return }
                state.hasLeft = true
                self.device.write(state.terminal.leave())
            }
        }
        // A stalled terminal does not get the last line, but its mode is restored.
        _ = done.wait(timeout: .now() + Self.farewellPatience)
        device.leaveRaw()
    }

    private func write(_ change: @escaping @Sendable (inout State) -> String) async {
        await withCheckedContinuation { continuation in
            paper.async {
                self.state.withLock { state in
                    let output = change(&state)
                    if !state.hasLeft { self.device.write(output) }
                }
                continuation.resume()
            }
        }
    }

    /// - Returns: `nil` if nothing came that concerns the chat.
    private func readKeys() -> [ChatInput]? {
        let awaitsSilence = state.withLock { $0.terminal.awaitsSilence }
        switch device.next(awaitingSilence: awaitsSilence) {
        case .bytes(let bytes):
            return act { state in
                state.typedAt = self.now
                let completer = state.completer
                return state.terminal.feed(bytes, completing: completer.complete)
            }
        case .silent: return act { $0.terminal.fellSilent() }
        case .resized:
            let size = device.size
            state.withLock { state in
                device.write(state.terminal.resized(columns: size.columns, rows: size.rows) + prompted(&state))
            }
            return nil
        case .woken: return []
        case .endOfInput: return [.endOfInput]
        }
    }

    private func act(_ change: (inout State) -> LineTerminal.Reply) -> [ChatInput]? {
        let events = state.withLock { state in
            let reply = change(&state)
            device.write(reply.output)
            let rest = reply.events.filter { !takes($0, &state) }
            showNumbers(&state, hasSubmitted: !reply.events.isEmpty)
            return rest
        }
        let inputs = events.flatMap(inputs)
        return inputs.isEmpty ? nil : inputs
    }

    /// Draws the lines that the typed command can be about, once for each command.
    private func showNumbers(_ state: inout State, hasSubmitted: Bool) {
        let line = state.terminal.line
        if line.isEmpty || hasSubmitted { state.numbered = nil }
        guard state.pager.prompt == nil, let command = NumberedCommand(typing: line), command != state.numbered else {
            return
        }
        state.numbered = command
        let rows = state.completer.lines.rows(for: command, columns: state.terminal.columns)
        if !rows.isEmpty { device.write(state.terminal.printAbove(rows.map { styled($0, "2") })) }
    }

    /// - Returns: whether the event was handled here.
    private func takes(_ event: LineTerminal.Event, _ state: inout State) -> Bool {
        switch event {
        case .submitted(let line):
            guard state.pager.takes(line) else {
                keep(line, &state)
                device.write(prompted(&state))
                return false
            }
            let page = state.pager.turn(rows: state.terminal.rows)
            device.write((page.isEmpty ? "" : state.terminal.printAbove(page)) + prompted(&state))
            return true
        case .previewed(let preview):
            printDim(preview.shown(rows: state.terminal.rows), &state)
            return true
        case .discardedLine:
            printDim(["\(bullet)Line cleared. Press Ctrl-C again to leave."], &state)
            return true
        case .discardedPaste:
            printDim(["\(bullet)The pasted lines were not sent."], &state)
            return true
        case .interrupt:
            guard state.pager.close() else { return false }
            device.write(prompted(&state))
            return true
        case .submittedPaste, .endOfInput, .refused, .suspend: return false
        }
    }

    private func inputs(_ event: LineTerminal.Event) -> [ChatInput] {
        switch event {
        case .submitted(let line): return [.line(line)]
        case .submittedPaste(let messages): return messages.map { .pasted($0) }
        case .interrupt: return [.interrupt]
        case .endOfInput: return [.endOfInput]
        case .refused(let why): return [.refused(code: "lineTooLong", why)]
        case .previewed, .discardedLine, .discardedPaste: return []
        case .suspend:
            suspend()
            return []
        }
    }

    private var bullet: String { isUTF8 ? "• " : "* " }

    private func printDim(_ lines: [String], _ state: inout State) {
        let rows = lines.flatMap { RowCutter.rows(of: $0, columns: state.terminal.columns, indent: 2) }
        device.write(state.terminal.printAbove(rows.map { styled($0, "2") }))
    }

    /// Appends a line to the history file if the history kept it. A slash command stays on the screen as typed.
    private func keep(_ line: String, _ state: inout State) {
        if state.terminal.history.entries.last == line, let complaint = history.append(line) {
            device.write(state.terminal.printAbove(["! \(complaint)"]))
        }
        guard line.hasPrefix("/"), !line.hasPrefix("//") else { return }
        printDim([DisplayText.safe(SecretLine.masked(line))], &state)
    }

    private func suspend() {
        state.withLock { state in
            device.write(state.terminal.leave())
            do {
                try device.suspend()
            } catch {
                return  // The terminal is gone; the next read reports it.
            }
            let size = device.size
            _ = state.terminal.resized(columns: size.columns, rows: size.rows)
            device.write(state.terminal.enter())
        }
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

import LatticeAPI
import LatticeCore

/// What a person does to lines that were said: answers, emoji, edits, deletions. The node's event shows the outcome.
final class LineTalk {
    private let desk: ChatDesk
    private let speech: ChatSpeech
    private let privateTalk: PrivateTalk

    init(_ desk: ChatDesk, _ speech: ChatSpeech, _ privateTalk: PrivateTalk) {
        (self.desk, self.speech, self.privateTalk) = (desk, speech, privateTalk)
    }

    nonisolated(nonsending) func reply(_ rest: String) async throws {
        let (name, text) = Conversation.split(rest)
        let line = try line(target(name))
        guard !text.isEmpty else {
            throw CommandError(code: "badCommand", description: "What is the answer? Type /reply N TEXT.")
        }
        if case .message(let message) = line {
            return try await privateTalk.tell(message.peer, text, .says, replyTo: message.record)
        }
        try await speech.say([SayLines.Line(text, replyTo: line.record)])
    }

    /// The emoji is the last word; before it may stand whose line, or which.
    nonisolated(nonsending) func react(_ rest: String) async throws {
        let typed = String(rest.reversed().prefix { !$0.isWhitespace }.reversed())
        let name = String(rest.dropLast(typed.count).trimming())
        let emoji = Emoji(typed: typed)?.text ?? typed
        let line = try line(name.isEmpty ? .last : target(Conversation.unquoted(name)), isMine: false)
        let me = desk.conversation.me
        let holds = !line.reactions.contains { $0.emoji == emoji && $0.by.contains(me) }
        try await desk.ask(ReactToLine(try record(of: line), emoji, holds: holds))
    }

    /// - Returns: `false` if no line has this id: it may be that of a post.
    nonisolated(nonsending) func edit(_ target: LineTarget, _ text: String) async throws -> Bool {
        try await change(target) { EditLine($0, text) }
    }

    /// - Returns: as `edit`.
    nonisolated(nonsending) func delete(_ target: LineTarget) async throws -> Bool {
        try await change(target) { DeleteLine($0) }
    }

    nonisolated(nonsending) private func change<R: Request>(
        _ target: LineTarget, _ request: (RecordID) -> R
    ) async throws -> Bool {
        do throws(RequestError) {
            if case .record(let record) = target {
                _ = try await desk.node.perform(request(record))
                return true
            }
        } catch {
            if error == .unknownLine { return false }
            throw CommandError(code: error.code.rawValue, description: desk.words(of: error))
        }
        try await desk.ask(request(try record(of: try line(target, isMine: true))))
        return true
    }

    /// - Returns: what follows `/context`, with the id of a line in place of its number.
    func withID(_ rest: String) throws -> String {
        let word = rest.prefix { !$0.isWhitespace }
        guard case .number(let number) = LineTarget(word) else { return rest }
        guard let line = desk.lines[number] else {
            throw CommandError(code: "unknownItem", description: missing(.number(number), nil, isMine: false))
        }
        return try record(of: line).hex + rest.dropFirst(word.count)
    }

    /// What follows `/file`, with the id of a file in place of the number of its line. `get` or `open` alone means the newest
    /// file here.
    func withFile(_ rest: String) throws -> String {
        let words = rest.split(whereSeparator: \.isWhitespace)
        guard let act = words.first, act == "get" || act == "open" else { return rest }
        guard words.count > 1, !words[1].hasPrefix("-") else {
            guard let file = desk.lines.last(in: try place(), where: { $0.file != nil })?.file else {
                throw CommandError(
                    code: "unknownItem", description: "No file was shared here since you came; /files lists all.")
            }
            return "\(act) \(file.hex)\(rest.dropFirst(act.count))"
        }
        guard case .number(let number) = LineTarget(words[1]) else { return rest }
        guard let file = try line(.number(number)).file else {
            throw CommandError(code: "unknownItem", description: "Line \(number) has no file; /files lists all.")
        }
        return "\(act) \(file.hex)\(rest[words[1].endIndex...])"
    }

    /// What follows `/view`. Beside a number stands the file of its line; the number may also be one of the last list. Alone it
    /// means the newest picture here.
    func withPicture(_ rest: String) throws -> String {
        let word = rest.prefix { !$0.isWhitespace }
        guard !word.isEmpty, !word.hasPrefix("-") else {
            guard let file = desk.lines.last(in: try place(), where: \.isPicture)?.file else {
                throw CommandError(
                    code: "unknownItem",
                    description: "No picture was shared here since you came; /files and /near show others.")
            }
            return "\(file.hex) \(rest)"
        }
        guard case .number(let number) = LineTarget(word), let line = desk.lines[number], line.place == (try place()),
            let file = line.file
        else { return rest }
        return "\(rest) --file \(file.hex)"
    }

    nonisolated(nonsending) func showNumbers() async throws {
        let place = try place()
        let entries = desk.lines.last(NumberedLines.listedMax, in: place)
        guard !entries.isEmpty else {
            return try await desk.show(.reply(.text("Nothing was said \(place.words(desk.shown)) since you came.")))
        }
        let rows = entries.map { entry in
            let who = DisplayText.isolated(entry.line.speaker)
            let text = entry.line.isDeleted ? Phrases.deleted : MessageText.line(entry.line.text)
            return (entry.number < 10 ? " " : "") + "\(entry.number)  \(who): \(text)"
        }
        for row in rows { try await desk.show(.reply(.text(row))) }
    }

    // MARK: - Which line

    private func place() throws(CommandError) -> UnreadBoard.Place {
        guard let place = desk.conversation.open else { throw CommandError.noRoom }
        return place
    }

    private func record(of line: SaidLine) throws(CommandError) -> RecordID {
        guard let record = line.record else { preconditionFailure("a line without a record has no number") }
        return record
    }

    private func target(_ name: String) throws -> LineTarget { LineTarget(name) ?? .author(name) }

    /// A line of the open conversation.
    func lineHere(_ target: LineTarget) throws -> SaidLine { try line(target) }

    /// - Parameter isMine: what is meant by `last`: my own line, or one of somebody else.
    private func line(_ target: LineTarget, isMine: Bool = false) throws -> SaidLine {
        let place = try place()
        let me = desk.conversation.me
        let found: SaidLine?
        switch target {
        case .number(let number): found = desk.lines[number]
        case .record(let record): found = desk.lines[record]
        case .author(let name):
            let author = try desk.addressee(name)
            found = desk.lines.last(in: place) { $0.author(me) == author }
            if found == nil {
                throw CommandError(
                    code: "unknownItem",
                    description: "\(desk.shown(author)) has said nothing \(place.words(desk.shown)) since you came.")
            }
        case .last:
            found = desk.lines.last(in: place) { ($0.author(me) == me) == isMine }
        }
        guard let found, found.place == place else {
            throw CommandError(code: "unknownItem", description: missing(target, found, isMine: isMine))
        }
        return found
    }

    private func missing(_ target: LineTarget, _ found: SaidLine?, isMine: Bool) -> String {
        switch found?.place {
        case .room(let room): return "That line is in \(room); /join \(room) first."
        case .peer(let peer):
            let shown = desk.shown(peer)
            return "That is a message between you and \(shown); /query \(shown) first."
        case nil: break
        }
        return switch target {
        case .number(let number): "No line here has the number \(number); /lines shows the numbers."
        case .record: "No line with that id was shown here since you came."
        case .author, .last:
            isMine
                ? "You have said nothing here since you came; /lines shows the numbers of earlier lines."
                : "Nobody else has said anything here since you came."
        }
    }
}

extension UnreadBoard.Place {
    /// `in #lobby`, or `between you and bob`.
    fileprivate func words(_ shown: (PeerID) -> String) -> String {
        switch self {
        case .room(let room): "in \(room)"
        case .peer(let peer): "between you and \(shown(peer))"
        }
    }
}

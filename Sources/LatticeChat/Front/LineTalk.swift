import LatticeAPI
import LatticeCore

/// What a person does to lines that were said: answers, emoji, edits, deletions. The node's event shows the outcome.
final class LineTalk {
    private let desk: ChatDesk
    private let speech: ChatSpeech

    init(_ desk: ChatDesk, _ speech: ChatSpeech) { (self.desk, self.speech) = (desk, speech) }

    nonisolated(nonsending) func reply(_ rest: String) async throws {
        let (name, text) = Conversation.split(rest)
        let line = try line(target(name))
        guard !text.isEmpty else {
            throw CommandError(code: "badCommand", description: "What is the answer? Type /reply N TEXT.")
        }
        try await speech.say([SayLines.Line(text, replyTo: line.record)])
    }

    /// The emoji is the last word; before it may stand whose line, or which.
    nonisolated(nonsending) func react(_ rest: String) async throws {
        let emoji = String(rest.reversed().prefix { !$0.isWhitespace }.reversed())
        let name = String(rest.dropLast(emoji.count).trimming())
        let line = try line(name.isEmpty ? .last : target(Conversation.unquoted(name)), isMine: false)
        let me = desk.conversation.me
        let holds = !line.reactions.contains { $0.emoji == emoji && $0.by.contains(me) }
        try await desk.ask(ReactToLine(line.record, emoji, holds: holds))
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
        try await desk.ask(request(try line(target, isMine: true).record))
        return true
    }

    nonisolated(nonsending) func showNumbers() async throws {
        let room = try room()
        let entries = desk.lines.last(NumberedLines.listedMax, in: room)
        guard !entries.isEmpty else {
            return try await desk.show(.reply(.text("Nothing was said in \(room) since you came.")))
        }
        let rows = entries.map { entry in
            let who = DisplayText.isolated(entry.line.name.text)
            let text = entry.line.isDeleted ? Phrases.deleted : MessageText.line(entry.line.text)
            return (entry.number < 10 ? " " : "") + "\(entry.number)  \(who): \(text)"
        }
        for row in rows { try await desk.show(.reply(.text(row))) }
    }

    // MARK: - Which line

    private func room() throws(CommandError) -> RoomName {
        guard desk.conversation.partner == nil else {
            throw CommandError(
                code: "noRoom", description: "This works in rooms only; /query goes back to your room.")
        }
        guard let room = desk.conversation.current else { throw CommandError.noRoom }
        return room
    }

    private func target(_ name: String) throws -> LineTarget { LineTarget(name) ?? .author(name) }

    /// - Parameter isMine: what is meant by `last`: my own line, or one of somebody else.
    private func line(_ target: LineTarget, isMine: Bool = false) throws -> Message {
        let room = try room()
        let me = desk.conversation.me
        let found: Message?
        switch target {
        case .number(let number): found = desk.lines[number]
        case .record(let record): found = desk.lines[record]
        case .author(let name):
            let author = try desk.addressee(name)
            found = desk.lines.last(in: room) { $0.from == author }
            if found == nil {
                throw CommandError(
                    code: "unknownItem",
                    description: "\(desk.shown(author)) has said nothing in \(room) since you came.")
            }
        case .last:
            found = desk.lines.last(in: room) { ($0.from == me) == isMine }
        }
        guard let found, found.room == room else {
            throw CommandError(code: "unknownItem", description: Self.missing(target, found, isMine: isMine))
        }
        return found
    }

    private static func missing(_ target: LineTarget, _ found: Message?, isMine: Bool) -> String {
        if let found { return "That line is in \(found.room); /join \(found.room) first." }
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

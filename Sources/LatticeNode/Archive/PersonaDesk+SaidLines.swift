import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

/// The changed line, and the event for this persona's fronts. Public lines have none here: the store reports them.
struct LineOutcome: Sendable {
    let line: SaidLine
    let event: NodeEvent?

    init(_ line: SaidLine, _ event: NodeEvent? = nil) {
        (self.line, self.event) = (line, event)
    }
}

// What a person does to lines, wherever they were said.
extension PersonaDesk {
    func show(_ line: RecordID, at now: WallTime) async throws(RequestError) -> SaidLine {
        switch try await sealed(line) {
        case .room(let line): .room(try await archive.rooms.shown(line))
        case .message(let message): .message(try await shown(message))
        case nil: .room(try await reader.line(line, at: now).message)
        }
    }

    func perform(_ request: ReactToLine, at now: WallTime) async throws(RequestError) -> LineOutcome {
        guard let emoji = Emoji(typed: request.emoji) else {
            throw .invalid(faults: [.notAnEmoji(given: request.emoji)])
        }
        guard let line = try await sealed(request.line) else {
            return LineOutcome(.room(try await react(to: request.line, emoji, request.holds, at: now)))
        }
        guard !line.isDeleted else { throw .lineDeleted }
        let isSo = line.reactions.contains { $0.emoji == emoji.text && $0.authors.contains(me) }
        if isSo == request.holds { return LineOutcome(try await show(request.line, at: now)) }
        return try await act(.emoji(emoji.text, holds: request.holds), on: line, at: now)
    }

    func perform(_ request: EditLine, at now: WallTime) async throws(RequestError) -> LineOutcome {
        guard let line = try await sealed(request.line) else {
            return LineOutcome(.room(try await editLine(request.line, request.text, at: now)))
        }
        try SpokenText.check(request.text)
        guard line.isBy(me) else { throw .notYourLine(act: .edit) }
        guard !line.isDeleted else { throw .lineDeleted }
        if line.text == request.text { return LineOutcome(try await show(request.line, at: now)) }
        let said = ChatLine(
            style: line.isAction ? .acts : .says, name: try await reader.authorName(), text: request.text,
            replyTo: line.replyTo, isNotice: line.isNotice)
        return try await act(.edit(said), on: line, at: now)
    }

    /// Deleting a deleted line changes nothing.
    func perform(_ request: DeleteLine, at now: WallTime) async throws(RequestError) -> LineOutcome {
        guard let line = try await sealed(request.line) else {
            return LineOutcome(.room(try await deleteLine(request.line, at: now)))
        }
        guard line.isBy(me) else { throw .notYourLine(act: .delete) }
        if line.isDeleted { return LineOutcome(try await show(request.line, at: now)) }
        return try await act(.deletion, on: line, at: now)
    }

    private func act(
        _ change: SealedAct.Change, on line: SealedLine, at now: WallTime
    ) async throws(RequestError) -> LineOutcome {
        switch line {
        case .room(let line):
            guard let change = try await archive.rooms.act(change, on: line, at: now) else {
                return LineOutcome(.room(try await archive.rooms.shown(line)))
            }
            return LineOutcome(.room(change.line), .lineChanged(change))
        case .message(let message):
            guard let change = try await archive.mail.act(change, on: message, at: now) else {
                return LineOutcome(.message(try await shown(message)))
            }
            return LineOutcome(.message(change.message), .privateMessageChanged(change))
        }
    }

    private func sealed(_ line: RecordID) async throws(RequestError) -> SealedLine? {
        if let line = try await archive.rooms.line(line) { return .room(line) }
        return try await archive.mail.line(line).map { .message($0) }
    }

    private func shown(_ message: StoredMessage) async throws(RequestError) -> PrivateMessage {
        try await stored { () throws(StoreError) in try await archive.mail.shown([message]) }[0]
    }
}

/// A line that only some people can read.
private enum SealedLine {
    case room(StoredRoomLine)
    case message(StoredMessage)

    func isBy(_ me: PeerID) -> Bool {
        switch self {
        case .room(let line): line.author == me
        case .message(let message): message.isMine
        }
    }

    var isDeleted: Bool {
        switch self {
        case .room(let line): line.isDeleted
        case .message(let message): message.isDeleted
        }
    }

    var text: String {
        switch self {
        case .room(let line): line.text
        case .message(let message): message.text
        }
    }

    var isAction: Bool {
        switch self {
        case .room(let line): line.isAction
        case .message(let message): message.isAction
        }
    }

    var isNotice: Bool {
        switch self {
        case .room(let line): line.isNotice
        case .message(let message): message.isNotice
        }
    }

    var replyTo: RecordID? {
        switch self {
        case .room(let line): line.replyTo
        case .message(let message): message.replyTo
        }
    }

    var reactions: [StoredReaction] {
        switch self {
        case .room(let line): line.reactions
        case .message(let message): message.reactions
        }
    }
}

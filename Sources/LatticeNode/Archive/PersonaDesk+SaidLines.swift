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

// What a person does to lines, wherever they were said. If nothing changes, nothing is written.
extension PersonaDesk {
    private enum Target {
        case open(StoredLine)
        case room(StoredRoomLine)
        case message(StoredMessage)
    }

    func show(_ line: RecordID, at now: WallTime) async throws(RequestError) -> SaidLine {
        try await find(line, at: now).said
    }

    func perform(_ request: ReactToLine, at now: WallTime) async throws(RequestError) -> LineOutcome {
        guard let emoji = Emoji(typed: request.emoji) else {
            throw .invalid(faults: [.notAnEmoji(given: request.emoji)])
        }
        let (said, target) = try await find(request.line, at: now)
        guard !said.isDeleted else { throw .lineDeleted }
        let isSo = said.reactions.contains { $0.emoji == emoji.text && $0.by.contains(me) }
        if isSo == request.holds { return LineOutcome(said) }
        return try await act(.emoji(emoji.text, holds: request.holds), on: target, at: now)
    }

    func perform(_ request: EditLine, at now: WallTime) async throws(RequestError) -> LineOutcome {
        try SpokenText.check(request.text)
        let (said, target) = try await find(request.line, at: now)
        guard said.author(me) == me else { throw .notYourLine(act: .edit) }
        guard !said.isDeleted else { throw .lineDeleted }
        if said.text == request.text { return LineOutcome(said) }
        let name: PeerName
        if let line = said.lineInRoom { name = line.name } else { name = try await reader.authorName() }
        let line = ChatLine(
            style: said.style == .acts ? .acts : .says, name: name, text: request.text, replyTo: said.reply?.record,
            isNotice: said.isNotice, file: said.lineInRoom?.file)
        return try await act(.edit(line), on: target, at: now)
    }

    func perform(_ request: DeleteLine, at now: WallTime) async throws(RequestError) -> LineOutcome {
        let (said, target) = try await find(request.line, at: now)
        guard said.author(me) == me else { throw .notYourLine(act: .delete) }
        guard !said.isDeleted else { return LineOutcome(said) }
        let outcome = try await act(.deletion, on: target, at: now)
        if case .open = target, let file = said.lineInRoom?.file { try await delete(file: file, at: now) }
        return outcome
    }

    /// Takes a public file back: nobody gets it from the stores that hear of it. Nothing happens if it is not this persona's.
    func delete(file id: RecordID, at now: WallTime) async throws(RequestError) {
        let found = try await stored { () throws(StoreError) in
            try await archive.store.manifests.withPrefix(id.hex, limit: 1, at: now).first
        }
        guard let found, found.author == me else { return }
        try await publish(
            .deletion, topic: id.hash.bytes, body: [],
            lifetime: PostRules.seconds(until: found.expires, from: now), at: now)
    }

    private func act(
        _ change: SealedAct.Change, on target: Target, at now: WallTime
    ) async throws(RequestError) -> LineOutcome {
        switch target {
        case .open(let line):
            try await publish(change, on: line, at: now)
            return LineOutcome(.room(try await reader.line(line.id, at: now).message))
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

    /// A record about a public line lives as long as the line.
    private func publish(
        _ change: SealedAct.Change, on line: StoredLine, at now: WallTime
    ) async throws(RequestError) {
        let lifetime = PostRules.seconds(until: line.expires, from: now)
        let id = line.id
        let (kind, topic, body): (RecordKind, [UInt8], [UInt8]) =
            switch change {
            case .edit(let line): (.edit, id.hash.bytes, line.body)
            case .deletion: (.deletion, id.hash.bytes, [])
            case .emoji(let emoji, let holds):
                (.reaction, ReactionTopic(id, emoji).bytes, Statement(holds: holds).body)
            }
        try await publish(kind, topic: topic, body: body, lifetime: lifetime, at: now)
    }

    private func find(
        _ line: RecordID, at now: WallTime
    ) async throws(RequestError) -> (said: SaidLine, target: Target) {
        if let line = try await archive.rooms.line(line) {
            return (.room(try await archive.rooms.shown(line)), .room(line))
        }
        if let message = try await archive.mail.line(line) {
            return (.message(try await shown(message)), .message(message))
        }
        let (stored, message) = try await reader.line(line, at: now)
        return (.room(message), .open(stored))
    }

    private func shown(_ message: StoredMessage) async throws(RequestError) -> PrivateMessage {
        try await stored { () throws(StoreError) in try await archive.mail.shown([message]) }[0]
    }
}

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

// What people do to lines of private rooms: sealed as the lines are.
extension RoomDesk {
    /// - Returns: a line of any private room; `nil` if it is in none.
    func line(_ id: RecordID) async throws(RequestError) -> StoredRoomLine? {
        try await asked { () throws(StoreError) in try await store.rooms.lines([id]).first }
    }

    func shown(_ line: StoredRoomLine) async throws(RequestError) -> Message {
        let answered = try await asked { () throws(StoreError) in try await self.answered(by: [line], in: line.room) }
        return Message(line, me: me).answering { answered[$0] }
    }

    func change(_ changed: ChangedLine<StoredRoomLine>) async throws(StoreError) -> LineChange {
        let answered = try await answered(by: [changed.line], in: changed.line.room)
        let line = Message(changed.line, me: me).answering { answered[$0] }
        return LineChange(changed.change.kind, by: changed.author, emoji: changed.change.emoji, of: line)
    }

    /// Applies an act and seals it to the room.
    ///
    /// - Returns: `nil` if it changes nothing.
    func act(
        _ change: SealedAct.Change, on line: StoredRoomLine, at now: WallTime
    ) async throws(RequestError) -> LineChange? {
        let act = SealedAct(line.record, change)
        for _ in 0..<Self.triesMax {
            let held = try await asked { () throws(StoreError) in try await store.rooms.keys(of: line.room).first }
            guard let held, let key = ring.key(held) else { throw .keyMissing(room: line.room) }
            let make = signing(key.seal(SealedText.act(act).bytes, from: me).body)
            let done = try await asked { () throws(StoreError) in
                try await store.rooms.act(act, under: held, at: now, make)
            }
            switch done {
            case .changed(let changed):
                return try await asked { () throws(StoreError) in try await self.change(changed) }
            case .unchanged: return nil
            case .notStored(let outcome):
                try PersonaDesk.check(outcome)
                return nil
            case .keyChanged, .tooManyWait: continue
            }
        }
        throw .keyChanges(room: line.room)
    }
}

extension SealedAct {
    /// Whether fronts can show it: which text is an emoji depends on the version of Unicode.
    var isFit: Bool {
        switch change {
        case .edit(let line): !line.text.isEmpty
        case .deletion: true
        case .emoji(let emoji, _): Emoji(emoji)?.text == emoji
        }
    }
}

extension SealedAct.Change {
    var kind: LineChange.Kind {
        switch self {
        case .edit: .edited
        case .deletion: .deleted
        case .emoji(_, let holds): holds ? .reacted : .unreacted
        }
    }

    var emoji: String? {
        if case .emoji(let emoji, _) = self { emoji } else { nil }
    }
}

extension LineReaction {
    init?(_ reaction: StoredReaction) {
        guard let emoji = Emoji(reaction.emoji) else { return nil }
        self.init(emoji.text, by: reaction.authors)
    }
}

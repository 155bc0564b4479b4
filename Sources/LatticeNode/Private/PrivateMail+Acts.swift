import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// What people do to private messages: each act is sealed to the other, as the messages are.
extension PrivateMail {
    /// - Returns: `nil` if this person has no such message.
    func line(_ id: RecordID) async throws(RequestError) -> StoredMessage? {
        try await rooms.asked { () throws(StoreError) in try await store.messages.lines([id]).first }
    }

    /// Messages as people see them, with those that they answer.
    func shown(_ messages: [StoredMessage]) async throws(StoreError) -> [PrivateMessage] {
        var answered: [PeerID: [RecordID: LineReference]] = [:]
        for (peer, answers) in Dictionary(grouping: messages.filter { $0.replyTo != nil }, by: \.peer) {
            let ids = Array(Set(answers.compactMap(\.replyTo)))
            for message in try await store.messages.lines(ids, with: peer) {
                guard let line = message.line else { continue }
                answered[peer, default: [:]][line] = LineReference(
                    line, from: message.isMine ? me : peer, name: RoomDesk.name(message.name), text: message.text)
            }
        }
        let found = answered
        return messages.map { message in
            PrivateMessage(message, reply: message.replyTo.flatMap { found[message.peer]?[$0] })
        }
    }

    func change(_ changed: ChangedLine<StoredMessage>) async throws(StoreError) -> PrivateMessageChange {
        PrivateMessageChange(
            changed.change.kind, by: changed.author, emoji: changed.change.emoji, of: try await shown([changed.line])[0]
        )
    }

    /// The id of the answered message that both people use: its first record, even if it is stored under another id.
    func answered(by speech: SpokenText, to peer: PeerID) async throws(RequestError) -> RecordID? {
        guard let named = speech.replyTo else { return nil }
        let message = try await line(named)
        return message?.peer == peer ? message?.line ?? named : named
    }

    /// Applies an act here, and seals it to the other person as soon as their keys are here.
    ///
    /// - Parameter message: one that is sealed.
    /// - Returns: `nil` if it changes nothing.
    func act(
        _ change: SealedAct.Change, on message: StoredMessage, at now: WallTime
    ) async throws(RequestError) -> PrivateMessageChange? {
        guard let line = message.line else { throw .unknownLine }
        let done = try await rooms.asked { () throws(StoreError) in
            try await store.messages.act(
                SealedAct(line, change), with: message.peer, at: now, unsealedMax: Self.unsealedMax)
        }
        guard case .changed(let changed) = done else {
            if done == .tooManyWait { throw .messagesFull(max: Self.unsealedMax) }
            return nil
        }
        return try await rooms.asked { () throws(StoreError) in
            _ = try await self.sealWaiting(at: now)
            return try await self.change(changed)
        }
    }

    /// Seals what was done to messages, to the rotating key: one-time keys are left for lines.
    ///
    /// - Returns: whether anything was written.
    func sealActs(at now: WallTime) async throws(StoreError) -> Bool {
        var hasWritten = false
        for act in try await store.messages.unsealedActs(limit: Self.unsealedMax) {
            guard let prekeys = try await store.prekeys.published(by: act.message.peer, at: now)?.body,
                let text = Self.text(of: act), let body = seal(.act(text), to: act.message.peer, prekeys.rotating)
            else { continue }
            let outcome = try await store.messages.send(act, at: now, signing(.sealed, body.body))
            hasWritten = hasWritten || outcome == .added
        }
        return hasWritten
    }

    private static func text(of act: UnsealedAct) -> SealedAct? {
        guard let line = act.message.line else { return nil }
        switch act.what {
        case .edit: return Self.line(of: act.message).map { SealedAct(line, .edit($0)) }
        case .deletion: return SealedAct(line, .deletion)
        case .emoji(let emoji, let holds): return SealedAct(line, .emoji(emoji, holds: holds))
        }
    }
}

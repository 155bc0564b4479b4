import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// What a person does to lines of public rooms. Records about a line live as long as the line.
extension PersonaDesk {
    /// Gives or takes back an emoji. If nothing changes, nothing is written.
    func react(
        to line: RecordID, _ emoji: Emoji, _ holds: Bool, at now: WallTime
    ) async throws(RequestError) -> Message {
        let target = try await there(line, at: now)
        let isSo = target.reactions.contains { $0.emoji == emoji.text && $0.authors.contains(me) }
        if isSo != holds {
            try await publish(
                .reaction, topic: ReactionTopic(line, emoji.text).bytes, body: Statement(holds: holds).body,
                lifetime: PostRules.seconds(until: target.expires, from: now), at: now)
        }
        return try await reader.line(line, at: now).message
    }

    func editLine(_ line: RecordID, _ text: String, at now: WallTime) async throws(RequestError) -> Message {
        try SpokenText.check(text)
        let target = try await mine(line, .edit, at: now)
        let old: ChatLine
        do {
            old = try ChatLine(decoding: target.body ?? [])
        } catch {
            throw .unknownLine  // A line of a later version, which this one cannot show either.
        }
        if old.text != text {
            let new = ChatLine(
                style: old.style, name: old.name, text: text, replyTo: old.replyTo, isNotice: old.isNotice)
            try await publish(
                .edit, topic: line.hash.bytes, body: new.body,
                lifetime: PostRules.seconds(until: target.expires, from: now), at: now)
        }
        return try await reader.line(line, at: now).message
    }

    /// Deleting a deleted line changes nothing.
    func deleteLine(_ line: RecordID, at now: WallTime) async throws(RequestError) -> Message {
        let (target, message) = try await reader.line(line, at: now)
        guard target.author == me else { throw .notYourLine(act: .delete) }
        guard target.body != nil else { return message }
        try await publish(
            .deletion, topic: line.hash.bytes, body: [],
            lifetime: PostRules.seconds(until: target.expires, from: now), at: now)
        return try await reader.line(line, at: now).message
    }

    private func mine(
        _ line: RecordID, _ act: RequestError.Act, at now: WallTime
    ) async throws(RequestError) -> StoredLine {
        let target = try await there(line, at: now)
        guard target.author == me else { throw .notYourLine(act: act) }
        return target
    }

    private func there(_ line: RecordID, at now: WallTime) async throws(RequestError) -> StoredLine {
        let target = try await reader.line(line, at: now).stored
        guard target.body != nil else { throw .lineDeleted }
        return target
    }
}

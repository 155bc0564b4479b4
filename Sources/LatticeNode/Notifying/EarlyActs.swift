import DequeModule
import LatticeAPI
import LatticeCore
import LatticeWire

/// Edits, deletions and emoji that arrived before their line: they change it when it comes.
struct EarlyActs {
    /// The oldest go first; the store has them all, and applies them when it takes the line.
    private static let actsMax = 1_024
    /// An edit holds a whole line.
    private static let bytesMax = 1 << 20
    private static let hiddenMax = 1_024

    private var acts = Deque<(line: RecordID, record: VerifiedRecord)>()
    private var bytes = 0
    /// The number of acts on each line, so that a line on which none waits costs one look.
    private var counts: [RecordID: Int] = [:]
    /// Lines that are not shown, because their author had deleted them. The newest is last.
    private var hidden = Deque<RecordID>()

    /// - Parameter record: one that changes `line`.
    mutating func add(_ record: VerifiedRecord, on line: RecordID) {
        acts.append((line, record))
        counts[line, default: 0] += 1
        bytes += record.signed.bytes.count
        while acts.count > Self.actsMax || bytes > Self.bytesMax { removeFirst() }
    }

    /// - Returns: the line after what waited for it; `nil` if its author deleted it.
    mutating func take(for line: Message) -> Message? {
        guard counts[line.record] != nil else { return line }
        let waiting = acts.filter { $0.line == line.record }.map(\.record)
        acts.removeAll { $0.line == line.record }
        counts[line.record] = nil
        bytes -= waiting.reduce(0) { $0 + $1.signed.bytes.count }
        var changed: Message? = line
        for record in waiting.sorted(by: { ($0.created, $0.id) < ($1.created, $1.id) }) {
            changed = changed?.changed(by: record)
        }
        if changed == nil {
            if hidden.count == Self.hiddenMax { hidden.removeFirst() }
            hidden.append(line.record)
        }
        return changed
    }

    /// Whether the line was not shown, so that nobody need hear of what is done to it.
    func hides(_ line: RecordID) -> Bool { hidden.contains(line) }

    private mutating func removeFirst() {
        let first = acts.removeFirst()
        bytes -= first.record.signed.bytes.count
        if let count = counts[first.line] { counts[first.line] = count > 1 ? count - 1 : nil }
    }
}

extension Message {
    /// - Returns: as it is after this act, which does nothing if its author may not do that; `nil` if it was deleted.
    fileprivate func changed(by record: VerifiedRecord) -> Message? {
        do {
            switch record.kind {
            case .deletion: return record.author == from ? nil : self
            case .edit: return record.author == from ? edited(try ChatLine(decoding: record.record.body)) : self
            case .reaction:
                let topic = try ReactionTopic(decoding: record.record.topic)
                guard let emoji = Emoji(topic.emoji) else { return self }
                return reacted(emoji.text, by: record.author, holds: try Statement(decoding: record.record.body).holds)
            default: return self
            }
        } catch {
            return self  // The store refuses it.
        }
    }

    private func edited(_ line: ChatLine) -> Message {
        var edited = Message(
            record: record, room: room, from: from, name: line.name, text: line.text,
            style: line.style == .says ? .says : .acts, at: at, hops: hops, isLate: isLate, isPrivate: isPrivate,
            isNotice: line.isNotice, asker: asker,
            reply: line.replyTo == reply?.record ? reply : line.replyTo.map { LineReference($0) })
        edited.isEdited = true
        edited.file = line.file
        edited.isUrgent = isUrgent
        edited.via = via
        edited.reactions = reactions
        return edited
    }

    private func reacted(_ emoji: String, by peer: PeerID, holds: Bool) -> Message {
        var changed = self
        let index = reactions.firstIndex { $0.emoji == emoji }
        let others = index.map { reactions[$0].by.filter { $0 != peer } } ?? []
        let all = holds ? others + [peer] : others
        switch (index, all.isEmpty) {
        case (let index?, true): changed.reactions.remove(at: index)
        case (let index?, false): changed.reactions[index] = LineReaction(emoji, by: all)
        case (nil, true): break
        case (nil, false): changed.reactions.append(LineReaction(emoji, by: all))
        }
        return changed
    }
}

import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeStore

/// Notifications that wait to be stored, for each persona.
struct PersonalNews {
    /// What comes while so much waits is not noted; it is shown all the same.
    private static let newsMax = 4_096

    private(set) var byPersona: [PeerID: [NewNotification]] = [:]
    /// Lines that mention or answer somebody, as they came.
    private(set) var lines: [RecordID: Message] = [:]
    /// Among `lines`: what they answer is not known yet.
    private(set) var unresolved: [Message] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func add(_ one: NewNotification, for id: PeerID, line: Message? = nil) {
        guard count < Self.newsMax, one.author != id else { return }
        count += 1
        byPersona[id, default: []].append(one)
        if let line, !line.isPrivate { lines[line.record] = line }
    }

    mutating func resolveLater(_ line: Message) {
        guard count < Self.newsMax else { return }
        count += 1
        unresolved.append(line)
        lines[line.record] = line
    }

    mutating func take() -> PersonalNews {
        defer { self = PersonalNews() }
        return self
    }
}

extension NewNotification {
    init(_ kind: StoredNotification.Kind, _ line: Message) {
        self.init(
            kind, of: line.record, by: line.from, at: line.at, in: line.room, isPrivateRoom: line.isPrivate)
    }
}

// Who is notified of what is said.
extension Notifier {
    /// Notes whom a line of a public room mentions or answers.
    func note(_ line: Message, for node: isolated Node) {
        guard node.archive != nil else { return }
        if line.isUrgent { noteUrgent(line, for: node) }
        let answered = line.reply?.from
        if let answered, let persona = node.personas[answered] { note(.reply, line, for: persona) }
        for id in node.personas.named(in: line.text, room: line.room) where id != answered {
            if let persona = node.personas[id] { note(.mention, line, for: persona) }
        }
        if line.reply != nil, answered == nil, line.from != node.personas.owner.id || node.personas.hasVisitors {
            personal.resolveLater(line)
            news.raise()
        }
    }

    private func noteUrgent(_ line: Message, for node: isolated Node) {
        for id in node.personas.all {
            guard let persona = node.personas[id], persona.publicRooms.contains(line.room),
                !persona.contactMarks.muted.contains(line.room)
            else { continue }
            note(.urgent, line, for: persona)
        }
    }

    /// Notes a line of a private room.
    func note(privateLine line: Message, for persona: Persona) {
        if line.reply?.from == persona.id {
            note(.reply, line, for: persona)
        } else if Mention.isIn(line.text, of: persona.name) {
            note(.mention, line, for: persona)
        }
    }

    /// Notes an emoji on a line of a private room.
    func note(privateChange change: LineChange, for persona: Persona, at now: WallTime) {
        guard change.kind == .reacted, change.line.from == persona.id, change.by != persona.id else { return }
        let one = NewNotification(
            .reaction, of: change.line.record, by: change.by, at: now, in: change.line.room, isPrivateRoom: true,
            emoji: change.emoji ?? "")
        note(one, for: persona)
    }

    func note(_ message: PrivateMessage, for persona: Persona) {
        guard !message.isMine, let record = message.record else { return }
        note(NewNotification(.privateMessage, of: record, by: message.peer, at: message.at), for: persona)
    }

    private func note(_ kind: StoredNotification.Kind, _ line: Message, for persona: Persona) {
        note(NewNotification(kind, line), for: persona, line: line)
    }

    private func note(_ one: NewNotification, for persona: Persona, line: Message? = nil) {
        guard persona.archive != nil, !persona.contactMarks.unheard.contains(one.author) else { return }
        personal.add(one, for: persona.id, line: line)
        news.raise()
    }
}

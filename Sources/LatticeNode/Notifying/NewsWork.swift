import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire
import OrderedCollections

/// Reads what stored records mean for each persona, beside the node's loop.
struct NewsWork: Sendable {
    /// A persona whose fronts read its events.
    struct Listener: Sendable {
        let visit: Persona.Visit
        let reader: PersonaReader
        /// People whom the persona blocks or ignores: they cause no notification.
        let unheard: Set<PeerID>
        let rooms: [RoomName]
        let privacy: RoomPrivacy
    }

    /// Posts and events that one persona hears of at a time; a front that lists posts has the rest.
    private static let newsMax = 64
    /// Items whose authors are looked up.
    private static let itemsMax = 256

    /// Lines whose changes are announced at a time; the rest is seen when a front asks for the lines.
    private static let linesMax = 256

    let records: [VerifiedRecord]
    let personal: PersonalNews
    /// Those of the records that are urgent.
    let urgent: Set<RecordID>
    let shownPins: ShownPins
    /// The owner is first.
    let listeners: [Listener]
    let now: WallTime
    /// The same moment.
    let instant: Instant

    func changes() async throws(StoreError) -> FeedChanges {
        guard let reader = listeners.first?.reader else { return FeedChanges(items: [], people: []) }
        return try await reader.changes(of: Concerned(by: records))
    }

    /// Lines of public rooms that were edited, deleted or reacted to, in the order of the records.
    func lineChanges() async throws(RequestError) -> [LineChange] {
        let acts = records.compactMap(LineAct.init)
        guard let reader = listeners.first?.reader, !acts.isEmpty else { return [] }
        let ids = Array(OrderedSet(acts.map(\.line)).prefix(Self.linesMax))
        let found = try await stored { () throws(StoreError) in try await reader.store.history.lines(ids, at: now) }
        let lines = Dictionary(try await reader.messages(found, at: now).map { ($0.record, $0) }) { first, _ in first }
        return acts.compactMap { act in
            lines[act.line].flatMap { line in
                // A line that was deleted meanwhile is no longer edited.
                line.isDeleted && act.kind != .deleted
                    ? nil : LineChange(act.kind, by: act.by, emoji: act.emoji, of: line)
            }
        }
    }

    /// - Parameter changes: what `lineChanges` returned.
    func events(_ changes: [LineChange]) async throws(RequestError) -> [(visit: Persona.Visit, events: [NodeEvent])] {
        let items = records.filter { $0.kind == .post || $0.kind == .event }
        let acts = try await actsByPersona()
        let lines = try await linesByPersona(changes)
        var all: [(visit: Persona.Visit, events: [NodeEvent])] = []
        for listener in listeners {
            var posts: [ItemInfo] = []
            var followed: Set<PeerID> = []
            if !items.isEmpty { (posts, followed) = try await listener.reader.news(items, at: now, instant) }
            var news = lines[listener.visit.id, default: []].filter { !listener.unheard.contains($0.author) }
            for post in posts where followed.contains(post.author) && !listener.unheard.contains(post.author) {
                news.append(NewNotification(.post, of: post.id, by: post.author, at: post.at))
            }
            // An urgent post concerns everybody, wherever they are.
            for post in items where urgent.contains(post.id) && post.author != listener.visit.id {
                guard !listener.unheard.contains(post.author) else { continue }
                news.append(NewNotification(.urgent, of: post.id, by: post.author, at: post.firstSeen(at: now)))
            }
            let notified = try await listener.reader.note(
                news, and: acts[listener.visit.id] ?? [], fresh: personal.lines, at: now)
            let events =
                posts.suffix(Self.newsMax).map { NodeEvent.posted($0) }
                + notified.filter { !listener.unheard.contains($0.by.id) }.map { NodeEvent.notification($0) }
            if !events.isEmpty { all.append((listener.visit, events)) }
        }
        return all
    }

    /// Mentions, answers and emoji, by the persona they concern.
    private func linesByPersona(
        _ changes: [LineChange]
    ) async throws(RequestError) -> [PeerID: [NewNotification]] {
        var news = personal.byPersona
        for change in changes where change.kind == .reacted && change.by != change.line.from {
            news[change.line.from, default: []].append(
                NewNotification(
                    .reaction, of: change.line.record, by: change.by, at: now, in: change.line.room,
                    emoji: change.emoji ?? ""))
        }
        guard !personal.unresolved.isEmpty, let reader = listeners.first?.reader else { return news }
        let answered = Array(Set(personal.unresolved.compactMap { $0.reply?.record }).prefix(Self.linesMax))
        let found = try await stored { () throws(StoreError) in
            try await reader.store.history.lines(answered, at: now)
        }
        let authors = Dictionary(found.map { ($0.id, $0.author) }) { first, _ in first }
        for line in personal.unresolved {
            guard let author = line.reply.flatMap({ authors[$0.record] }), author != line.from else { continue }
            // It answers this person, so that it is no mere mention.
            news[author]?.removeAll { $0.kind == .mention && $0.subject == line.record }
            news[author, default: []].append(NewNotification(.reply, line))
        }
        return news
    }

    /// Likes, comments, attendances and follows, by the persona they concern.
    private func actsByPersona() async throws(RequestError) -> [PeerID: Set<RecordID>] {
        var acts: [PeerID: Set<RecordID>] = [:]
        var authors: [RecordID: PeerID] = [:]
        for record in records {
            guard let topic = Bytes32(record.record.topic) else { continue }
            switch record.kind {
            case .follow: acts[PeerID(topic), default: []].insert(record.id)
            case .like, .comment, .attendance:
                guard let author = try await author(of: RecordID(topic), &authors) else { continue }
                if author != record.author { acts[author, default: []].insert(record.id) }
            default: continue
            }
        }
        return acts
    }

    private func author(
        of item: RecordID, _ known: inout [RecordID: PeerID]
    ) async throws(RequestError) -> PeerID? {
        if let author = known[item] { return author }
        guard known.count < Self.itemsMax, let store = listeners.first?.reader.store else { return nil }
        let found = try await stored { () throws(StoreError) in try await store.items.item(item, at: now) }
        known[item] = found?.author
        return found?.author
    }
}

/// What a record does to a line, if the record that it names is one.
struct LineAct {
    let line: RecordID
    let kind: LineChange.Kind
    let by: PeerID
    let emoji: String?

    init?(_ record: VerifiedRecord) {
        by = record.author
        switch record.kind {
        case .edit, .deletion:
            guard let hash = Bytes32(record.record.topic) else { return nil }
            (line, kind, emoji) = (RecordID(hash), record.kind == .edit ? .edited : .deleted, nil)
        case .reaction:
            do {
                let topic = try ReactionTopic(decoding: record.record.topic)
                let holds = try Statement(decoding: record.record.body).holds
                guard let shown = Emoji(topic.emoji) else { return nil }
                (line, kind, emoji) = (topic.target, holds ? .reacted : .unreacted, shown.text)
            } catch {
                return nil  // The store refuses it.
            }
        default: return nil
        }
    }
}

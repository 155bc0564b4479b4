import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// Chat history, and the state of sync.
extension PersonaReader {
    /// The store answers in portions, so this pages backwards from the end.
    func history(_ query: HistoryQuery, at now: WallTime) async throws(RequestError) -> HistoryPage {
        // A private room hides the public room of its name.
        let privateRooms = try await stored { () throws(StoreError) in try await store.rooms.names() }
        if privateRooms.contains(query.room) { return try await rooms.history(query) }
        return try await publicHistory(query, at: now)
    }

    /// Public lines, whether or not this person has a private room of that name.
    func publicHistory(_ query: HistoryQuery, at now: WallTime) async throws(RequestError) -> HistoryPage {
        let topic = Array(query.room.text.utf8)
        var found: [StoredLine] = []
        var hasMore = true
        while hasMore, found.count < query.limit {
            let (before, limit) = (found.first?.id ?? query.before, query.limit - found.count)
            let page = try await stored { () throws(StoreError) in
                try await store.history.lines(of: topic, before: before, limit: limit, at: now)
            }
            found = page.lines + found
            hasMore = page.hasMore && !page.lines.isEmpty
        }
        return HistoryPage(lines: try await messages(found, at: now), hasMore: hasMore)
    }

    /// - Throws: `unknownLine` if no line of a public room has this id.
    func line(
        _ id: RecordID, at now: WallTime
    ) async throws(RequestError) -> (stored: StoredLine, message: Message) {
        let found = try await stored { () throws(StoreError) in try await store.history.lines([id], at: now) }
        guard let line = found.first, let message = try await messages([line], at: now).first else {
            throw .unknownLine
        }
        return (line, message)
    }

    /// Lines as people see them, with the lines that they answer.
    func messages(_ found: [StoredLine], at now: WallTime) async throws(RequestError) -> [Message] {
        let lines = try await unresolved(found)
        let here = Dictionary(lines.map { ($0.record, LineReference($0)) }) { first, _ in first }
        let others = lines.compactMap { $0.reply?.record }.filter { here[$0] == nil }
        var answered = here
        if !others.isEmpty {
            let missing = try await stored { () throws(StoreError) in
                try await store.history.lines(Array(Set(others)), at: now)
            }
            for line in try await unresolved(missing) { answered[line.record] = LineReference(line) }
        }
        return lines.map { $0.answering { answered[$0] } }
    }

    private func unresolved(_ found: [StoredLine]) async throws(RequestError) -> [Message] {
        var lines: [Message] = []
        for line in found {
            do {
                lines.append(
                    line.body == nil
                        ? try Message(deleted: line, by: try await name(of: line.author)) : try Message(line, me: me))
            } catch let error as RequestError {
                throw error
            } catch {
                continue  // A signed record that is no chat line; kept for peers that can read it.
            }
        }
        return lines
    }

    /// For records that have no name in them.
    private func name(of peer: PeerID) async throws(RequestError) -> PeerName? {
        let profile = try await stored { () throws(StoreError) in try await store.people.name(of: peer) }
        return Self.name(profile) ?? known(peer)
    }

    /// The stored state of sync, with or without a running node.
    func syncStatus(at now: WallTime) async throws(RequestError) -> StoredSyncStatus {
        let keeping = try await stored { () throws(StoreError) in try await store.reconciling.keeping(at: now) }
        let counts = try await stored { () throws(StoreError) in try await store.reconciling.groupCounts() }
        let compared = try await stored { () throws(StoreError) in try await store.reconciling.comparedPeers() }
        let caughtUp = try await stored { () throws(StoreError) in try await store.setting(ReconcileLedger.caughtUpKey)
        }
        var names: [PeerID: String] = [:]
        for peer in compared.map(\.peer) {
            names[peer] = try await stored { () throws(StoreError) in try await store.people.name(of: peer) }
        }
        let groups = SyncScope.Group.allCases.map { group in
            let since = keeping.since(group)?.wallTime
            return SyncStatus.Group(
                name: group.name, records: counts.first { $0.group == group }?.records ?? 0,
                since: since.flatMap { $0.milliseconds > 0 ? $0 : nil })
        }
        return StoredSyncStatus(
            caughtUpAt: caughtUp.flatMap { Int64($0) }.map(WallTime.init), groups: groups, compared: compared,
            names: names)
    }
}

struct StoredSyncStatus {
    let caughtUpAt: WallTime?
    let groups: [SyncStatus.Group]
    /// The most recent first.
    let compared: [ComparedPeer]
    /// Names of peers with a profile here.
    let names: [PeerID: String]

    /// - Parameters:
    ///   - connected: in the order of their links.
    ///   - names: neighbours' current names.
    func peers(connected: [PeerID], names now: [PeerID: String]) -> [SyncStatus.Peer] {
        let known = Dictionary(compared.map { ($0.peer, $0) }) { first, _ in first }
        let others = compared.map(\.peer).filter { !connected.contains($0) }
        return (connected + others).map { peer in
            SyncStatus.Peer(
                id: peer, name: now[peer] ?? names[peer] ?? peer.short, isConnected: connected.contains(peer),
                comparedAt: known[peer]?.at, gained: known[peer]?.gained ?? 0, given: known[peer]?.given ?? 0)
        }
    }
}

extension SyncScope.Group {
    /// The name that people use.
    var name: String {
        switch self {
        case .chat: "chat"
        case .posts: "posts"
        case .people: "people"
        case .changes: "changes"
        case .other: "other"
        }
    }
}

extension Message {
    /// A line that arrived just now.
    ///
    /// - Throws: what is wrong with it: a signed record need not be a line of this version.
    init(_ record: Record, id: RecordID, at time: WallTime, hops: Int?, isLate: Bool) throws {
        let line = try ChatLine(decoding: record.body)
        try self.init(
            line, id, in: record.topic, by: record.author, at: time, hops: hops, isLate: isLate)
    }

    /// - Throws: as above.
    fileprivate init(_ stored: StoredLine, me: PeerID) throws {
        let line = try ChatLine(decoding: stored.body ?? [])
        try self.init(
            line, stored.id, in: stored.topic, by: stored.author, at: stored.date,
            hops: stored.author == me ? 0 : nil, isLate: false)
        isEdited = stored.isEdited
        isUrgent = stored.isUrgent
        if let via = RecordVia(stored.via) { self.via = via }
        reactions = stored.reactions.filter { Emoji($0.emoji) != nil }.map { LineReaction($0.emoji, by: $0.authors) }
    }

    private init(
        _ line: ChatLine, _ id: RecordID, in topic: [UInt8], by author: PeerID, at time: WallTime, hops: Int?,
        isLate: Bool
    ) throws {
        guard let topic = String(validating: topic, as: UTF8.self) else {
            throw WireError.outOfRange(field: "chat topic")
        }
        self.init(
            record: id, room: try RoomName(topic), from: author, name: line.name, text: line.text,
            style: line.style == .says ? .says : .acts, at: time, hops: hops, isLate: isLate,
            isNotice: line.isNotice, reply: line.replyTo.map { LineReference($0) })
        file = line.file
    }

    fileprivate init(deleted stored: StoredLine, by name: PeerName?) throws {
        guard let topic = String(validating: stored.topic, as: UTF8.self) else {
            throw WireError.outOfRange(field: "chat topic")
        }
        self.init(
            record: stored.id, room: try RoomName(topic), from: stored.author,
            name: try name ?? PeerName(stored.author.short), text: "", style: .says, at: stored.date, hops: nil)
        isDeleted = true
    }
}

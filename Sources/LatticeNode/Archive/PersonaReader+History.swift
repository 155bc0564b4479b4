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
        return HistoryPage(lines: messages(found), hasMore: hasMore)
    }

    private func messages(_ found: [StoredLine]) -> [Message] {
        var lines: [Message] = []
        for line in found {
            do {
                lines.append(
                    try Message(
                        line.record.record, body: line.body, id: line.id, at: line.date,
                        hops: line.record.record.author == me ? 0 : nil, isLate: false))
            } catch {
                continue  // A signed record that is no chat line; kept for peers that can read it.
            }
        }
        return lines
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
    /// A line of chat as people see it.
    ///
    /// - Parameter body: that of an edit, or its own.
    /// - Throws: what is wrong with it: a signed record need not be a line of this version.
    init(
        _ record: Record, body: [UInt8]? = nil, id: RecordID, at time: WallTime, hops: Int?, isLate: Bool
    ) throws {
        let line = try ChatLine(decoding: body ?? record.body)
        guard let topic = String(validating: record.topic, as: UTF8.self) else {
            throw WireError.outOfRange(field: "chat topic")
        }
        self.init(
            record: id, room: try RoomName(topic), from: record.author, name: line.name, text: line.text,
            style: line.style == .says ? .says : .acts, at: time, hops: hops, isLate: isLate,
            isNotice: line.isNotice)
    }
}

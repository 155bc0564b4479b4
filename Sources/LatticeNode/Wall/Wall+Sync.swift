import LatticeAPI
import LatticeCore
import LatticeStore
import LatticeWire

// What was said while one was away, and how far it has come.
extension Wall {
    /// What the store gives in several portions is asked for from the end.
    func history(_ query: HistoryQuery, at now: WallTime) async throws(RequestError) -> HistoryPage {
        // One name, one meaning: what strangers say in a room of that name is not asked for.
        let privateRooms = try await stored { () throws(StoreError) in try await store.privateRooms() }
        if privateRooms.contains(query.room) { return try await rooms.history(query) }
        return try await publicHistory(query, at: now)
    }

    /// What everybody may read, whether or not a private room of this person has that name.
    func publicHistory(_ query: HistoryQuery, at now: WallTime) async throws(RequestError) -> HistoryPage {
        let topic = Array(query.room.text.utf8)
        var found: [StoredLine] = []
        var hasMore = true
        while hasMore, found.count < query.limit {
            let (before, limit) = (found.first?.id ?? query.before, query.limit - found.count)
            let page = try await stored { () throws(StoreError) in
                try await store.history(room: topic, before: before, limit: limit, at: now)
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
                        line.record.record, id: line.id, at: line.date, hops: line.record.record.author == me ? 0 : nil,
                        isLate: false))
            } catch {
                continue  // Signed by its author and still no chat line; kept for those who may read it.
            }
        }
        return lines
    }

    /// What the store knows of comparing, whether a node runs or not.
    func syncStatus(at now: WallTime) async throws(RequestError) -> StoredSyncStatus {
        let keeping = try await stored { () throws(StoreError) in try await store.keeping(at: now) }
        let counts = try await stored { () throws(StoreError) in try await store.groupCounts() }
        let compared = try await stored { () throws(StoreError) in try await store.comparedPeers() }
        let caughtUp = try await stored { () throws(StoreError) in try await store.setting(SyncLedger.caughtUpKey) }
        var names: [PeerID: String] = [:]
        for peer in compared.map(\.peer) {
            names[peer] = try await stored { () throws(StoreError) in try await store.profileName(of: peer) }
        }
        let groups = SyncScope.Group.allCases.map { group in
            let since = keeping.since(group)?.wall
            return SyncStatus.Group(
                name: group.name, records: counts.first { $0.group == group }?.records ?? 0,
                since: since.flatMap { $0.milliseconds > 0 ? $0 : nil })
        }
        return StoredSyncStatus(
            caughtUpAt: caughtUp.flatMap { Int64($0) }.map(WallTime.init), groups: groups, compared: compared,
            names: names)
    }
}

/// What a store knows of comparing.
struct StoredSyncStatus {
    let caughtUpAt: WallTime?
    let groups: [SyncStatus.Group]
    /// Whom it compared with last first.
    let compared: [ComparedPeer]
    /// Of those who have a profile here.
    let names: [PeerID: String]

    /// - Parameters:
    ///   - connected: in the order of their links.
    ///   - names: what neighbours call themselves now.
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
    /// What people call it.
    var name: String {
        switch self {
        case .chat: "chat"
        case .wall: "wall"
        case .people: "people"
        case .changes: "changes"
        case .other: "other"
        }
    }
}

extension Message {
    /// A line of chat as people see it.
    ///
    /// - Throws: what is wrong with it: it may be signed by its author and be no line of this version.
    init(_ record: Record, id: RecordID, at time: WallTime, hops: Int?, isLate: Bool) throws {
        let line = try ChatLine(decoding: record.body)
        guard let topic = String(validating: record.topic, as: UTF8.self) else {
            throw WireError.outOfRange(field: "chat topic")
        }
        self.init(
            record: id, room: try RoomName(topic), from: record.author, name: line.name, text: line.text,
            style: line.style == .says ? .says : .acts, at: time, hops: hops, isLate: isLate,
            isNotice: line.isNotice)
    }
}

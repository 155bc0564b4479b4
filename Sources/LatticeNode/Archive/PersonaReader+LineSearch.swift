import LatticeAPI
import LatticeCore
import LatticeStore

// Finding lines again.
extension PersonaReader {
    /// - Parameter conversation: with a person resolved.
    func find(
        _ request: SearchLines, in conversation: ConversationName?, at now: WallTime
    ) async throws(RequestError) -> SearchLines.Reply {
        let limit = try checked(limit: request.page.limit)
        guard request.words.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw .invalid(faults: [.noWord])
        }
        let sources = try await sources(of: conversation)
        let place =
            try request.page.after.map { (cursor) throws(RequestError) in try SearchPlace(cursor) } ?? SearchPlace()
        try await stored { () throws(StoreError) in try await store.lines.catchUp() }
        var found: [(at: SearchPlace.Source, number: Int64, line: FoundLine)] = []
        var ends: [SearchPlace.Source: Int64] = [:]
        for source in sources where place[source] != 0 {
            let (lines, next) = try await lines(of: source, request.words, conversation, place[source], limit, at: now)
            found += lines.map { (source, $0.number, $0.line) }
            ends[source] = next ?? 0
        }
        found = Self.merged(found, sources)
        // Each source goes on after what is shown of it; within a source numbers decide.
        var next = SearchPlace(done: place, ends: ends)
        for source in sources {
            let shown = found.prefix(limit).filter { $0.at == source }
            let hasMore = shown.count < found.count { $0.at == source }
            if hasMore { next[source] = shown.map(\.number).min() ?? place[source] }
        }
        return SearchLines.Reply(found.prefix(limit).map(\.line), next: next.isOver(sources) ? nil : next.cursor)
    }

    /// Each source keeps its order of numbers, so that the next page of it goes on below the last one shown; among sources the newer
    /// line comes first.
    private static func merged(
        _ found: [(at: SearchPlace.Source, number: Int64, line: FoundLine)], _ sources: [SearchPlace.Source]
    ) -> [(at: SearchPlace.Source, number: Int64, line: FoundLine)] {
        var rest = sources.map { source in
            found.filter { $0.at == source }.sorted { $0.number > $1.number }[...]
        }
        var merged: [(at: SearchPlace.Source, number: Int64, line: FoundLine)] = []
        while let next = rest.indices.filter({ !rest[$0].isEmpty }).max(by: {
            rest[$0][rest[$0].startIndex].line.at < rest[$1][rest[$1].startIndex].line.at
        }) {
            merged.append(rest[next].removeFirst())
        }
        return merged
    }

    private func sources(of conversation: ConversationName?) async throws(RequestError) -> [SearchPlace.Source] {
        switch conversation {
        case nil: return [.open, .rooms, .messages]
        case .peer: return [.messages]
        case .room(let room):
            let names = try await stored { () throws(StoreError) in try await store.rooms.names() }
            return names.contains(room) ? [.rooms] : [.open]
        }
    }

    private func lines(
        of source: SearchPlace.Source, _ words: String, _ conversation: ConversationName?, _ before: Int64?,
        _ limit: Int, at now: WallTime
    ) async throws(RequestError) -> LineSearch.Found<FoundLine> {
        let (room, peer) = (conversation?.roomName, conversation?.peerID)
        switch source {
        case .open:
            let found = try await stored { () throws(StoreError) in
                try await store.lines.publicLines(with: words, in: room, before: before, limit: limit, at: now)
            }
            // A private room hides the public room of its name.
            let hidden = try await stored { () throws(StoreError) in Set(try await store.rooms.names()) }
            let messages = try await messages(found.lines.map(\.line), at: now).filter { !hidden.contains($0.room) }
            let byID = Dictionary(messages.map { ($0.record, $0) }) { first, _ in first }
            return (
                found.lines.compactMap { number, line in byID[line.id].map { (number, FoundLine($0)) } }, found.next
            )
        case .rooms:
            let found = try await stored { () throws(StoreError) in
                try await store.lines.privateLines(with: words, in: room, before: before, limit: limit)
            }
            return (found.lines.map { ($0.number, FoundLine(Message($0.line, me: me))) }, found.next)
        case .messages:
            let found = try await stored { () throws(StoreError) in
                try await store.lines.messages(with: words, peer: peer, before: before, limit: limit)
            }
            let blocked = store.blockedAuthors
            return (
                found.lines.filter { !blocked.contains($0.line.peer) }.map {
                    ($0.number, FoundLine(PrivateMessage($0.line), name: $0.line.name, me: me))
                }, found.next
            )
        }
    }

    /// The line must be in a public room, in a private room of this persona, or among its private messages.
    func lines(around request: LinesAround, at now: WallTime) async throws(RequestError) -> SearchLines.Reply {
        guard LinesAround.countRange.contains(request.count) else {
            throw .invalid(faults: [.pageSize(max: LinesAround.countRange.upperBound)])
        }
        let digits = request.line.lowercased()
        guard digits.count >= LinesAround.digitsMin else { throw .unknownLine }
        let ids = try await stored { () throws(StoreError) in try await store.lines.ids(beginning: digits) }
        guard let id = ids.first, ids.count == 1 else { throw .unknownLine }
        let count = request.count
        let inRoom = try await stored { () throws(StoreError) in try await store.rooms.lines(around: id, count: count) }
        if !inRoom.isEmpty { return SearchLines.Reply(inRoom.map { FoundLine(Message($0, me: me)) }) }
        let told = try await stored { () throws(StoreError) in
            try await store.messages.lines(around: id, count: count)
        }
        if !told.isEmpty {
            return SearchLines.Reply(
                told.map { FoundLine(PrivateMessage($0), name: $0.name, me: me) })
        }
        let (line, shown) = try await line(id, at: now)
        let query = HistoryQuery(room: shown.room, limit: count, before: id)
        let before = try await publicHistory(query, at: now).lines
        let after = try await stored { () throws(StoreError) in
            try await store.history.lines(of: line.topic, after: line.id, limit: count, at: now)
        }
        return SearchLines.Reply((before + [shown] + (try await messages(after, at: now))).map { FoundLine($0) })
    }
}

/// How far a search has come in each table.
private struct SearchPlace {
    enum Source: Int, CaseIterable {
        case open
        case rooms
        case messages
    }

    /// Numbers below which to go on: `nil` from the start, 0 at the end.
    private var numbers: [Int64?] = [nil, nil, nil]

    init() {}

    init(done: SearchPlace, ends: [Source: Int64]) {
        self = done
        for (source, end) in ends { self[source] = end }
    }

    init(_ cursor: PageCursor) throws(RequestError) {
        let parts = cursor.text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "l" else { throw .invalid(faults: [.otherCursor]) }
        for (source, part) in zip(Source.allCases, parts.dropFirst()) where !part.isEmpty {
            guard let number = Int64(part, radix: 36), number >= 0 else { throw .invalid(faults: [.otherCursor]) }
            self[source] = number
        }
    }

    subscript(_ source: Source) -> Int64? {
        get { numbers[source.rawValue] }
        set { numbers[source.rawValue] = newValue }
    }

    func isOver(_ sources: [Source]) -> Bool { sources.allSatisfy { self[$0] == 0 } }

    var cursor: PageCursor {
        PageCursor("l-\(numbers.map { $0.map { String($0, radix: 36) } ?? "" }.joined(separator: "-"))")
    }
}

extension ConversationName {
    fileprivate var roomName: RoomName? { if case .room(let room) = self { room } else { nil } }
    fileprivate var peerID: PeerID? { if case .peer(let peer) = self { peer.id } else { nil } }
}

extension FoundLine {
    /// - Parameter name: its author's.
    fileprivate init(_ message: PrivateMessage, name: String, me: PeerID) {
        self.init(
            record: message.record, conversation: .peer(PeerReference(message.peer)),
            from: message.isMine ? me : message.peer, name: name, text: message.text, at: message.at, isPrivate: true)
    }
}

import LatticeAPI
import LatticeCore

/// A CHATHISTORY request (IRCv3 draft/chathistory).
struct IRCHistoryWish: Equatable, Sendable {
    enum Kind: String {
        case latest = "LATEST"
        case before = "BEFORE"
        case after = "AFTER"
        case around = "AROUND"
        case between = "BETWEEN"
        case targets = "TARGETS"
    }

    enum Point: Equatable, Sendable {
        case id(String)
        case date(WallTime)

        init?(_ text: String) {
            if text.hasPrefix("msgid=") {
                let id = text.dropFirst(6)
                let isRecord = id.count == 64 && id.allSatisfy { $0.isHexDigit }
                guard isRecord || id.hasPrefix("letter-") else { return nil }
                self = .id(String(id))
            } else if text.hasPrefix("timestamp="), let date = RFC3339.read(text.dropFirst(10)) {
                self = .date(date)
            } else {
                return nil
            }
        }
    }

    struct Entry {
        let id: String
        let date: WallTime
    }

    let kind: Kind
    let target: String
    /// None for LATEST *, two for BETWEEN and TARGETS, else one.
    let points: [Point]
    let limit: Int

    /// - Throws: the code for a FAIL.
    init(_ params: [String], limitMax: Int) throws(IRCHistoryFault) {
        guard let word = params.first, let kind = Kind(rawValue: word.uppercased()) else { throw .unknownCommand }
        let texts: ArraySlice<String>
        if kind == .targets {
            guard params.count >= 4 else { throw .needMoreParams }
            (target, texts) = ("*", params[1...2])
        } else {
            guard params.count >= (kind == .between ? 5 : 4) else { throw .needMoreParams }
            (target, texts) = (params[1], kind == .between ? params[2...3] : params[2...2])
        }
        let isLatest = kind == .latest && texts.first == "*"
        let points = isLatest ? [] : texts.compactMap(Point.init)
        guard isLatest || points.count == texts.count else { throw .invalidParams }
        guard let limit = Int(params[texts.endIndex]), limit > 0 else { throw .invalidParams }
        self.kind = kind
        self.points = points
        self.limit = min(limit, limitMax)
    }

    /// The range of the requested lines.
    ///
    /// - Parameter entries: lines, oldest first.
    /// - Returns: `nil` if a message id in the request is not among them.
    func selection(of entries: [Entry]) -> Range<Int>? {
        for case .id(let id) in points where !entries.contains(where: { $0.id == id }) { return nil }
        switch kind {
        case .latest:
            let start = points.first.map { end(of: $0, entries) } ?? 0
            return max(start, entries.count - limit)..<entries.count
        case .before:
            let end = points.first.map { start(of: $0, entries) } ?? entries.count
            return max(0, end - limit)..<end
        case .after:
            let start = points.first.map { end(of: $0, entries) } ?? 0
            return start..<min(entries.count, start + limit)
        case .around:
            let middle = points.first.map { start(of: $0, entries) } ?? 0
            let first = max(0, middle - limit / 2)
            return first..<min(entries.count, first + limit)
        case .between, .targets:
            guard points.count == 2 else { return 0..<0 }
            let isForward = start(of: points[0], entries) <= start(of: points[1], entries)
            let (low, high) = isForward ? (points[0], points[1]) : (points[1], points[0])
            let start = end(of: low, entries)
            let end = max(start, self.start(of: high, entries))
            return isForward ? start..<min(end, start + limit) : max(start, end - limit)..<end
        }
    }

    /// Whether reading older lines cannot change the selection, because a line precedes it.
    func isSettled(by range: Range<Int>?) -> Bool {
        (range?.lowerBound ?? 0) > 0 || kind == .latest && points.isEmpty
    }

    /// The first entry at or after a point; the end if there is none.
    private func start(of point: Point, _ entries: [Entry]) -> Int {
        switch point {
        case .id(let id): entries.firstIndex { $0.id == id } ?? entries.count
        case .date(let date): entries.firstIndex { $0.date >= date } ?? entries.count
        }
    }

    private func end(of point: Point, _ entries: [Entry]) -> Int {
        switch point {
        case .id(let id): entries.firstIndex { $0.id == id }.map { $0 + 1 } ?? entries.count
        case .date(let date): entries.firstIndex { $0.date > date } ?? entries.count
        }
    }
}

enum IRCHistoryFault: String, Error {
    case needMoreParams = "NEED_MORE_PARAMS"
    case invalidParams = "INVALID_PARAMS"
    case unknownCommand = "UNKNOWN_COMMAND"
}

extension IRCGateway {
    /// Lines read in one step of a search.
    private static let stepLines = 2_000
    /// Steps in one search: half a million lines, more than a node stores for a room.
    private static let stepsMax = 250
    /// How many lines are searched for a message id.
    private static let idWindowLines = 20_000
    /// Lines that a node stores for one conversation.
    private static let conversationLines = 10_000

    mutating func history(_ params: [String], of id: ConnectionID) {
        do throws(IRCHistoryFault) {
            let wish = try IRCHistoryWish(params, limitMax: limits.historyLinesMax)
            if wish.kind == .targets { return targets(wish, of: id) }
            guard IRCChannel.isOne(wish.target) else { return privateHistory(wish, of: id) }
            guard let room = room(wish.target), connections[id]?.rooms[room] != nil else {
                return historyFail(id, "INVALID_TARGET", wish, "JOIN the room first")
            }
            roomHistory(wish, room, of: id)
        } catch {
            let words = params.prefix(2).map(Self.named)
            fail(
                id, "CHATHISTORY", error.rawValue, Array(words),
                trailing: "Example: CHATHISTORY LATEST #room * 50")
        }
    }

    private func room(_ name: String) -> RoomName? {
        do {
            guard case .room(let room) = try IRCChannel(name) else { return nil }
            return room
        } catch {
            return nil
        }
    }

    private mutating func historyFail(_ id: ConnectionID, _ code: String, _ wish: IRCHistoryWish, _ text: String) {
        fail(id, "CHATHISTORY", code, [wish.kind.rawValue, Self.named(wish.target)], trailing: text)
    }

    /// The specification has no code for an unknown message; MESSAGE_ERROR stands for history that "cannot be returned
    /// due to an error". The client can continue by date.
    private mutating func unknownPoint(_ wish: IRCHistoryWish, _ id: ConnectionID) {
        let points = wish.points.compactMap { if case .id(let text) = $0 { "msgid=\(text)" } else { nil } }
        fail(
            id, "CHATHISTORY", "MESSAGE_ERROR", [wish.kind.rawValue, Self.named(wish.target)] + points,
            trailing:
                "This message is not among the last \(Self.idWindowLines) here; use a timestamp"
        )
    }

    private mutating func roomHistory(_ wish: IRCHistoryWish, _ room: RoomName, of id: ConnectionID) {
        guard wish.kind == .before, case .id(let text) = wish.points.first, let hash = Bytes32(hex: text) else {
            return search(wish, room, in: [], steps: 0, of: id)
        }
        let record = RecordID(hash)
        ask(id, .perform(.history(HistoryQuery(room: room, limit: wish.limit, before: record)))) {
            gateway, id, outcome in
            guard case .success(.answer(.history(let page))) = outcome else {
                return gateway.historyFail(id, "MESSAGE_ERROR", wish, Self.unreadable)
            }
            guard page.lines.isEmpty else { return gateway.tellHistory(id, room.text, gateway.lines(page.lines)) }
            gateway.tellOfNothing(before: record, wish, room, of: id)
        }
    }

    private static let unreadable = "The history cannot be read right now; try again"

    /// Reads back in steps until the requested lines are found or there are no more.
    ///
    /// - Parameter known: the lines read so far that may still matter, oldest first.
    private mutating func search(
        _ wish: IRCHistoryWish, _ room: RoomName, in known: [Message], steps: Int, of id: ConnectionID
    ) {
        let count = wish.kind == .latest && wish.points.isEmpty ? wish.limit : Self.stepLines
        let query = HistoryQuery(room: room, limit: count, before: known.first?.record)
        ask(id, .perform(.history(query))) { gateway, id, outcome in
            guard case .success(.answer(.history(let page))) = outcome else {
                return gateway.historyFail(id, "MESSAGE_ERROR", wish, Self.unreadable)
            }
            let lines = page.lines + known
            let range = wish.selection(of: lines.map { IRCHistoryWish.Entry(id: $0.record.hex, date: $0.at) })
            let isOver =
                !page.hasMore || page.lines.isEmpty || steps + 1 >= Self.stepsMax
                || range == nil && lines.count >= Self.idWindowLines
            guard isOver || wish.isSettled(by: range) else {
                // Drop lines that an older selection cannot include.
                let kept = range == nil ? lines[...] : lines.prefix(2 * wish.limit + 1)
                return gateway.search(wish, room, in: Array(kept), steps: steps + 1, of: id)
            }
            guard let range else { return gateway.unknownPoint(wish, id) }
            gateway.tellHistory(id, room.text, gateway.lines(Array(lines[range])))
        }
    }

    /// Replies if nothing precedes the record: it is the first line of the room, or unknown.
    private mutating func tellOfNothing(
        before record: RecordID, _ wish: IRCHistoryWish, _ room: RoomName, of id: ConnectionID
    ) {
        ask(id, .perform(.history(HistoryQuery(room: room, limit: Self.stepLines)))) { gateway, id, outcome in
            guard case .success(.answer(.history(let page))) = outcome,
                page.hasMore || page.lines.contains(where: { $0.record == record })
            else { return gateway.unknownPoint(wish, id) }
            gateway.tellHistory(id, room.text, [])
        }
    }

    private func lines(_ messages: [Message]) -> [IRCLine] {
        messages.flatMap { lines($0, from: speaker($0.from, $0.name)) }
    }

    private mutating func privateHistory(_ wish: IRCHistoryWish, of id: ConnectionID) {
        if let peer = person(wish.target)?.id ?? absent(wish.target) {
            return privateHistory(wish, with: peer, of: id)
        }
        ask(id, .perform(.known(.find(PeerReference(IRCNick.reference(wish.target)))))) { gateway, id, outcome in
            guard case .success(.answer(.known(.person(let person)))) = outcome else {
                return gateway.historyFail(
                    id, "INVALID_TARGET", wish, Self.nobody)
            }
            gateway.privateHistory(wish, with: person.id, of: id)
        }
    }

    private func absent(_ nick: String) -> PeerID? {
        gone.last { IRCNick.folded($0.nick) == IRCNick.folded(nick) }?.id
    }

    private mutating func privateHistory(_ wish: IRCHistoryWish, with peer: PeerID, of id: ConnectionID) {
        privateHistory(wish, with: peer, limit: Self.stepLines, of: id)
    }

    /// Reads the whole conversation if the requested lines are not among its last ones.
    private mutating func privateHistory(_ wish: IRCHistoryWish, with peer: PeerID, limit: Int, of id: ConnectionID) {
        ask(id, .perform(.privateHistory(peer, limit: limit))) { gateway, id, outcome in
            guard case .success(.answer(.privateHistory(let messages))) = outcome else {
                return gateway.historyFail(id, "MESSAGE_ERROR", wish, Self.unreadable)
            }
            let entries = messages.map { IRCHistoryWish.Entry(id: IRCGateway.msgid($0), date: $0.at) }
            let range = wish.selection(of: entries)
            guard wish.isSettled(by: range) || messages.count < limit || limit >= Self.conversationLines else {
                return gateway.privateHistory(wish, with: peer, limit: Self.conversationLines, of: id)
            }
            guard let range else { return gateway.unknownPoint(wish, id) }
            let lines = messages[range].flatMap { gateway.lines($0, id) }
            gateway.tellHistory(id, wish.target, lines)
        }
    }

    private func lines(_ message: PrivateMessage, _ id: ConnectionID) -> [IRCLine] {
        guard let own = connections[id]?.person.flatMap({ people[$0] }) else { return [] }
        let other = speaker(message.peer, message.peerName)
        let (from, to) = message.isMine ? (own, other) : (other, own)
        return lines(message, from: from, to: to.nick)
    }

    private mutating func tellHistory(
        _ id: ConnectionID, _ target: String, _ lines: [IRCLine], _ type: String = "chathistory"
    ) {
        let lines = showsDates(id) ? lines : lines.map { dated($0) }
        guard makesBatches(id) else {
            for line in lines { reply(id, line) }
            return
        }
        let batch = nextBatch()
        let params = ["+\(batch)", type] + (target.isEmpty ? [] : [target])
        reply(id, IRCLine(source: settings.serverName, "BATCH", params))
        for var line in lines {
            line.batch = batch
            reply(id, line)
        }
        reply(id, IRCLine(source: settings.serverName, "BATCH", ["-\(batch)"]))
    }

    /// Shows the last lines of a room on joining, unless the client can request them itself.
    mutating func shownPast(
        _ room: RoomName, _ id: ConnectionID, then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        guard limits.replayLines > 0, capabilities[id]?.contains(.chathistory) == false else {
            return next(&self)
        }
        ask(id, .perform(.history(HistoryQuery(room: room, limit: limits.replayLines)))) { gateway, id, outcome in
            if case .success(.answer(.history(let page))) = outcome, !page.lines.isEmpty {
                gateway.tellHistory(id, room.text, gateway.lines(page.lines))
            }
            next(&gateway)
        }
    }

    /// Shows those of the last lines that were not known before.
    mutating func shownSince(
        _ known: Set<RecordID>, _ room: RoomName, _ id: ConnectionID,
        then next: @escaping @Sendable (inout IRCGateway) -> Void
    ) {
        ask(id, .perform(.history(HistoryQuery(room: room, limit: limits.historyLinesMax)))) { gateway, id, outcome in
            if case .success(.answer(.history(let page))) = outcome {
                let new = page.lines.filter { !known.contains($0.record) }
                if !new.isEmpty { gateway.tellHistory(id, room.text, gateway.lines(new)) }
            }
            next(&gateway)
        }
    }

    /// Lists the conversations and rooms with lines between two dates.
    private mutating func targets(_ wish: IRCHistoryWish, of id: ConnectionID) {
        let rooms = connections[id]?.rooms.keys.sorted() ?? []
        let found = IRCTargets()
        ask(id, .perform(.conversations)) { gateway, id, outcome in
            var all = found
            if case .success(.answer(.privateHistory(let last))) = outcome {
                for message in last { all.add(gateway.speaker(message.peer, message.peerName).nick, message.at) }
            }
            gateway.lastLines(rooms[...], all, wish, of: id)
        }
    }

    private mutating func lastLines(
        _ rooms: ArraySlice<RoomName>, _ found: IRCTargets, _ wish: IRCHistoryWish, of id: ConnectionID
    ) {
        guard let room = rooms.first else {
            let lines = found.between(wish).map { name, date in
                IRCLine(source: settings.serverName, "CHATHISTORY", ["TARGETS", name, RFC3339.string(date)])
            }
            return tellHistory(id, "", lines, "draft/chathistory-targets")
        }
        ask(id, .perform(.history(HistoryQuery(room: room, limit: 1)))) { gateway, id, outcome in
            var found = found
            if case .success(.answer(.history(let page))) = outcome, let last = page.lines.last {
                found.add(room.text, last.at)
            }
            gateway.lastLines(rooms.dropFirst(), found, wish, of: id)
        }
    }
}

private struct IRCTargets: Sendable {
    private var dates: [(name: String, date: WallTime)] = []

    mutating func add(_ name: String, _ date: WallTime) { dates.append((name, date)) }

    func between(_ wish: IRCHistoryWish) -> [(name: String, date: WallTime)] {
        let bounds = wish.points.compactMap { point -> WallTime? in
            if case .date(let date) = point { date } else { nil }
        }
        guard let low = bounds.min(), let high = bounds.max() else { return [] }
        let found = dates.filter { low < $0.date && $0.date < high }.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
        return Array(found.prefix(wish.limit))
    }
}

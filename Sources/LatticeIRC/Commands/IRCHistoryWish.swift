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
                guard isRecord || id.hasPrefix("message-") else { return nil }
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

/// The conversations and rooms of CHATHISTORY TARGETS, each with the date of its last line.
struct IRCTargets: Sendable {
    private var dates: [(name: String, date: WallTime)] = []
    /// Rooms whose last line is not known yet.
    private var rooms: ArraySlice<RoomName>

    init(rooms: [RoomName]) {
        self.rooms = rooms[...]
    }

    var nextRoom: RoomName? { rooms.first }

    mutating func add(_ name: String, _ date: WallTime) { dates.append((name, date)) }

    /// - Parameter date: when the last line of `nextRoom` was said, if there is one.
    mutating func answered(_ date: WallTime?) {
        guard let room = rooms.popFirst(), let date else { return }
        add(room.text, date)
    }

    func between(_ wish: IRCHistoryWish) -> [(name: String, date: WallTime)] {
        let bounds = wish.points.compactMap { point -> WallTime? in
            if case .date(let date) = point { date } else { nil }
        }
        guard let low = bounds.min(), let high = bounds.max() else { return [] }
        let found = dates.filter { low < $0.date && $0.date < high }.sorted { ($0.date, $0.name) < ($1.date, $1.name) }
        return Array(found.prefix(wish.limit))
    }
}

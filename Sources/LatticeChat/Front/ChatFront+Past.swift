import LatticeAPI
import LatticeCore

// History, and lines that arrive late.
extension ChatFront {
    /// How many past lines are shown unasked.
    static let pastLines = 50
    /// How much more history to read than there are late lines: other lines may stand between them.
    private static let linesBetweenMax = 200

    // MARK: - History

    /// Shows the history of a room unasked. Errors are silent here: a broken store has a notice of its own.
    func showPast(of room: RoomName) async throws(ScreenClosed) {
        guard !conversation.isMuted(room) else { return }
        let lines: [Message]
        do {
            lines = try await page(of: room, Self.pastLines).lines
        } catch {
            return
        }
        // Lines that I typed before the history arrived are no history.
        let before = lines.filter { line in
            !conversation.hasShown(line.record) && !(line.from == conversation.me && line.at >= begunAt)
        }
        try await showTogether(past(before, isLate: false))
    }

    func showHistory(of room: RoomName?, count: Int?) async throws {
        if room == nil, let partner = conversation.partner { return try await showPrivateHistory(of: partner, count) }
        guard let room = room ?? conversation.current else { throw CommandError.noRoom }
        let count = count ?? Self.pastLines
        let page: HistoryPage
        do {
            page = try await self.page(of: room, count)
        } catch {
            throw CommandError(code: error.code.rawValue, description: error.description)
        }
        let items = past(page.lines, isLate: false)
        guard !items.isEmpty else { return try await show(.reply(.text(HistoryLines.nothing(in: room)))) }
        let hasMore = page.hasMore && count < HistoryQuery.limitMax
        let more = ChatItem.earlier(nil, call: call(HistoryLines.wider(count), of: room))
        try await showTogether((hasMore ? [more] : []) + items)
    }

    func page(of room: RoomName, _ count: Int) async throws(RequestError) -> HistoryPage {
        try await node.perform(HistoryQuery(room: room, limit: count))
    }

    /// The command that shows `count` lines of a room.
    private func call(_ count: Int, of room: RoomName) -> String {
        conversation.isCurrent(room) ? "/history \(count)" : "/history \(DisplayText.isolated(room.text)) \(count)"
    }

    /// Lines of people I do not ignore, with day marks between them.
    func past(_ messages: [Message], isLate: Bool) -> [ChatItem] {
        var days = DayMarks(at: settings.now(), in: settings.calendar)
        var items = conversation.past(messages).flatMap { message, shown -> [ChatItem] in
            let line = ChatItem.past(
                message, shown: shown, isCurrentRoom: conversation.isCurrent(message.room), isLate: isLate)
            return (days.mark(before: message.at).map { [.day($0)] } ?? []) + [line]
        }
        if let end = days.end() { items.append(.day(end)) }
        return items
    }

    // MARK: - Late items

    /// Collects a late item to show it later together with others.
    ///
    /// - Returns: whether the item was collected.
    func gather(_ item: ChatItem) -> Bool {
        switch item {
        case .message(let message, _, _, _) where message.isLate && !settings.isForPrograms:
            _ = catchUp.handle(.line(message), at: instant)
        case .posted(let post, let shown) where (isOld(post) || catchUp.isBehind) && !settings.isForPrograms:
            _ = catchUp.handle(.post(CatchUp.LatePost(post, shown: shown)), at: instant)
        case .privateMessage(let message, _, _, _) where message.isLate && !message.isMine && !settings.isForPrograms:
            _ = news.handle(.line(message), at: instant)
        case .privateState(let progress, _) where !settings.isForPrograms:
            _ = news.handle(.progress(progress), at: instant)
        default: return false
        }
        catchUpGoesOn.yield()
        return true
    }

    /// Posts carry no late flag. One older than any path through a mesh takes is late.
    private func isOld(_ post: ItemInfo) -> Bool {
        settings.now().milliseconds - post.at.milliseconds > 60_000
    }

    /// Shows the last of the late lines, in the order of the room's history.
    func showLate(_ messages: [Message], count: Int, in room: RoomName) async throws(ScreenClosed) {
        let late = messages.filter { !conversation.hasShown($0.record) && !conversation.isUnheard($0.from) }
        guard !late.isEmpty else { return }
        let count = count - (messages.count - late.count)
        let (ordered, depth) = await ordered(late, in: room)
        let shown = ordered.suffix(Self.pastLines)
        var items = past(Array(shown), isLate: true)
        if count > shown.count {
            let wanted = min(max(count, depth), HistoryQuery.limitMax)
            items.insert(.earlier(count - shown.count, call: call(wanted, of: room)), at: 0)
        }
        try await showTogether(items)
    }

    /// The late lines in the order of the history, and how far from its end the first one stands. Lines outside the
    /// part of the history that was read come first, by date.
    private func ordered(_ late: [Message], in room: RoomName) async -> (lines: [Message], depth: Int) {
        let limit = min(late.count + Self.linesBetweenMax, HistoryQuery.limitMax)
        let history: [Message]
        do {
            history = try await page(of: room, limit).lines
        } catch {
            history = []
        }
        let wanted = Set(late.map(\.record))
        let found = history.filter { wanted.contains($0.record) }
        let known = Set(found.map(\.record))
        let rest = late.filter { !known.contains($0.record) }.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }
        let first = history.firstIndex { wanted.contains($0.record) } ?? 0
        return (rest.map(\.element) + found, history.count - first)
    }

    /// Shows the items as one block, so that nothing comes between them.
    func showTogether(_ items: [ChatItem]) async throws(ScreenClosed) {
        for rendered in Rendered.joined(items.map(rendered)) where rendered != Rendered() {
            try await screen.show(rendered)
        }
    }
}

import LatticeAPI
import LatticeCore

// What was said before one came, and what comes late.
extension ChatFront {
    /// As many lines as a person sees without having asked for them.
    static let pastLines = 50
    /// Lines heard in time may stand among those that came late; so many of them are looked through, too.
    private static let linesBetweenMax = 200

    // MARK: - History

    /// What was said in a room before one came. Nobody asked for it, so that there is nothing to say of a store that is
    /// not to be read: a line of its own tells of that.
    func showPast(of room: RoomName) async throws(ScreenClosed) {
        guard !conversation.isMuted(room) else { return }
        let lines: [Message]
        do {
            lines = try await page(of: room, Self.pastLines).lines
        } catch {
            return
        }
        // What was typed before the past was here is no part of it.
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

    /// How to see so many lines of a room.
    private func call(_ count: Int, of room: RoomName) -> String {
        conversation.isCurrent(room) ? "/history \(count)" : "/history \(DisplayText.isolated(room.text)) \(count)"
    }

    /// Lines as they are shown: those of people one does not ignore, each day under its name.
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

    // MARK: - What comes late

    /// To gather tells nothing yet.
    ///
    /// - Returns: whether it is shown later, with others.
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

    /// Nobody says of a post whether it came late. One that is older than any way through a mesh takes did.
    private func isOld(_ post: ItemInfo) -> Bool {
        settings.now().milliseconds - post.at.milliseconds > 60_000
    }

    /// Shows the last lines of those that came late, in the order that they have for everybody.
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

    /// The same lines as the history of their room has them, and how many lines from its end the first of them stands. What
    /// it does not have, or has farther back, stands before them by its date.
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

    /// At once, so that nothing comes between.
    func showTogether(_ items: [ChatItem]) async throws(ScreenClosed) {
        for rendered in Rendered.joined(items.map(rendered)) where rendered != Rendered() {
            try await screen.show(rendered)
        }
    }
}

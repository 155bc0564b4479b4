import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// History, and what arrives late.
final class ChatPast {
    /// How many past lines are shown unasked.
    static let linesShown = 50
    /// How much more history to read than there are late lines: other lines may stand between them.
    private static let linesBetweenMax = 200

    private let desk: ChatDesk
    /// Holds new lines while a history is shown.
    let newLines = Gate()
    private var catchUp = CatchUp()
    /// Effects of `catchUp` that are not carried out yet.
    private var effects: [CatchUp.Effect] = []
    private var isCarryingOut = false

    init(_ desk: ChatDesk) { self.desk = desk }

    // MARK: - History

    /// Shows the history of a room unasked. Errors are silent here: a broken store has a notice of its own.
    nonisolated(nonsending) func show(_ room: RoomName) async throws(ScreenClosed) {
        guard !desk.conversation.isMuted(room) else { return }
        let lines: [Message]
        do {
            lines = try await page(of: room, Self.linesShown).lines
        } catch {
            return
        }
        // Lines that I typed before the history arrived are no history.
        let before = lines.filter { line in
            !desk.conversation.hasShown(line.record) && !(line.from == desk.conversation.me && line.at >= desk.begunAt)
        }
        let unread = desk.conversation.unread.clear(.room(room))
        try await desk.showTogether(past(before, isLate: false, newFrom: firstUnread(of: before, count: unread)))
    }

    /// The line after which reading stopped; `nil` if all of these are new, or none.
    private func firstUnread(of lines: [Message], count: Int) -> RecordID? {
        guard count > 0 else { return nil }
        var left = count
        for (index, line) in lines.enumerated().reversed()
        where line.from != desk.conversation.me && !desk.conversation.isUnheard(line.from) {
            left -= 1
            if left == 0 { return index > 0 ? line.record : nil }
        }
        return nil
    }

    nonisolated(nonsending) func showHistory(of room: RoomName?, count: Int?) async throws {
        guard let room = room ?? desk.conversation.current else { throw CommandError.noRoom }
        let count = count ?? Self.linesShown
        let page: HistoryPage
        do {
            page = try await self.page(of: room, count)
        } catch {
            throw CommandError(code: error.code.rawValue, description: error.words)
        }
        let items = past(page.lines, isLate: false)
        guard !items.isEmpty else { return try await desk.show(.reply(.text(HistoryLines.nothing(in: room)))) }
        let hasMore = page.hasMore && count < HistoryQuery.limitMax
        let more = ChatItem.earlier(nil, call: call(HistoryLines.wider(count), of: room))
        try await desk.showTogether((hasMore ? [more] : []) + items)
    }

    nonisolated(nonsending) private func page(of room: RoomName, _ count: Int) async throws(RequestError) -> HistoryPage
    {
        try await desk.node.perform(HistoryQuery(room: room, limit: count))
    }

    /// The command that shows `count` lines of a room.
    private func call(_ count: Int, of room: RoomName) -> String {
        desk.conversation.isCurrent(room) ? "/history \(count)" : "/history \(DisplayText.isolated(room.text)) \(count)"
    }

    /// Lines of people I do not ignore, with day marks between them.
    ///
    /// - Parameter newFrom: a rule stands before this line.
    private func past(_ messages: [Message], isLate: Bool, newFrom: RecordID? = nil) -> [ChatItem] {
        var days = DayMarks(at: desk.settings.now(), in: desk.settings.calendar)
        var items = desk.conversation.past(messages).flatMap { message, shown -> [ChatItem] in
            let line = ChatItem.past(
                message, shown: shown, isCurrentRoom: desk.conversation.isCurrent(message.room), isLate: isLate)
            let mark = days.mark(before: message.at).map { [ChatItem.day($0)] } ?? []
            return mark + (message.record == newFrom ? [.day("── new ──")] : []) + [line]
        }
        if let end = days.end() { items.append(.day(end)) }
        return items
    }

    /// Shows what was said between the end of one node and the start of the next.
    nonisolated(nonsending) func showMeanwhile() async throws(ScreenClosed) {
        for room in desk.conversation.joined where !desk.conversation.isMuted(room) {
            let lines: [Message]
            do {
                lines = try await page(of: room, Self.linesShown).lines
            } catch {
                return  // Nothing is stored.
            }
            let missed = lines.filter { line in
                line.at >= desk.begunAt && !desk.conversation.hasShown(line.record)
                    && !(line.from == desk.conversation.me && desk.said.holds(line))
            }
            try await desk.showTogether(past(missed, isLate: false))
        }
    }

    // MARK: - Late items

    /// Collects a late item to show it later together with others.
    ///
    /// - Returns: whether the item was collected.
    func gather(_ item: ChatItem) -> Bool {
        switch item {
        case .message(let message, _, _, _, _) where message.isLate && !desk.settings.isForPrograms:
            _ = catchUp.handle(.line(message), at: desk.instant)
        case .lineChanged(let change, _, _, _): return catchUp.change(change.line)
        case .posted(let post, let shown) where (isOld(post) || catchUp.isBehind) && !desk.settings.isForPrograms:
            _ = catchUp.handle(.post(CatchUp.LatePost(post, shown: shown)), at: desk.instant)
        case .pinned(let change, _, _) where catchUp.isBehind && !desk.settings.isForPrograms:
            _ = catchUp.handle(.pins(change.room), at: desk.instant)
        default: return false
        }
        desk.ticksAreNeeded.raise()
        return true
    }

    /// Posts carry no late flag. One older than any path through a mesh takes is late.
    private func isOld(_ post: ItemInfo) -> Bool {
        desk.settings.now().milliseconds - post.at.milliseconds > 60_000
    }

    /// Shows the last of the late lines, in the order of the room's history.
    nonisolated(nonsending) private func showLate(_ messages: [Message], count: Int, in room: RoomName)
        async throws(ScreenClosed)
    {
        let late = messages.filter { !desk.conversation.hasShown($0.record) && !desk.conversation.isUnheard($0.from) }
        guard !late.isEmpty else { return }
        let count = count - (messages.count - late.count)
        let (ordered, depth) = await ordered(late, in: room)
        let shown = ordered.suffix(Self.linesShown)
        var items = past(Array(shown), isLate: true)
        if count > shown.count {
            let wanted = min(max(count, depth), HistoryQuery.limitMax)
            items.insert(.earlier(count - shown.count, call: call(wanted, of: room)), at: 0)
        }
        try await desk.showTogether(items)
    }

    /// The late lines in the order of the history, and how far from its end the first one stands. Lines outside the
    /// part of the history that was read come first, by date.
    nonisolated(nonsending) private func ordered(_ late: [Message], in room: RoomName) async -> (
        lines: [Message], depth: Int
    ) {
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

    // MARK: - Progress of reconciling with neighbours

    /// Whether ticks are needed.
    var isWaiting: Bool { catchUp.isWaiting }

    nonisolated(nonsending) func handle(_ event: CatchUp.Event) async throws(ScreenClosed) {
        effects += catchUp.handle(event, at: desk.instant)
        if catchUp.isWaiting { desk.ticksAreNeeded.raise() }
        // Some effects wait for the node. One caller carries them all out, in order; other callers only add to the
        // queue.
        guard !isCarryingOut else { return }
        isCarryingOut = true
        defer { isCarryingOut = false }
        while !effects.isEmpty { try await carryOut(effects.removeFirst()) }
    }

    nonisolated(nonsending) private func carryOut(_ effect: CatchUp.Effect) async throws(ScreenClosed) {
        switch effect {
        case .bar(let progress): await desk.screen.setProgress(progress.map(SyncPhrases.bar))
        case .lines(let room, let messages, let count): try await showLate(messages, count: count, in: room)
        case .posts(let posts): for post in posts { try await desk.show(.posted(post.item, shown: post.shown)) }
        case .manyPosts(let count): try await desk.show(.latePosts(count))
        case .pins(let room): if desk.conversation.isCurrent(room) { try await ChatPins(desk).entered(room) }
        case .caughtUp(let progress): try await desk.show(.caughtUp(progress))
        case .statusWanted(let isLast): try await answer(isLast: isLast)
        }
    }

    nonisolated(nonsending) func compare() async throws {
        guard desk.conversation.connectedCount > 0 else {
            return try await desk.show(.reply(.text(SyncPhrases.nobodyThere)))
        }
        try await desk.ask(SyncNow())
        try await handle(.asked)
    }

    nonisolated(nonsending) func showStatus() async throws {
        let status = try await desk.ask(ShowSyncStatus())
        try await desk.show(.reply(.output(SyncLines.output(status, desk.commandContext))))
    }

    /// A reconciliation that found nothing causes no event, so a person who asked gets the status from the node.
    nonisolated(nonsending) private func answer(isLast: Bool) async throws(ScreenClosed) {
        guard desk.conversation.connectedCount > 0 else {
            return try await desk.show(.reply(.text(SyncPhrases.nobodyThere)))
        }
        let progress: SyncProgress?
        do {
            let status = try await desk.node.perform(ShowSyncStatus())
            progress = status.progress
        } catch {
            return try await desk.show(.error(code: error.code.rawValue, error.words))
        }
        guard let progress else { return }
        if progress.isCaughtUp {
            if desk.settings.isForPrograms { try await desk.show(.sync(progress)) }
            try await handle(.progress(progress))
        } else if isLast {
            if desk.settings.isForPrograms { try await desk.show(.sync(progress)) }
            try await desk.show(.reply(.text("\(SyncPhrases.unfinished(progress)); still fetching")))
        }
    }
}

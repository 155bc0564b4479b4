import LatticeAPI
import LatticeConcurrency
import LatticeCore

final class PrivateTalk {
    /// How far back to look for the date of a line; older ones are shown without a date.
    private static let searchedLines = 1_000

    private let desk: ChatDesk
    /// Holds new lines while a history is shown.
    private let newLines: Gate
    private var news = PrivateNews()
    /// Whether past conversations are loaded.
    private var hasLearned = false

    init(_ desk: ChatDesk, newLines: Gate) { (self.desk, self.newLines) = (desk, newLines) }

    // MARK: - Sending

    nonisolated(nonsending) func tell(_ rest: String) async throws {
        let (name, text) = Conversation.split(rest)
        guard !text.isEmpty else {
            desk.hasRefused = true
            throw CommandError(code: "badCommand", description: "/msg needs more. Type \(CommandWord.msg.usage).")
        }
        try await tell(try await partner(name), text, .says)
    }

    nonisolated(nonsending) func tell(
        _ peer: PeerID, _ text: String, _ style: SpeechStyle, replyTo: RecordID? = nil
    ) async throws(ScreenClosed) {
        let message: PrivateMessage
        do {
            message = try await desk.node.perform(
                SendPrivateMessage(PeerReference(peer), text, style: style, replyTo: replyTo))
        } catch {
            desk.hasRefused = true
            return try await desk.show(.error(code: error.code.rawValue, desk.words(of: error)))
        }
        desk.said.addTold()
        heard(message)
        guard let item = desk.conversation.heard(.privateMessage(message)) else { return }
        try await desk.show(item)
    }

    /// Tracks my lines for later news, and adds the partner to the people who can be addressed.
    func heard(_ message: PrivateMessage) {
        desk.conversation.note(message)
        if message.isMine {
            _ = news.handle(.said(message, isGoingOut: desk.conversation.isGoingOut(message)), at: desk.instant)
            if news.isWaiting { desk.ticksAreNeeded.raise() }
        }
        desk.contextIsStale.raise()
    }

    // MARK: - Conversations

    /// Switches to a private conversation. New lines wait until its history is shown.
    nonisolated(nonsending) func query(_ typed: String?) async throws {
        desk.hasLostPartner = false
        guard let typed else {
            desk.conversation.partner = nil
            await desk.updateContext()
            return try await desk.show(.reply(.text(desk.whereNow(was: nil))))
        }
        let peer: PeerID
        do {
            peer = try await partner(Conversation.unquoted(typed))
            try checkIsNotBlocked(peer)
        } catch {
            // The lines that follow in a pipe are meant for nobody else.
            desk.losePartner()
            throw desk.settings.isInteractive ? stillThere(error) : error
        }
        newLines.close()
        defer { newLines.open() }
        desk.conversation.partner = peer
        await desk.updateContext()
        let shown = desk.shown(peer)
        let back = desk.conversation.current.map { " to \($0)" } ?? ""
        try await desk.show(.reply(.text("You are now talking privately with \(shown). /query goes back\(back).")))
        do {
            let lines = try await lines(with: peer, ChatPast.linesShown)
            try await desk.showTogether(
                past(lines.filter { !desk.conversation.shownPrivately.contains($0.number) }, isLate: false))
        } catch is RequestError {
            // As with rooms, errors are silent: nobody asked for the history.
        }
    }

    /// Adds to the error where the next line goes.
    private func stillThere(_ error: any Error) -> any Error {
        guard var error = error as? CommandError else { return error }
        guard desk.conversation.partner != nil || desk.conversation.current != nil else { return error }
        error.description +=
            (error.description.last?.isPunctuation == true ? " " : ". ")
            + desk.whereNow(was: desk.conversation.current)
        return error
    }

    /// Refuses once here, or every line that follows would be refused.
    private func checkIsNotBlocked(_ peer: PeerID) throws {
        guard desk.conversation.isBlocked(peer) else { return }
        desk.hasRefused = true
        let shown = desk.shown(peer)
        throw CommandError(
            code: RequestError.Code.blocked.rawValue,
            description: "You have blocked \(shown); use /unblock \(shown) first.")
    }

    nonisolated(nonsending) func showHistory(_ count: Int?) async throws {
        guard let peer = desk.conversation.partner else { return }
        let count = count ?? ChatPast.linesShown
        let lines = try await desk.ask(ListPrivateMessages(PeerReference(peer), limit: count)).messages
        let items = past(lines, isLate: false)
        guard !items.isEmpty else {
            return try await desk.show(.reply(.text(PrivateLines.nothing(with: desk.shown(peer)))))
        }
        let hasMore = lines.count >= count && count < HistoryQuery.limitMax
        let more = ChatItem.earlier(nil, call: "/history \(HistoryLines.wider(count))")
        try await desk.showTogether((hasMore ? [more] : []) + items)
    }

    nonisolated(nonsending) func showConversations() async throws {
        let lines = try await desk.ask(ListConversations()).messages
        let heard = lines.filter { !desk.conversation.isUnheard($0.peer) }
        for line in heard.reversed() { desk.conversation.note(line) }
        let shown = heard.map { desk.shown($0.peer) }
        try await desk.show(.reply(.output(PrivateLines.conversations(heard, shown, desk.commandContext))))
    }

    /// Loads past conversations, so that their partners can be addressed. Without a store there are none.
    nonisolated(nonsending) func learnConversations() async {
        do {
            let lines = try await desk.node.perform(ListConversations()).messages
            hasLearned = true
            for line in lines.reversed() { desk.conversation.note(line) }
            await desk.updateContext()
        } catch {
            return  // A broken store has a notice of its own.
        }
    }

    /// Loads past conversations first: until then, a namesake could be taken for the person meant.
    nonisolated(nonsending) private func partner(_ typed: String) async throws -> PeerID {
        if !hasLearned { await learnConversations() }
        do {
            return try desk.other(typed)
        } catch {
            desk.hasRefused = true
            throw error
        }
    }

    nonisolated(nonsending) private func lines(with peer: PeerID, _ count: Int) async throws(RequestError)
        -> [PrivateMessage]
    {
        try await desk.node.perform(ListPrivateMessages(PeerReference(peer), limit: count)).messages
    }

    /// Lines to show, with day marks between them.
    private func past(_ messages: [PrivateMessage], isLate: Bool) -> [ChatItem] {
        var days = DayMarks(at: desk.settings.now(), in: desk.settings.calendar)
        var items = desk.conversation.past(messages).flatMap { message, shown -> [ChatItem] in
            let line = ChatItem.privateMessage(message, shown: shown, isPast: !isLate)
            return (days.mark(before: message.at).map { [.day($0)] } ?? []) + [line]
        }
        if let end = days.end() { items.append(.day(end)) }
        return items
    }

    // MARK: - Late messages

    /// Whether ticks are needed.
    var isWaiting: Bool { news.isWaiting }

    /// Collects late news to show it later together with others.
    ///
    /// - Returns: whether the item was collected.
    func gather(_ item: ChatItem) -> Bool {
        switch item {
        case .privateMessage(let message, _, _, _, _)
        where message.isLate && !message.isMine && !desk.settings.isForPrograms:
            _ = news.handle(.line(message), at: desk.instant)
        case .privateMessageChanged(let change, _, _): return news.change(change.message)
        case .privateState(let progress, _) where !desk.settings.isForPrograms:
            _ = news.handle(.progress(progress), at: desk.instant)
        default: return false
        }
        desk.ticksAreNeeded.raise()
        return true
    }

    nonisolated(nonsending) func handle(_ event: PrivateNews.Event) async throws(ScreenClosed) {
        for effect in news.handle(event, at: desk.instant) {
            switch effect {
            case .lines(let lines, let omitted):
                let earlier = omitted > 0 ? [ChatItem.earlier(omitted, call: "/conversations")] : []
                try await desk.showTogether(earlier + past(lines, isLate: true))
            case .outcome(let outcome): try await desk.show(.privateOutcome(await told(outcome)))
            }
        }
    }

    nonisolated(nonsending) private func told(_ outcome: PrivateNews.Outcome) async -> ChatItem.PrivateOutcome {
        let shown = desk.shown(outcome.peer)
        if let file = outcome.file {
            return ChatItem.PrivateOutcome(state: .delivered, shown: shown, count: 1, since: nil, file: file)
        }
        return ChatItem.PrivateOutcome(
            state: outcome.state, shown: shown, count: outcome.count,
            since: await date(of: outcome).map {
                PrivatePhrases.date($0, at: desk.settings.now(), in: desk.settings.calendar)
            })
    }

    /// Lines from before this chat have their date in the store.
    nonisolated(nonsending) private func date(of outcome: PrivateNews.Outcome) async -> WallTime? {
        if let since = outcome.since { return since }
        do {
            let lines = try await lines(with: outcome.peer, Self.searchedLines)
            return lines.first { $0.number == outcome.first }?.at
        } catch {
            return nil
        }
    }
}

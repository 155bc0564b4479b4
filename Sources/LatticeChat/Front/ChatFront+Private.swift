import LatticeAPI
import LatticeCore

extension ChatFront {
    /// How far back to look for the date of a line; older ones are shown without a date.
    private static let searchedLines = 1_000

    // MARK: - Sending

    func tell(_ rest: String) async throws {
        let (name, text) = Conversation.split(rest)
        guard !text.isEmpty else {
            hasRefused = true
            throw CommandError(code: "badCommand", description: "/msg needs more. Type \(CommandWord.msg.usage).")
        }
        try await tell(try await partner(name), text, .says)
    }

    func tell(_ peer: PeerID, _ text: String, _ style: SpeechStyle) async throws(ScreenClosed) {
        let message: PrivateMessage
        do {
            message = try await node.perform(SendPrivateMessage(PeerReference(peer), text, style: style))
        } catch {
            hasRefused = true
            return try await show(.error(code: error.code.rawValue, words(of: error)))
        }
        said.addTold()
        heard(message)
        guard let item = conversation.heard(.privateMessage(message)) else { return }
        try await show(item)
    }

    /// Tracks my lines for later news, and adds the partner to the people who can be addressed.
    func heard(_ message: PrivateMessage) {
        conversation.note(message)
        if message.isMine {
            _ = news.handle(.said(message, isGoingOut: conversation.isGoingOut(message)), at: instant)
            if news.isWaiting { catchUpGoesOn.yield() }
        }
        staleContext.yield()
    }

    // MARK: - Conversations

    /// Switches to a private conversation. New lines wait until its history is shown.
    func query(_ typed: String?) async throws {
        hasLostPartner = false
        guard let typed else {
            conversation.partner = nil
            await updateContext()
            return try await show(.reply(.text(whereNow(was: nil))))
        }
        let peer: PeerID
        do {
            peer = try await partner(Conversation.unquoted(typed))
            try checkIsNotBlocked(peer)
        } catch {
            // The lines that follow in a pipe are meant for nobody else.
            hasLostPartner = !settings.isInteractive
            throw settings.isInteractive ? stillThere(error) : error
        }
        holdsLines = true
        defer { letLinesPass() }
        conversation.partner = peer
        await updateContext()
        let shown = conversation.shownPartner(peer)
        let back = conversation.current.map { " to \($0)" } ?? ""
        try await show(.reply(.text("You are now talking privately with \(shown). /query goes back\(back).")))
        do {
            let lines = try await privateLines(with: peer, Self.pastLines)
            try await showTogether(
                privatePast(lines.filter { !conversation.shownPrivately.contains($0.number) }, isLate: false))
        } catch is RequestError {
            // As with rooms, errors are silent: nobody asked for the history.
        }
    }

    /// Adds to the error where the next line goes.
    private func stillThere(_ error: any Error) -> any Error {
        guard var error = error as? CommandError else { return error }
        guard conversation.partner != nil || conversation.current != nil else { return error }
        error.description +=
            (error.description.last?.isPunctuation == true ? " " : ". ")
            + whereNow(was: conversation.current)
        return error
    }

    /// Refuses once here, or every line that follows would be refused.
    private func checkIsNotBlocked(_ peer: PeerID) throws {
        guard conversation.isBlocked(peer) else { return }
        hasRefused = true
        let shown = conversation.shownPartner(peer)
        throw CommandError(
            code: RequestError.Code.blocked.rawValue,
            description: "You have blocked \(shown); use /unblock \(shown) first.")
    }

    func showPrivateHistory(of peer: PeerID, _ count: Int?) async throws {
        let count = count ?? Self.pastLines
        let lines = try await ask(ListPrivateMessages(PeerReference(peer), limit: count)).messages
        let items = privatePast(lines, isLate: false)
        guard !items.isEmpty else {
            return try await show(.reply(.text(PrivateLines.nothing(with: conversation.shownPartner(peer)))))
        }
        let hasMore = lines.count >= count && count < HistoryQuery.limitMax
        let more = ChatItem.earlier(nil, call: "/history \(HistoryLines.wider(count))")
        try await showTogether((hasMore ? [more] : []) + items)
    }

    func showConversations() async throws {
        let lines = try await ask(ListConversations()).messages
        let heard = lines.filter { !conversation.isUnheard($0.peer) }
        for line in heard.reversed() { conversation.note(line) }
        let context = WallContext(now: settings.now(), isChat: true, calendar: settings.calendar)
        let shown = heard.map { conversation.shownPartner($0.peer) }
        try await show(.reply(.wall(PrivateLines.conversations(heard, shown, context))))
    }

    /// Loads past conversations, so that their partners can be addressed. Without a store there are none.
    func learnConversations() async {
        do {
            let lines = try await node.perform(ListConversations()).messages
            hasLearned = true
            for line in lines.reversed() { conversation.note(line) }
            await updateContext()
        } catch {
            return  // A broken store has a notice of its own.
        }
    }

    /// Finds somebody who is here, who has a conversation with me, or who is named by a full id.
    func addressee(_ typed: String) throws -> PeerID {
        try one(conversation.addressee(of: typed), typed, isAnywhere: true)
    }

    /// As `addressee`, but not me.
    func other(_ typed: String) throws -> PeerID {
        let peer = try addressee(typed)
        guard peer != conversation.me else { throw CommandError(code: "unknownPeer", description: "That is you.") }
        return peer
    }

    /// Loads past conversations first: until then, a namesake could be taken for the person meant.
    private func partner(_ typed: String) async throws -> PeerID {
        if !hasLearned { await learnConversations() }
        do {
            return try other(typed)
        } catch {
            hasRefused = true
            throw error
        }
    }

    private func privateLines(with peer: PeerID, _ count: Int) async throws(RequestError) -> [PrivateMessage] {
        try await node.perform(ListPrivateMessages(PeerReference(peer), limit: count)).messages
    }

    /// Lines to show, with day marks between them.
    private func privatePast(_ messages: [PrivateMessage], isLate: Bool) -> [ChatItem] {
        var days = DayMarks(at: settings.now(), in: settings.calendar)
        var items = conversation.past(messages).flatMap { message, shown -> [ChatItem] in
            let line = ChatItem.privateMessage(message, shown: shown, isPast: !isLate)
            return (days.mark(before: message.at).map { [.day($0)] } ?? []) + [line]
        }
        if let end = days.end() { items.append(.day(end)) }
        return items
    }

    // MARK: - Late messages

    func privateNews(_ event: PrivateNews.Event) async throws(ScreenClosed) {
        for effect in news.handle(event, at: instant) {
            switch effect {
            case .lines(let lines, let omitted):
                let earlier = omitted > 0 ? [ChatItem.earlier(omitted, call: "/conversations")] : []
                try await showTogether(earlier + privatePast(lines, isLate: true))
            case .outcome(let outcome): try await show(.privateOutcome(await told(outcome)))
            }
        }
    }

    private func told(_ outcome: PrivateNews.Outcome) async -> ChatItem.PrivateOutcome {
        ChatItem.PrivateOutcome(
            state: outcome.state, shown: conversation.shownPartner(outcome.peer), count: outcome.count,
            since: await date(of: outcome).map { PrivatePhrases.date($0, at: settings.now(), in: settings.calendar) })
    }

    /// Lines from before this chat have their date in the store.
    private func date(of outcome: PrivateNews.Outcome) async -> WallTime? {
        if let since = outcome.since { return since }
        do {
            let lines = try await privateLines(with: outcome.peer, Self.searchedLines)
            return lines.first { $0.number == outcome.first }?.at
        } catch {
            return nil
        }
    }
}

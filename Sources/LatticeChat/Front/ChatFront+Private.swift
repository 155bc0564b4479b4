import LatticeAPI
import LatticeCore

// What is said to one person alone.
extension ChatFront {
    /// So many lines are looked through for one of which word came; an older one is told of without its date.
    private static let searchedLines = 1_000

    // MARK: - Saying

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

    /// What of ours is to be told of later, and who can be addressed from now on.
    func heard(_ message: PrivateMessage) {
        conversation.note(message)
        if message.isMine {
            _ = news.handle(.said(message, isGoingOut: conversation.isGoingOut(message)), at: instant)
            if news.isWaiting { catchUpGoesOn.yield() }
        }
        staleContext.yield()
    }

    // MARK: - Talking with one person

    /// What comes meanwhile waits until what was said before is shown.
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
            // What follows in a pipe was meant for nobody else.
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
            // As with a room: nobody asked for what was said before.
        }
    }

    /// Where the next line goes all the same.
    private func stillThere(_ error: any Error) -> any Error {
        guard var error = error as? CommandError else { return error }
        guard conversation.partner != nil || conversation.current != nil else { return error }
        error.description +=
            (error.description.last?.isPunctuation == true ? " " : ". ")
            + whereNow(was: conversation.current)
        return error
    }

    /// Rather than that every line that follows is refused.
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

    /// With whom one talked before, so that they can be addressed. Where nothing is kept, nobody is known.
    func learnConversations() async {
        do {
            let lines = try await node.perform(ListConversations()).messages
            hasLearned = true
            for line in lines.reversed() { conversation.note(line) }
            await updateContext()
        } catch {
            return  // A line of its own tells of a store that is not to be read.
        }
    }

    /// Whoever is here, was talked with, or is named by a whole id.
    func addressee(_ typed: String) throws -> PeerID {
        try one(conversation.addressee(of: typed), typed, isAnywhere: true)
    }

    /// As `addressee`, of others.
    func other(_ typed: String) throws -> PeerID {
        let peer = try addressee(typed)
        guard peer != conversation.me else { throw CommandError(code: "unknownPeer", description: "That is you.") }
        return peer
    }

    /// Nobody is taken for somebody else because it is not known yet who else is called so.
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

    /// Lines as they are shown, each day under its name.
    private func privatePast(_ messages: [PrivateMessage], isLate: Bool) -> [ChatItem] {
        var days = DayMarks(at: settings.now(), in: settings.calendar)
        var items = conversation.past(messages).flatMap { message, shown -> [ChatItem] in
            let line = ChatItem.privateMessage(message, shown: shown, isPast: !isLate)
            return (days.mark(before: message.at).map { [.day($0)] } ?? []) + [line]
        }
        if let end = days.end() { items.append(.day(end)) }
        return items
    }

    // MARK: - What comes late

    /// Lets what is gathered take its course, and shows what comes of it.
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

    /// Of a line that was said before this chat began the store knows when that was.
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

import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// What the parts of a chat share: the node, the screen, and what is known of the conversation. All of them run on the
/// `ChatFront`, one step at a time.
final class ChatDesk {
    let node: PooledNode
    let screen: any ChatScreen
    private let renderer: any Renderer
    let settings: ChatSettings
    /// Wall time of the start. My own later lines arrive as events, so the history leaves them out.
    let begunAt: WallTime
    private let started = ContinuousClock.now
    var conversation: Conversation
    var said = SaidLines()
    var lines = NumberedLines()
    /// The lines that the screen was last given.
    private var screenLines = ScreenLines()
    /// Updates of the screen take turns, so that an older one never arrives after a newer one.
    private let screenTurns = Turns()
    var pins = UrgentPins()
    /// Something was refused, so a script fails.
    var hasRefused = false
    /// The last target was not found; the lines that follow in a pipe have nowhere to go.
    var hasLostPartner = false
    /// The screen's context is outdated.
    let contextIsStale = Signal()
    /// Something is shown after a time without news.
    let ticksAreNeeded = Signal()

    init(node: any MeshNode, me: Me, screen: any ChatScreen, renderer: any Renderer, settings: ChatSettings) {
        self.node = PooledNode(node: node)
        (self.screen, self.renderer, self.settings) = (screen, renderer, settings)
        begunAt = settings.now()
        conversation = Conversation(me: me, verifiedMark: settings.verifiedMark, countsUnread: settings.countsUnread)
    }

    /// Monotonic time for waits, from an arbitrary start.
    var instant: Instant { Instant(nanoseconds: started.duration(to: .now).nanoseconds) }

    var commandContext: CommandContext {
        CommandContext(now: settings.now(), isChat: true, calendar: settings.calendar)
    }

    /// A line has its number before anybody sees it, so a key pressed at once finds it.
    nonisolated(nonsending) func show(_ item: ChatItem) async throws(ScreenClosed) {
        let item = numbered(item)
        await updateLines()
        try await screen.show(rendered(item))
    }

    /// While I am away, only urgent messages ring.
    private func rendered(_ item: ChatItem) -> Rendered {
        var rendered = renderer.render(item)
        if conversation.away != nil, !item.isUrgent { (rendered.rings, rendered.alert) = (false, nil) }
        return rendered
    }

    /// Gives a line its number. A node that was just started does not know what a line answers, but the screen may show it.
    private func numbered(_ item: ChatItem) -> ChatItem {
        func added(_ line: Message) -> Message {
            let linked = line.answering { lines.reference($0) }
            lines.add(.room(linked))
            return linked
        }
        func added(_ message: PrivateMessage) -> PrivateMessage {
            lines.add(.message(message))
            return message
        }
        func getNumber(_ line: Message) -> Int? {
            line.file == nil || line.from == conversation.me ? nil : lines.number(of: line.record)
        }
        func getNumber(_ message: PrivateMessage) -> Int? {
            message.file == nil || message.isMine ? nil : message.record.flatMap { lines.number(of: $0) }
        }
        return switch item {
        case .message(let line, let shown, let isCurrentRoom, let isMention, _):
            .message(
                added(line), shown: shown, isCurrentRoom: isCurrentRoom, isMention: isMention, number: getNumber(line))
        case .past(let line, let shown, let isCurrentRoom, let isLate, _):
            .past(
                added(line), shown: shown, isCurrentRoom: isCurrentRoom, isLate: isLate, number: getNumber(line))
        case .privateMessage(let message, let shown, let isPast, let isGoingOut, _):
            .privateMessage(
                message, shown: shown, isPast: isPast, isGoingOut: isGoingOut, number: getNumber(added(message)))
        default: item
        }
    }

    /// Shows the items as one block, so that nothing comes between them.
    nonisolated(nonsending) func showTogether(_ items: [ChatItem]) async throws(ScreenClosed) {
        let items = items.map(numbered)
        await updateLines()
        for rendered in Rendered.joined(items.map(rendered)) where rendered != Rendered() {
            try await screen.show(rendered)
        }
    }

    /// Only a person at a terminal picks lines by number while typing.
    nonisolated(nonsending) func updateLines() async {
        guard settings.isInteractive else { return }
        await screenTurns.take()
        defer { screenTurns.end() }
        let now = ScreenLines(lines, in: conversation.open, me: conversation.me)
        guard now != screenLines else { return }
        screenLines = now
        await screen.setLines(now)
    }

    nonisolated(nonsending) func updateContext() async {
        await setContext()
        await updateLines()
    }

    nonisolated(nonsending) private func setContext() async {
        await screenTurns.take()
        defer { screenTurns.end() }
        var context = conversation.context
        context.urgent = pins.lines(isUnheard: conversation.isUnheard, name: conversation.shown)
        await screen.setContext(context)
    }

    @discardableResult
    nonisolated(nonsending) func ask<R: Request>(_ request: R) async throws -> R.Reply {
        do { return try await node.perform(request) } catch {
            throw CommandError(code: error.code.rawValue, description: words(of: error))
        }
    }

    /// The length limit has the sentence of the line editor.
    func words(of error: RequestError) -> String {
        error.code == .lineTooLong ? LineLimit.sentence(bytesMax: settings.textBytesMax) : error.words
    }

    func shown(_ peer: PeerID) -> String { conversation.shownPartner(peer) }

    func resolve(_ typed: String) throws -> PeerID {
        let name = Conversation.unquoted(typed)
        return try one(conversation.roster.meaning(of: name), name, isAnywhere: false)
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

    /// - Parameter isAnywhere: whether people who are not here count.
    /// - Throws: `CommandError` if the name matches nobody, or several people.
    private func one(_ meaning: Roster.Meaning, _ typed: String, isAnywhere: Bool) throws -> PeerID {
        switch meaning {
        case .one(let peer): return peer
        case .nobody(let nearest):
            throw CommandError.unknown(typed, nearest: nearest, takesID: isAnywhere)
        case .several(let names):
            let people = conversation.candidates(for: typed, isAnywhere: isAnywhere)
            throw CommandError.several(names, typed, people, at: settings.now()) {
                conversation.roster.name(of: $0) != nil
            }
        }
    }

    /// - Parameter previous: the room it would have gone to.
    func whereNow(was previous: RoomName?) -> String {
        if let partner = conversation.partner { return "You are still talking privately with \(shown(partner))." }
        guard let current = conversation.current else { return "You are not in a room now; use /join #room." }
        return current == previous ? "You are still in \(current)." : "You are now in \(current)."
    }

    /// From here on, the lines that follow in a pipe are meant for nobody else.
    func losePartner() { hasLostPartner = !settings.isInteractive }
}

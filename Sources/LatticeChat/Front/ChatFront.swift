package import LatticeAPI
import LatticeCore

/// The chat: sends what is typed to the node and shows its events until either side ends.
package actor ChatFront {
    private static let contextInterval: Duration = .milliseconds(100)
    /// Limit on inputs read ahead; then reading pauses. A guess: more than anybody types ahead.
    private static let inputsWaitingMax = 1_000

    let node: any MeshNode
    let screen: any ChatScreen
    private let renderer: any Renderer
    let settings: ChatSettings
    let slash: (any ChatExtension)?

    var conversation: Conversation
    /// Signals that the screen's context is outdated; several signals count as one.
    private let contextIsStale: AsyncStream<Void>
    let staleContext: AsyncStream<Void>.Continuation
    var catchUp = CatchUp()
    var news = PrivateNews()
    /// Effects of `catchUp` that are not carried out yet.
    var catchUpEffects: [CatchUp.Effect] = []
    var isCatchingUp = false
    let catchUpIsOn: AsyncStream<Void>
    let catchUpGoesOn: AsyncStream<Void>.Continuation
    private let started = ContinuousClock.now
    /// Wall time of the start. My own later lines arrive as events, so the history leaves them out.
    let begunAt: WallTime
    var hasShownPast = false
    /// Whether new lines wait until a history is shown.
    var holdsLines = false
    private var lineWaiter: CheckedContinuation<Void, Never>?
    private var isInputOpen: Bool
    /// Whether `settings.waitCount` peers were ever reachable.
    private var wasInputOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var inputs: [ChatInput] = []
    private var inputWaiter: CheckedContinuation<Void, Never>?
    private var roomWaiter: CheckedContinuation<Void, Never>?
    var hasRefused = false
    /// Whether the hint for a person alone was shown.
    var isExamined = false
    /// Whether past conversations are loaded.
    var hasLearned = false
    /// The last target was not found; the lines that follow in a pipe have nowhere to go.
    var hasLostPartner = false
    var said = SaidLines()
    private var isSaying = false
    private var sayingWaiter: CheckedContinuation<Void, Never>?
    /// Lock: my name and rooms are changed or compared by one caller at a time.
    var holdsMe = false
    var meWaiters: [CheckedContinuation<Void, Never>] = []
    private var confirmation = PendingConfirmation()
    /// Lines refused in a row because the outbox is full.
    private var refusedCount = 0

    /// - Parameter slash: slash commands in addition to the chat's own.
    package init(
        node: any MeshNode, me: Me, screen: any ChatScreen, renderer: any Renderer, settings: ChatSettings,
        slash: (any ChatExtension)? = nil
    ) {
        self.node = node
        self.screen = screen
        self.renderer = renderer
        self.settings = settings
        begunAt = settings.now()
        self.slash = slash
        conversation = Conversation(me: me, verifiedMark: settings.verifiedMark)
        isInputOpen = settings.waitCount == 0
        (contextIsStale, staleContext) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (catchUpIsOn, catchUpGoesOn) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Chats until input ends, a person quits, an interrupt comes or nobody reads the output.
    ///
    /// - Parameters:
    ///   - events: from `MeshNode.events()`, requested before the node runs so that none is missed.
    ///   - interrupted: returns when the chat should end.
    package func run(events: NodeEvents, interrupted: @escaping @Sendable () async -> Void) async -> ChatEnd {
        await learnPeople()
        await learnRooms()
        _ = await changesElsewhere()
        await updateContext()
        let end = await withTaskGroup(of: ChatEnd?.self) { group in
            group.addTask { await self.follow(events) }
            group.addTask { await self.listen() }
            group.addTask { await self.converse() }
            group.addTask {
                await interrupted()
                return .done
            }
            group.addTask { await self.hintWhenAlone() }
            group.addTask { await self.refreshContext() }
            group.addTask { await self.followTime() }
            if settings.waitCount > 0, let timeout = settings.timeout {
                group.addTask { await self.giveUpWaiting(after: timeout) }
            }
            var end: ChatEnd?
            while end == nil, let result = await group.next() { end = result }
            screen.leave()
            group.cancelAll()
            releaseInput()
            wakeAll()
            return end ?? .done
        }
        return end == .done && hasRefused && !settings.isInteractive ? .failed : end
    }

    func show(_ item: ChatItem) async throws(ScreenClosed) {
        try await screen.show(rendered(item))
    }

    func rendered(_ item: ChatItem) -> Rendered { renderer.render(item) }

    /// Monotonic time for waits, from an arbitrary start.
    var instant: Instant { Instant(nanoseconds: started.duration(to: .now).nanoseconds) }

    func updateContext() async {
        await screen.setContext(conversation.context)
    }

    // MARK: - Node events

    private func follow(_ events: NodeEvents) async -> ChatEnd? {
        do {
            for await event in events {
                switch event {
                case .message, .privateMessage: await linesPass()
                default: break
                }
                if try await told(event) { continue }
                if await wasTypedHere(event) { continue }
                let item = await arrived(conversation.heard(event))
                if conversation.reachableCount >= (wasInputOpen ? min(1, settings.waitCount) : settings.waitCount) {
                    releaseInput()
                }
                // With `--wait`, a pipe pauses while nobody is connected.
                if conversation.connectedCount == 0, settings.waitCount > 0, !settings.isInteractive {
                    isInputOpen = false
                }
                if let item, !gather(item) { try await show(item) }
                try await act(on: event)
            }
            return nil
        } catch {
            return .outputClosed
        }
    }

    private func act(on event: NodeEvent) async throws(ScreenClosed) {
        switch event {
        case .ready:
            if hasShownPast { return try await showMeanwhile() }
            // Only the room of the start; I may talk elsewhere by now.
            guard conversation.joined.contains(settings.room) else { return }
            hasShownPast = true
            await learnConversations()
            try await showPast(of: settings.room)
            if conversation.privateRooms.contains(settings.room) { try await tellWhoIsIn(settings.room) }
        case .peer(let change):
            if change.state == .connected { said.connected() }
            staleContext.yield()
            if change.state == .notConnected, conversation.connectedCount == 0 { try await catchUp(.alone) }
        case .presence: staleContext.yield()
        case .message(let message): if settings.isForPrograms { conversation.noteShown(message.record) }
        case .sync(let progress): try await catchUp(.progress(progress))
        case .privateMessage(let message): heard(message)
        // A missed event may have been a change of my name or rooms.
        case .me, .missed: try await lookAtMe()
        case .notice(let notice): said.noted(notice)
        case .privateProgress, .invitation, .posted, .placed: break
        case .nameClash, .renamed, .standing, .room, .changed, .sent, .activity: break
        }
    }

    /// The event of my own line may arrive before the reply that names its record, so it waits for that reply.
    private func wasTypedHere(_ event: NodeEvent) async -> Bool {
        guard settings.keepsTyped, case .message(let message) = event, message.from == conversation.me, !message.isLate
        else { return false }
        await sayingPasses()
        guard said.contains(message.record) else { return false }
        conversation.noteShown(message.record)
        return true
    }

    func sayingPasses() async {
        if isSaying, !Task.isCancelled { await withCheckedContinuation { sayingWaiter = $0 } }
    }

    private func hasSaid(_ line: Say.Reply? = nil) {
        if let line { said.add(line.record, isKept: line.unkept == nil) }
        isSaying = false
        sayingWaiter?.resume()
        sayingWaiter = nil
    }

    private func linesPass() async {
        while holdsLines, !Task.isCancelled { await withCheckedContinuation { lineWaiter = $0 } }
    }

    func letLinesPass() {
        holdsLines = false
        lineWaiter?.resume()
        lineWaiter = nil
    }

    /// Updates the screen at most ten times a second, and less often the more people there are: each update lists them.
    private func refreshContext() async -> ChatEnd? {
        do {
            for await _ in contextIsStale {
                await updateContext()
                try await Task.sleep(for: Self.contextInterval * (1 + conversation.reachableCount / 100))
            }
        } catch {
        }
        return nil
    }

    // MARK: - Input

    /// A terminal is read ahead, because Ctrl-C arrives as a key and must also end the wait for peers. A pipe is not
    /// read until the peers are there.
    private func listen() async -> ChatEnd? {
        if !settings.isInteractive { await waitForPeers() }
        while !Task.isCancelled {
            let read = await screen.read()
            if !isInputOpen, read.contains(.interrupt) { return .done }
            inputs += read
            inputWaiter?.resume()
            inputWaiter = nil
            if read.contains(.endOfInput) || read.contains(.interrupt) { return nil }
            if inputs.count >= Self.inputsWaitingMax, !Task.isCancelled {
                await withCheckedContinuation { roomWaiter = $0 }
            }
        }
        return nil
    }

    private func takeInputs() async -> [ChatInput] {
        if inputs.isEmpty, !Task.isCancelled { await withCheckedContinuation { inputWaiter = $0 } }
        defer {
            inputs = []
            roomWaiter?.resume()
            roomWaiter = nil
        }
        return inputs
    }

    private func wakeAll() {
        inputWaiter?.resume()
        roomWaiter?.resume()
        (inputWaiter, roomWaiter) = (nil, nil)
        letLinesPass()
        hasSaid()
        letMeGo()
    }

    private func converse() async -> ChatEnd? {
        await waitForPeers()
        do {
            while !Task.isCancelled {
                for input in await takeInputs() {
                    switch input {
                    case .line, .pasted:
                        await waitForPeers()
                        if Task.isCancelled { return nil }
                        guard try await typed(input) else { return await farewell() }
                    case .refused(let code, let text):
                        hasRefused = true
                        try await show(.error(code: code, text))
                    case .endOfInput: return await farewell()
                    case .interrupt: return .done
                    }
                }
            }
            return nil
        } catch {
            return .outputClosed
        }
    }

    /// - Returns: whether the chat goes on.
    private func typed(_ input: ChatInput) async throws(ScreenClosed) -> Bool {
        guard case .line(let line) = input else {
            guard case .pasted(let text) = input else { return true }
            return try await act(on: LineParser.parse(pasted: text), typed: text)
        }
        if settings.isInteractive, let question = confirmation.question(about: line) {
            try await show(.error(code: "notSent", question))
            return true
        }
        return try await act(on: LineParser.parse(line, extraWords: slash?.words ?? []), typed: line)
    }

    /// - Returns: whether the chat goes on.
    private func act(on parsed: ParsedLine, typed line: String) async throws(ScreenClosed) -> Bool {
        switch parsed {
        case .nothing: return true
        case .say(let text): try await say(text, .says)
        case .mistake(let text):
            hasRefused = true
            // The lines that follow in a pipe were meant for the room that this did not enter.
            if !settings.isInteractive, SecretLine.leads(line) { hasLostPartner = true }
            try await show(.error(code: "badCommand", text))
        case .command(.quit): return false
        case .extra(let word, let rest): try await extra(word, rest)
        case .command(.me(let text)): try await say(text, .acts)
        case .command(let command):
            do {
                try await obey(command)
            } catch let error as CommandError {
                hasRefused = true
                try await show(error.item)
            } catch {
                throw ScreenClosed()
            }
        }
        return true
    }

    private func say(_ text: String, _ style: SpeechStyle) async throws(ScreenClosed) {
        guard !hasLostPartner else {
            hasRefused = true
            return try await show(
                .error(
                    code: "noPartner",
                    "This was not sent: there is nobody to send it to. Use /query NAME or /join #room."))
        }
        if let partner = conversation.partner { return try await tell(partner, text, style) }
        guard let room = conversation.current else {
            hasRefused = true
            return try await show(.error(code: "noRoom", "You are not in a room; use /join #room first."))
        }
        let line: Say.Reply
        let audience: Audience = conversation.privateRooms.contains(room) ? .members : .everybody
        isSaying = true
        do {
            line = try await node.perform(Say(text, style: style, room: room, audience: audience))
            hasSaid(line)
        } catch {
            hasSaid()
            hasRefused = true
            // A full outbox is reported once, and later how many more lines it refused.
            if error.code == .outboxFull {
                refusedCount += 1
                if refusedCount > 1 { return }
            }
            return try await show(.error(code: error.code.rawValue, words(of: error)))
        }
        try await tellOfRefused()
        if let news = said.news(isWaiting: line.isWaiting, unkept: line.unkept) { try await show(.notice(news)) }
    }

    func tellOfRefused() async throws(ScreenClosed) {
        defer { refusedCount = 0 }
        guard refusedCount > 1 else { return }
        try await show(.error(code: "outboxFull", "\(refusedCount - 1) more lines were refused."))
    }

    // MARK: - Waiting for peers

    private func waitForPeers() async {
        guard !isInputOpen, !Task.isCancelled else { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    private func releaseInput() {
        isInputOpen = true
        wasInputOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    private func giveUpWaiting(after timeout: Duration) async -> ChatEnd? {
        do {
            try await Task.sleep(for: timeout)
            guard !wasInputOpen else { return nil }
            let there = conversation.reachableCount
            let text =
                "Only \(there) of \(settings.waitCount) peers connected within \(timeout.components.seconds) s; try again later."
            try await show(.error(code: "waitTimedOut", text))
            return .timedOut
        } catch {
            return nil
        }
    }
}

package import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// The chat: sends what is typed to the node and shows its events until either side ends.
package actor ChatFront {
    private static let contextInterval: Duration = .milliseconds(100)
    /// Fast enough for a person. Ticks run only while something is pending.
    private static let tickInterval: Duration = .milliseconds(250)

    /// Names this front in its requests.
    package nonisolated let id: FrontID
    let slash: (any ChatExtension)?
    let desk: ChatDesk
    let past: ChatPast
    let privateTalk: PrivateTalk
    let rooms: ChatRooms
    let people: ChatPeople
    let speech: ChatSpeech
    let lineTalk: LineTalk
    let unread: ChatUnread
    let urgent: ChatUrgent
    let pins: ChatPins
    private let card: ChatCard
    let away: ChatAway
    let views: ChatViews
    private let notifications: ChatNotifications
    private let peerWait: PeerWait
    private let inputs = InputQueue()
    /// Whether the history of the first room was shown.
    var hasShownPast = false
    /// Whether somebody alone has run the diagnostic command.
    var isExamined = false

    /// - Parameter slash: slash commands in addition to the chat's own.
    package init(
        node: any MeshNode, me: Me, screen: any ChatScreen, renderer: any Renderer, settings: ChatSettings,
        slash: (any ChatExtension)? = nil
    ) {
        var generator = SystemRandomNumberGenerator()
        id = FrontID(using: &generator)
        self.slash = slash
        desk = ChatDesk(node: node, me: me, screen: screen, renderer: renderer, settings: settings)
        past = ChatPast(desk)
        privateTalk = PrivateTalk(desk, newLines: past.newLines)
        pins = ChatPins(desk)
        card = ChatCard(desk)
        away = ChatAway(desk)
        views = ChatViews(desk, slash)
        rooms = ChatRooms(desk, past, privateTalk, pins)
        people = ChatPeople(desk)
        speech = ChatSpeech(by: id, on: node, desk, privateTalk)
        lineTalk = LineTalk(desk, speech, privateTalk)
        unread = ChatUnread(desk)
        urgent = ChatUrgent(desk, speech)
        notifications = ChatNotifications(desk)
        peerWait = PeerWait(count: settings.waitCount, isInteractive: settings.isInteractive)
    }

    var settings: ChatSettings { desk.settings }

    /// Chats until input ends, a person quits, an interrupt comes or nobody reads the output.
    ///
    /// - Parameters:
    ///   - events: from `MeshNode.events()`, requested before the node runs so that none is missed.
    ///   - interrupted: returns when the chat should end.
    package func run(events: NodeEvents, interrupted: @escaping @Sendable () async -> Void) async -> ChatEnd {
        await people.learn()
        await rooms.learn()
        _ = await rooms.changesElsewhere()
        await desk.updateContext()
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
            group.addTask { await self.followReading() }
            group.addTask { await self.followTime() }
            group.addTask { await self.showViews() }
            if settings.waitCount > 0, let timeout = settings.timeout {
                group.addTask { await self.giveUpWaiting(after: timeout) }
            }
            var end: ChatEnd?
            while end == nil, let result = await group.next() { end = result }
            // Nothing is read from a screen that was left.
            group.cancelAll()
            await unread.finish()
            await Self.leave(desk.screen)
            return end ?? .done
        }
        return end == .done && desk.hasRefused && !settings.isInteractive ? .failed : end
    }

    /// A stalled terminal takes a moment to restore, for which the node's loop does not wait.
    private nonisolated static func leave(_ screen: any ChatScreen) async {
        await withTaskExecutorPreference(globalConcurrentExecutor) { screen.leave() }
    }

    // MARK: - Node events

    private func follow(_ events: NodeEvents) async -> ChatEnd? {
        do {
            for await event in events {
                switch event {
                case .message, .privateMessage: await past.newLines.pass()
                default: break
                }
                if try await people.told(event) { continue }
                if wasTypedHere(event) || pins.isTold(event) { continue }
                let item = await arrived(desk.conversation.heard(event))
                unread.heard(event)
                urgent.heard(event)
                peerWait.noted(
                    reachable: desk.conversation.reachableCount, connected: desk.conversation.connectedCount)
                if let item, !past.gather(item), !privateTalk.gather(item), !notifications.gather(item) {
                    try await desk.show(item)
                }
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
            await urgent.update()
            if hasShownPast {
                await desk.updateContext()
                return try await past.showMeanwhile()
            }
            // Only the room of the start; I may talk elsewhere by now.
            guard desk.conversation.joined.contains(settings.room) else { return }
            hasShownPast = true
            await privateTalk.learnConversations()
            await unread.learn()
            try await card.greet()
            try await past.show(settings.room)
            await unread.markOpen()
            try await pins.entered(settings.room)
            if desk.conversation.privateRooms.contains(settings.room) { try await rooms.reportMembers(settings.room) }
        case .peer(let change):
            if change.state == .connected { desk.said.connected() }
            desk.contextIsStale.raise()
            if change.state == .notConnected, desk.conversation.connectedCount == 0 { try await past.handle(.alone) }
        case .presence: desk.contextIsStale.raise()
        case .message(let message): if settings.isForPrograms { desk.conversation.noteShown(message.record) }
        case .sync(let progress): try await past.handle(.progress(progress))
        case .privateMessage(let message): privateTalk.heard(message)
        // A missed event may have been a change of my name or rooms.
        case .me, .missed: try await rooms.lookAtMe()
        case .notice(let notice): desk.said.noted(notice)
        case .privateProgress, .invitation, .posted, .placed: break
        case .lineChanged(let change):
            if desk.lines.change(.room(change.line)) { await desk.updateLines() }
        case .privateMessageChanged(let change):
            if desk.lines.change(.message(change.message)) { await desk.updateLines() }
        case .changed(let changes): if hasShownPast { try await card.heard(changes) }
        case .nameClash, .renamed, .contactMarks, .room, .sent, .read, .notification, .notificationsSeen,
            .urgentDismissed, .pinned:
            break
        }
    }

    /// - Returns: whether the event is a line that stands on the screen as it was typed.
    private func wasTypedHere(_ event: NodeEvent) -> Bool {
        guard settings.keepsTyped, case .message(let message) = event, message.asker == id else { return false }
        desk.conversation.noteShown(message.record)
        desk.lines.add(.room(message))
        return true
    }

    /// Updates the screen at most ten times a second, and less often the more people there are: each update lists them.
    private func refreshContext() async -> ChatEnd? {
        do {
            while !Task.isCancelled {
                await desk.contextIsStale.wait()
                try Task.checkCancellation()
                await urgent.update()
                await desk.updateContext()
                try await Task.sleep(for: Self.contextInterval * (1 + desk.conversation.reachableCount / 100))
            }
        } catch {
        }
        return nil
    }

    private func showViews() async -> ChatEnd? { await views.follow() }

    private func followReading() async -> ChatEnd? {
        do {
            while !Task.isCancelled {
                await unread.seen.wait()
                try Task.checkCancellation()
                await unread.markOpen()
                try await Task.sleep(for: ChatUnread.interval)
            }
        } catch {
        }
        return nil
    }

    private func followTime() async -> ChatEnd? {
        do {
            while !Task.isCancelled {
                await desk.ticksAreNeeded.wait()
                while past.isWaiting || privateTalk.isWaiting || notifications.isWaiting {
                    try await Task.sleep(for: Self.tickInterval)
                    try await past.handle(.tick)
                    try await privateTalk.handle(.tick)
                    try await notifications.tick()
                }
            }
        } catch is ScreenClosed {
            return .outputClosed
        } catch {
        }
        return nil
    }

    // MARK: - Input

    /// A terminal is read ahead, because Ctrl-C arrives as a key and must also end the wait for peers. A pipe is not
    /// read until the peers are there.
    private func listen() async -> ChatEnd? {
        if !settings.isInteractive { await peerWait.reading.pass() }
        while !Task.isCancelled {
            var read = await desk.screen.read()
            if read.contains(.interrupt), views.stop() { read.removeAll { $0 == .interrupt } }
            let isHeld = settings.isInteractive && peerWait.isHeld
            if isHeld, await leaves(read) { return .done }
            inputs.add(read)
            if read.contains(.interrupt) || read.contains(.endOfInput) && !isHeld { return nil }
            await inputs.waitForSpace()
        }
        return nil
    }

    /// While a terminal waits for peers, input is held; Ctrl-C and `/quit` end the chat, and so does Ctrl-D if no line waits.
    ///
    /// - Returns: whether the chat ends.
    private func leaves(_ read: [ChatInput]) async -> Bool {
        var reader = InputReader(isInteractive: true, extraWords: slash?.words ?? [])
        for input in read {
            switch reader.meaning(of: input) {
            // As at the end of a pipe, typed lines are sent first.
            case .endOfInput where peerWait.hasHeld: break
            case .endOfInput, .interrupt, .command(.quit):
                if let lost = peerWait.lost { await showWait(.error(code: "notSent", lost)) }
                return true
            case .nothing: break
            case .line:
                if let first = peerWait.held() { await showWait(.reply(.text(first))) }
            default: if let first = peerWait.held(isLine: false) { await showWait(.reply(.text(first))) }
            }
        }
        return false
    }

    private func showWait(_ item: ChatItem) async {
        do {
            try await desk.show(item)
        } catch {
            // The screen is closed, which ends the chat elsewhere.
        }
    }

    private func converse() async -> ChatEnd? {
        var reader = InputReader(isInteractive: settings.isInteractive, extraWords: slash?.words ?? [])
        await peerWait.speaking.pass()
        do {
            while !Task.isCancelled {
                var lines = LineBatch()
                for input in await inputs.take() {
                    switch reader.meaning(of: input) {
                    case .nothing: break
                    case .line(let line):
                        if !lines.takes(line) { try await say(lines.take()) }
                        lines.append(line)
                    case let meaning:
                        try await say(lines.take())
                        if let end = try await act(on: meaning) { return end }
                    }
                    if Task.isCancelled { return nil }
                }
                try await say(lines.take())
            }
            return nil
        } catch {
            return .outputClosed
        }
    }

    /// - Returns: how the chat ends; `nil` if it goes on.
    private func act(on meaning: InputMeaning) async throws(ScreenClosed) -> ChatEnd? {
        switch meaning {
        case .nothing, .line: break
        case .refused(let code, let text):
            desk.hasRefused = true
            try await desk.show(.error(code: code, text))
        case .endOfInput: return await farewell()
        case .interrupt: return .done
        case .question, .mistake, .command, .extra:
            await peerWait.speaking.pass()
            if Task.isCancelled { return nil }
            return try await obeyTyped(meaning)
        }
        return nil
    }

    private func obeyTyped(_ meaning: InputMeaning) async throws(ScreenClosed) -> ChatEnd? {
        switch meaning {
        case .question(let question): try await desk.show(.error(code: "notSent", question))
        case .mistake(let text, let isSecret):
            desk.hasRefused = true
            // The lines that follow in a pipe were meant for the room that this did not enter.
            if isSecret { desk.losePartner() }
            try await desk.show(.error(code: "badCommand", text))
        case .command(.quit): return await farewell()
        case .command(let command):
            do {
                try await obey(command)
            } catch let error as CommandError {
                desk.hasRefused = true
                try await desk.show(error.item)
            } catch {
                throw ScreenClosed()
            }
        case .extra(let word, let rest): try await extra(word, rest)
        case .nothing, .line, .refused, .endOfInput, .interrupt: break
        }
        return nil
    }

    private func say(_ lines: [SayLines.Line]) async throws(ScreenClosed) {
        guard !lines.isEmpty else { return }
        await peerWait.speaking.pass()
        guard !Task.isCancelled else { return }
        try await speech.say(lines)
        try await away.remind()
    }

    private func giveUpWaiting(after timeout: Duration) async -> ChatEnd? {
        do {
            try await Task.sleep(for: timeout)
            guard !peerWait.wasMet else { return nil }
            let there = desk.conversation.reachableCount
            let text =
                "Only \(there) of \(settings.waitCount) peers connected within \(timeout.components.seconds) s; try again later."
            try await desk.show(.error(code: "waitTimedOut", text))
            return .timedOut
        } catch {
            return nil
        }
    }

    /// Waits until what was said is handed over, then ends the chat.
    private func farewell() async -> ChatEnd {
        do {
            try await speech.reportRefused()
            try await past.handle(.leaving)
            try await privateTalk.handle(.leaving)
            return try await speech.handOver()
        } catch is ScreenClosed {
            return .outputClosed
        } catch {
            return .failed
        }
    }
}

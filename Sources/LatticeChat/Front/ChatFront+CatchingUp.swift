import LatticeAPI
import LatticeCore

// Progress of reconciling with neighbours.
extension ChatFront {
    /// Fast enough for a person. Ticks run only while something is pending.
    private static let tickInterval: Duration = .milliseconds(250)

    func catchUp(_ event: CatchUp.Event) async throws(ScreenClosed) {
        catchUpEffects += catchUp.handle(event, at: instant)
        if catchUp.isWaiting { catchUpGoesOn.yield() }
        // Some effects wait for the node. One caller carries them all out, in order; other callers only add to the
        // queue.
        guard !isCatchingUp else { return }
        isCatchingUp = true
        defer { isCatchingUp = false }
        while !catchUpEffects.isEmpty { try await carryOut(catchUpEffects.removeFirst()) }
    }

    private func carryOut(_ effect: CatchUp.Effect) async throws(ScreenClosed) {
        switch effect {
        case .bar(let progress): await screen.setProgress(progress.map(SyncPhrases.bar))
        case .lines(let room, let messages, let count): try await showLate(messages, count: count, in: room)
        case .posts(let posts): for post in posts { try await show(.posted(post.item, shown: post.shown)) }
        case .manyPosts(let count): try await show(.latePosts(count))
        case .caughtUp(let progress): try await show(.caughtUp(progress))
        case .statusWanted(let isLast): try await answer(isLast: isLast)
        }
    }

    func followTime() async -> ChatEnd? {
        do {
            for await _ in catchUpIsOn {
                while catchUp.isWaiting || news.isWaiting {
                    try await Task.sleep(for: Self.tickInterval)
                    try await catchUp(.tick)
                    try await privateNews(.tick)
                }
            }
        } catch is ScreenClosed {
            return .outputClosed
        } catch {
        }
        return nil
    }

    // MARK: - Commands

    func compare() async throws {
        guard conversation.connectedCount > 0 else {
            return try await show(.reply(.text(SyncPhrases.nobodyThere)))
        }
        try await ask(SyncNow())
        try await catchUp(.asked)
    }

    func showStatus() async throws {
        let status = try await ask(ShowSyncStatus())
        let context = WallContext(now: settings.now(), isChat: true, calendar: settings.calendar)
        try await show(.reply(.wall(SyncLines.output(status, context))))
    }

    /// A reconciliation that found nothing causes no event, so a person who asked gets the status from the node.
    private func answer(isLast: Bool) async throws(ScreenClosed) {
        guard conversation.connectedCount > 0 else {
            return try await show(.reply(.text(SyncPhrases.nobodyThere)))
        }
        let progress: SyncProgress?
        do {
            let status = try await node.perform(ShowSyncStatus())
            progress = status.progress
        } catch {
            return try await show(.error(code: error.code.rawValue, error.description))
        }
        guard let progress else { return }
        if progress.isCaughtUp {
            if settings.isForPrograms { try await show(.sync(progress)) }
            try await catchUp(.progress(progress))
        } else if isLast {
            if settings.isForPrograms { try await show(.sync(progress)) }
            try await show(.reply(.text("\(SyncPhrases.unfinished(progress)); still fetching")))
        }
    }
}

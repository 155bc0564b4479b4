import LatticeAPI
import LatticeCore

// Changes of my name and rooms by other fronts of the same node.
extension ChatFront {
    /// Asks the node for the current state: the event may be older than a change made here.
    func lookAtMe() async throws(ScreenClosed) {
        guard let (me, changes) = await changesElsewhere(), !changes.isEmpty else { return }
        await updateContext()
        try await show(.me(me, changes))
    }

    /// - Returns: `nil` if the node does not answer.
    func changesElsewhere() async -> (Me, [ChangeElsewhere])? {
        await holdMe()
        defer { letMeGo() }
        do {
            let me = try await node.perform(ShowMe())
            return (me, conversation.take(me))
        } catch {
            return nil
        }
    }

    /// Shows what was said between the end of one node and the start of the next.
    func showMeanwhile() async throws(ScreenClosed) {
        await sayingPasses()
        for room in conversation.joined where !conversation.isMuted(room) {
            let lines: [Message]
            do {
                lines = try await page(of: room, Self.pastLines).lines
            } catch {
                return  // Nothing is stored.
            }
            let missed = lines.filter { line in
                line.at >= begunAt && !conversation.hasShown(line.record) && !said.contains(line.record)
            }
            try await showTogether(past(missed, isLate: false))
        }
    }

    /// Changes my name or rooms; `changesElsewhere` waits meanwhile.
    func changing(_ change: () async throws -> Void) async throws {
        await holdMe()
        defer { letMeGo() }
        try await change()
    }

    private func holdMe() async {
        while holdsMe, !Task.isCancelled { await withCheckedContinuation { meWaiters.append($0) } }
        holdsMe = true
    }

    func letMeGo() {
        holdsMe = false
        let waiters = meWaiters
        meWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}

import LatticeAPI
import LatticeCore

// What other fronts of the same node do to one's name and rooms.
extension ChatFront {
    /// Asks how it stands, since word of it may be older than what was done here meanwhile.
    func lookAtMe() async throws(ScreenClosed) {
        guard let (me, changes) = await changesElsewhere(), !changes.isEmpty else { return }
        await updateContext()
        try await show(.me(me, changes))
    }

    /// - Returns: `nil` where the node does not say.
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

    /// Another node has taken the place of the one that ended: what was said between them.
    func showMeanwhile() async throws(ScreenClosed) {
        await sayingPasses()
        for room in conversation.joined where !conversation.isMuted(room) {
            let lines: [Message]
            do {
                lines = try await page(of: room, Self.pastLines).lines
            } catch {
                return  // Nothing is kept.
            }
            let missed = lines.filter { line in
                line.at >= begunAt && !conversation.hasShown(line.record) && !said.contains(line.record)
            }
            try await showTogether(past(missed, isLate: false))
        }
    }

    /// Does what changes one's name or rooms; how these are is not looked at meanwhile.
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

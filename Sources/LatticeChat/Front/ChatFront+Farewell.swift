import LatticeAPI
import LatticeCore

// The end of input.
extension ChatFront {
    /// How long to wait for confirmations at the end of input without `--timeout`. A script may finish before peers
    /// connect; a person is waiting at the terminal, and does not wait at all if nobody is connected.
    private var farewellTimeout: Duration {
        guard settings.isInteractive else { return .seconds(10) }
        return conversation.connectedCount == 0 ? .zero : .seconds(2)
    }

    /// Waits until what was said is handed over, then ends the chat.
    func farewell() async -> ChatEnd {
        let timeout = settings.timeout ?? farewellTimeout
        do {
            try await tellOfRefused()
            try await catchUp(.leaving)
            try await privateNews(.leaving)
            let total = try await flush(timeout: timeout)
            // A signal ends the wait; the person who sent it knows that.
            guard total > 0, !Task.isCancelled else { return .done }
            let unconfirmed = try await unconfirmed(among: said.all, of: total)
            guard unconfirmed > 0 else { return .done }
            let lost = min(unconfirmed, try await self.unconfirmed(among: said.lost, of: total))
            if conversation.connectedCount == 0 {
                try await show(
                    .error(
                        code: "nobodyThere",
                        FarewellPhrases.reachedNobody(unconfirmed, lost: lost, isInteractive: settings.isInteractive)))
                return .nobodyThere
            }
            let text = FarewellPhrases.unconfirmed(unconfirmed)
            try await show(.error(code: "unconfirmed", text))
            return .failed
        } catch is ScreenClosed {
            return .outputClosed
        } catch {
            return .failed
        }
    }

    /// Piped input is flushed for as long as each `timeout` brings confirmations.
    ///
    /// - Returns: the number of unconfirmed lines.
    private func flush(timeout: Duration) async throws(RequestError) -> Int {
        guard settings.timeout == nil, !settings.isInteractive else { return try await unconfirmed(after: timeout) }
        var left = try await unconfirmed(after: .zero)
        while left > 0, !Task.isCancelled {
            let now = try await unconfirmed(after: timeout)
            if now >= left { break }
            left = now
        }
        return left
    }

    private func unconfirmed(among scope: SaidLines.Scope, of total: Int) async throws(RequestError) -> Int {
        switch scope {
        case .nothing: 0
        case .these(let lines): try await unconfirmed(after: .zero, lines)
        case .all: total
        }
    }

    private func unconfirmed(after timeout: Duration, _ lines: [RecordID]? = nil) async throws(RequestError) -> Int {
        try await node.perform(Flush(timeout: timeout, lines: lines)).unconfirmed
    }
}

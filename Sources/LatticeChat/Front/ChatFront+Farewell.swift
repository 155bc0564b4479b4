import LatticeAPI
import LatticeCore

// The end of what is typed.
extension ChatFront {
    /// How long the end of input waits for somebody to confirm, where `--timeout` does not say. A script may have been
    /// early; a person sits there, and not at all for somebody who is not there.
    private var farewellTimeout: Duration {
        guard settings.isInteractive else { return .seconds(10) }
        return conversation.connectedCount == 0 ? .zero : .seconds(2)
    }

    /// Hands over what was said before leaving.
    func farewell() async -> ChatEnd {
        let timeout = settings.timeout ?? farewellTimeout
        do {
            try await tellOfRefused()
            try await catchUp(.leaving)
            try await privateNews(.leaving)
            let total = try await flush(timeout: timeout)
            // A signal ends the wait, and whoever sent it knows that it did.
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

    /// What a pipe poured in goes on being handed over as long as neighbours confirm something in that time.
    ///
    /// - Returns: how many lines nobody has confirmed.
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

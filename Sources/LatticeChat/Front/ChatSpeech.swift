import LatticeAPI
import LatticeCore

/// Sends what is typed, and counts what was refused and what nobody has confirmed.
final class ChatSpeech {
    private let id: FrontID
    private let node: any MeshNode
    private let desk: ChatDesk
    private let privateTalk: PrivateTalk
    /// Lines refused in a row because the outbox is full.
    private var refusedCount = 0

    /// - Parameter node: says lines on the executor of the front, which changes no thread.
    init(by id: FrontID, on node: any MeshNode, _ desk: ChatDesk, _ privateTalk: PrivateTalk) {
        (self.id, self.node, self.desk, self.privateTalk) = (id, node, desk, privateTalk)
    }

    nonisolated(nonsending) func say(_ lines: [SayLines.Line]) async throws(ScreenClosed) {
        guard !desk.hasLostPartner else {
            return try await refuse(
                lines, code: "noPartner",
                "This was not sent: there is nobody to send it to. Use /query NAME or /join #room.")
        }
        if let partner = desk.conversation.partner {
            for line in lines { try await privateTalk.tell(partner, line.text, line.style) }
            return
        }
        guard let room = desk.conversation.current else {
            return try await refuse(lines, code: "noRoom", "You are not in a room; use /join #room first.")
        }
        let audience: Audience = desk.conversation.privateRooms.contains(room) ? .members : .everybody
        let outcomes: [SayLines.Outcome]
        desk.said.begin(lines)
        do {
            outcomes = try await node.perform(SayLines(lines, room: room, audience: audience, asker: id)).lines
        } catch {
            outcomes = lines.map { _ in .refused(error) }
        }
        desk.said.end(outcomes)
        for (line, outcome) in zip(lines, outcomes) { try await show(outcome, wasUrgent: line.isUrgent) }
    }

    nonisolated(nonsending) private func show(
        _ outcome: SayLines.Outcome, wasUrgent: Bool
    ) async throws(ScreenClosed) {
        switch outcome {
        case .said(let line):
            try await reportRefused()
            if wasUrgent, !line.isUrgent {
                try await desk.show(.notice(Notice(.information, code: "notUrgent", UrgentPhrases.asUsual)))
            }
            guard let news = desk.said.news(isWaiting: line.isWaiting, unkept: line.unkept) else { return }
            try await desk.show(.notice(news))
        case .refused(let error):
            desk.hasRefused = true
            // A full outbox is reported once, and later how many more lines it refused.
            if error.code == .outboxFull {
                refusedCount += 1
                if refusedCount > 1 { return }
            }
            try await desk.show(.error(code: error.code.rawValue, desk.words(of: error)))
        }
    }

    nonisolated(nonsending) private func refuse(
        _ lines: [SayLines.Line], code: String, _ text: String
    ) async throws(ScreenClosed) {
        desk.hasRefused = true
        for _ in lines { try await desk.show(.error(code: code, text)) }
    }

    nonisolated(nonsending) func reportRefused() async throws(ScreenClosed) {
        defer { refusedCount = 0 }
        guard refusedCount > 1 else { return }
        try await desk.show(.error(code: "outboxFull", "\(refusedCount - 1) more lines were refused."))
    }

    /// How long to wait for confirmations at the end of input without `--timeout`. A script may finish before peers
    /// connect; a person is waiting at the terminal, and does not wait at all if nobody is connected.
    private var farewellTimeout: Duration {
        guard desk.settings.isInteractive else { return .seconds(10) }
        return desk.conversation.connectedCount == 0 ? .zero : .seconds(2)
    }

    /// Waits until what was said is handed over.
    nonisolated(nonsending) func handOver() async throws -> ChatEnd {
        let total = try await flush(timeout: desk.settings.timeout ?? farewellTimeout)
        // A signal ends the wait; the person who sent it knows that.
        guard total > 0, !Task.isCancelled else { return .done }
        let unconfirmed = try await unconfirmed(among: desk.said.all, of: total)
        guard unconfirmed > 0 else { return .done }
        let lost = min(unconfirmed, try await self.unconfirmed(among: desk.said.lost, of: total))
        if desk.conversation.connectedCount == 0 {
            let text = FarewellPhrases.reachedNobody(
                unconfirmed, lost: lost, isInteractive: desk.settings.isInteractive)
            try await desk.show(.error(code: "nobodyThere", text))
            return .nobodyThere
        }
        try await desk.show(.error(code: "unconfirmed", FarewellPhrases.unconfirmed(unconfirmed)))
        return .failed
    }

    /// Piped input is flushed for as long as each `timeout` brings confirmations.
    ///
    /// - Returns: the number of unconfirmed lines.
    nonisolated(nonsending) private func flush(timeout: Duration) async throws(RequestError) -> Int {
        guard desk.settings.timeout == nil, !desk.settings.isInteractive else {
            return try await unconfirmed(after: timeout)
        }
        var left = try await unconfirmed(after: .zero)
        while left > 0, !Task.isCancelled {
            let now = try await unconfirmed(after: timeout)
            if now >= left { break }
            left = now
        }
        return left
    }

    nonisolated(nonsending) private func unconfirmed(
        among scope: SaidLines.Scope, of total: Int
    ) async throws(RequestError) -> Int {
        switch scope {
        case .nothing: 0
        case .these(let lines): try await unconfirmed(after: .zero, lines)
        case .all: total
        }
    }

    nonisolated(nonsending) private func unconfirmed(
        after timeout: Duration, _ lines: [RecordID]? = nil
    ) async throws(RequestError) -> Int {
        try await desk.node.perform(Flush(timeout: timeout, lines: lines)).unconfirmed
    }
}

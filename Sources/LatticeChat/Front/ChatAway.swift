import LatticeAPI
import LatticeCore

/// `/away` and `/back`. While I am away, others see it, and only urgent messages ring here.
final class ChatAway {
    private let desk: ChatDesk
    private var isReminded = false

    init(_ desk: ChatDesk) { self.desk = desk }

    nonisolated(nonsending) func leave(_ text: String) async throws {
        guard text.utf8.count <= SetAway.textBytesMax else {
            throw CommandError(
                code: "lineTooLong",
                description: "/away takes a text of at most \(SetAway.textBytesMax) bytes; make it shorter.")
        }
        try await set(text)
        isReminded = false
        try await desk.show(.reply(.text(AwayPhrases.left(text))))
    }

    nonisolated(nonsending) func back() async throws {
        let wasAway = desk.conversation.away != nil
        let missed = try await set(nil).missed
        try await desk.show(.reply(.text(wasAway || missed > 0 ? AwayPhrases.back : AwayPhrases.wasHere)))
        if missed > 0 { try await desk.show(.reply(.text(AwayPhrases.missed(missed)))) }
    }

    /// The event of the change is older than the reply, and not shown in this chat.
    @discardableResult
    nonisolated(nonsending) private func set(_ text: String?) async throws -> SetAway.Reply {
        let before = desk.conversation.away
        desk.conversation.away = text
        do {
            return try await desk.ask(SetAway(text))
        } catch {
            desk.conversation.away = before
            throw error
        }
    }

    /// Called after I said something. The first time while I am away, I get a reminder.
    nonisolated(nonsending) func remind() async throws(ScreenClosed) {
        guard desk.conversation.away != nil, !isReminded else { return }
        isReminded = true
        try await desk.show(.notice(Notice(.information, code: "stillAway", AwayPhrases.reminder)))
    }
}

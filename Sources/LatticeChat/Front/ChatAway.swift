import LatticeAPI
import LatticeCore

/// Being away: others see it, and nothing but what is urgent rings here.
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
        try await desk.ask(SetAway(text))
        desk.conversation.away = text
        isReminded = false
        try await desk.show(.reply(.text(AwayPhrases.left(text))))
    }

    nonisolated(nonsending) func back() async throws {
        let wasAway = desk.conversation.away != nil
        let missed = try await desk.ask(SetAway(nil)).missed
        desk.conversation.away = nil
        try await desk.show(.reply(.text(wasAway || missed > 0 ? AwayPhrases.back : AwayPhrases.wasHere)))
        if missed > 0 { try await desk.show(.reply(.text(AwayPhrases.missed(missed)))) }
    }

    /// Somebody who is away has said something.
    nonisolated(nonsending) func remind() async throws(ScreenClosed) {
        guard desk.conversation.away != nil, !isReminded else { return }
        isReminded = true
        try await desk.show(.notice(Notice(.information, code: "stillAway", AwayPhrases.reminder)))
    }
}

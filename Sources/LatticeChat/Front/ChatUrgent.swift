import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// What is urgent: said here, and kept above the prompt until it is dismissed in any front.
final class ChatUrgent {
    private let desk: ChatDesk
    private let speech: ChatSpeech
    /// What the node lists may be another than what is pinned.
    private var isStale = false

    init(_ desk: ChatDesk, _ speech: ChatSpeech) { (self.desk, self.speech) = (desk, speech) }

    nonisolated(nonsending) func say(_ text: String) async throws {
        guard desk.conversation.partner == nil else {
            throw CommandError(
                code: "noRoom", description: "Only lines of rooms can be urgent; /query goes back to your room.")
        }
        if let room = desk.conversation.current, desk.conversation.privateRooms.contains(room) {
            throw CommandError(
                code: "privateRoom",
                description:
                    "Lines of a private room cannot be urgent, because relays cannot read them. Send it without /urgent."
            )
        }
        try await speech.say([SayLines.Line(text, isUrgent: true)])
    }

    /// Asks the node what is urgent, if that may have changed. Without a store nothing is.
    nonisolated(nonsending) func update() async {
        guard isStale else { return }
        isStale = false
        do {
            desk.pins.take(try await desk.node.perform(ListUrgent()).notifications)
        } catch {
            return
        }
    }

    func heard(_ event: NodeEvent) {
        guard desk.settings.isInteractive else { return }
        switch event {
        case .notification(let one) where one.kind == .urgent: desk.pins.came(one)
        case .urgentDismissed(let records): desk.pins.went(records)
        case .ready:
            // `update` follows at once.
            isStale = true
            return
        case .missed: break
        // What is pinned may have been deleted or edited, or its author is ignored now.
        case .lineChanged, .changed, .contactMarks, .room: if desk.pins.isEmpty { return }
        default: return
        }
        isStale = true
        desk.contextIsStale.raise()
    }
}

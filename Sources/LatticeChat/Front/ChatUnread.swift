import LatticeAPI
import LatticeConcurrency
import LatticeCore

/// Moves this person's read positions as lines are shown on a terminal, and learns what is unread elsewhere.
final class ChatUnread {
    /// The shortest time between two moves of a position.
    static let interval: Duration = .seconds(1)

    private let desk: ChatDesk
    /// Lines of the open conversation were shown.
    let seen = Signal()
    /// The position is behind what was shown.
    private var isBehind = false

    init(_ desk: ChatDesk) { self.desk = desk }

    private var isOn: Bool { desk.settings.countsUnread }

    /// Asks the node what is unread. Without a store nothing is.
    nonisolated(nonsending) func learn() async {
        guard isOn else { return }
        do {
            desk.conversation.unread.take(try await desk.node.perform(ListUnread()).conversations)
            await desk.updateContext()
        } catch {
            return
        }
    }

    func heard(_ event: NodeEvent) {
        guard isOn else { return }
        switch event {
        case .read(let count):
            // A line that just came to the open conversation is on the screen.
            guard UnreadBoard.Place(count.conversation) != desk.conversation.open else { return }
            desk.conversation.unread.take(count)
        case .message(let line) where desk.conversation.isCurrent(line.room):
            isBehind = true
            return seen.raise()
        case .message, .privateMessage: break
        default: return
        }
        desk.contextIsStale.raise()
    }

    /// Before the chat ends.
    nonisolated(nonsending) func finish() async {
        if isBehind { await markOpen() }
    }

    /// Marks the open conversation as read.
    nonisolated(nonsending) func markOpen() async {
        guard isOn, let open = desk.conversation.open else { return }
        desk.conversation.unread.clear(open)
        isBehind = false
        let name: ConversationName =
            switch open {
            case .room(let room): .room(room)
            case .peer(let peer): .peer(PeerReference(peer))
            }
        do {
            _ = try await desk.node.perform(MarkRead(name))
        } catch {
            return  // Without a store nothing is kept, and a broken one has a notice of its own.
        }
    }
}

import LatticeAPI
import LatticeCore

struct StreamEvent: Sendable {
    let name: String
    let data: JSON
    /// Only for clients with the token.
    let isPrivate: Bool

    init(_ name: String, _ data: JSON, isPrivate: Bool = false) {
        self.name = name
        self.data = data
        self.isPrivate = isPrivate
    }

    static func events(of event: NodeEvent) -> [StreamEvent] {
        switch event {
        case .message(let message): [StreamEvent("message", message.json, isPrivate: message.isPrivate)]
        case .lineChanged(let change): [StreamEvent("line_changed", change.json, isPrivate: change.line.isPrivate)]
        case .pinned(let change): [StreamEvent("pinned", change.json, isPrivate: true)]
        // It reveals where this person is.
        case .posted(let item): [StreamEvent("item", item.json, isPrivate: true)]
        case .placed(let placed): [StreamEvent("placed", placed.json)]
        case .peer(let change): [StreamEvent("peer", change.json)]
        case .presence(let change): [StreamEvent("presence", change.json)]
        case .sync(let progress): [StreamEvent("sync", progress.json)]
        case .notice(let notice): [StreamEvent("notice", notice.json, isPrivate: true)]
        case .me(let me), .ready(let me): [StreamEvent("me", me.streamJSON, isPrivate: true)]
        // Posts and their authors are readable without the token.
        case .changed(let changes): [StreamEvent("changed", changes.json)]
        case .sent(let records): [StreamEvent("sent", records.sentJSON, isPrivate: true)]
        case .read(let count): [StreamEvent("read", count.json, isPrivate: true)]
        case .missed(let count): [StreamEvent("missed", ["count": .integer(count)])]
        case .privateMessage(let message): [StreamEvent("private_message", message.json, isPrivate: true)]
        case .privateMessageChanged(let change):
            [StreamEvent("private_message_changed", change.json, isPrivate: true)]
        case .privateProgress(let progress): [StreamEvent("private_message_state", progress.json, isPrivate: true)]
        case .notification(let one): [StreamEvent("notification", one.json, isPrivate: true)]
        case .urgentDismissed(let records):
            [StreamEvent("urgent_dismissed", records.sentJSON, isPrivate: true)]
        case .notificationsSeen: [StreamEvent("notifications_seen", [:], isPrivate: true)]
        case .contactMarks(let marks): [StreamEvent("marks", marks.json, isPrivate: true)]
        // Decisions are asked for where people can answer: at a terminal.
        case .invitation, .nameClash, .renamed, .room: []
        }
    }
}

import LatticeAPI
import LatticeCore

/// Something that happened, as a stream tells it.
struct StreamEvent: Sendable {
    let name: String
    let data: JSON
    /// Only for whoever has the token.
    let isPrivate: Bool

    init(_ name: String, _ data: JSON, isPrivate: Bool = false) {
        self.name = name
        self.data = data
        self.isPrivate = isPrivate
    }

    static func events(of event: NodeEvent) -> [StreamEvent] {
        switch event {
        case .message(let message): [StreamEvent("message", message.json, isPrivate: message.isPrivate)]
        // It tells where this person is.
        case .posted(let item): [StreamEvent("item", item.json, isPrivate: true)]
        case .placed(let placed): [StreamEvent("placed", placed.json)]
        case .peer(let change): [StreamEvent("peer", change.json)]
        case .presence(let change): [StreamEvent("presence", change.json)]
        case .sync(let progress): [StreamEvent("sync", progress.json)]
        case .notice(let notice): [StreamEvent("notice", notice.json, isPrivate: true)]
        case .me(let me), .ready(let me): [StreamEvent("me", me.streamJSON, isPrivate: true)]
        // Whatever is on the wall, and whoever wrote it, may be read without the token.
        case .changed(let changes): [StreamEvent("changed", changes.json)]
        case .sent(let records): [StreamEvent("sent", records.sentJSON, isPrivate: true)]
        case .missed(let count): [StreamEvent("missed", ["count": .integer(count)])]
        case .privateMessage(let message): [StreamEvent("letter", message.json, isPrivate: true)]
        case .privateProgress(let progress): [StreamEvent("letter_state", progress.json, isPrivate: true)]
        // What a person has to decide is asked for where they can answer: at a terminal.
        case .invitation, .nameClash, .renamed, .standing, .room: []
        }
    }
}

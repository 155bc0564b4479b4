import LatticeAPI
package import LatticeCore

/// For pipes, dumb terminals and screen readers: what people say on standard output, everything else on standard error.
package struct PlainRenderer: Renderer {
    private let me: PeerID

    package init(me: PeerID) {
        self.me = me
    }

    package func render(_ item: ChatItem) -> Rendered {
        switch item {
        case .message(let message, _, _, _) where message.from == me: Rendered()
        case .message(let message, let shown, let isCurrentRoom, _):
            Rendered(output: [Self.line(message, shown, isCurrentRoom)])
        case .reply(.wall(let output)):
            Rendered(error: Phrases.reply(.wall(output)) + (output.failure?.lines ?? []).map { "lattice: \($0)" })
        case .reply(let reply): Rendered(error: Phrases.reply(reply))
        case .ready, .peer, .presence, .invitation, .notice, .posted, .missed:
            Rendered(error: Phrases.status(item).map { "* \($0)" })
        case .error: Rendered(error: Phrases.status(item).map { "lattice: \($0)" })
        }
    }

    private static func line(_ message: Message, _ shown: String, _ isCurrentRoom: Bool) -> String {
        let room = isCurrentRoom ? "" : "\(DisplayText.isolated(message.room.text)) "
        let text = DisplayText.isolated(message.text)
        return switch message.style {
        case .says: "\(room)<\(shown)> \(text)"
        case .acts: "\(room)* \(shown) \(text)"
        }
    }
}

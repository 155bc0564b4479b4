import LatticeAPI
package import LatticeCore

/// For people at a terminal: times, a colour for each peer, quiet status lines.
package struct TerminalRenderer: Renderer {
    private let me: PeerID
    private let hasColor: Bool
    private let clock: @Sendable (WallTime) -> String

    /// - Parameter clock: the time of day as people here write it.
    package init(me: PeerID, hasColor: Bool, clock: @escaping @Sendable (WallTime) -> String) {
        self.me = me
        self.hasColor = hasColor
        self.clock = clock
    }

    package func render(_ item: ChatItem) -> Rendered {
        switch item {
        case .message(let message, let shown, let isCurrentRoom, let isMention):
            Rendered(output: [line(message, shown, isCurrentRoom, isMention)], rings: isMention)
        case .past(let message, let shown, let isCurrentRoom, let isLate):
            Rendered(output: [pastLine(message, shown, isCurrentRoom, isLate)])
        case .privateMessage(let message, let shown, let isPast, let isGoingOut):
            Rendered(
                output: [privateLine(message, PrivatePhrases.line(message, shown, isGoingOut: isGoingOut), isPast)],
                rings: !message.isMine && !message.isLate && !isPast)
        case .privateOutcome(let outcome):
            Rendered(output: Phrases.status(item).map { styled("* \($0)", outcome.state == .lapsed ? "33" : "2") })
        case .sync, .privateState: Rendered()
        case .reply(.wall(let output)):
            Rendered(
                output: Phrases.reply(.wall(output)).map { styled($0, "36") }
                    + (output.failure?.lines ?? []).map { styled("! \($0)", "31") })
        case .reply(let reply): Rendered(output: Phrases.reply(reply).map { styled($0, "36") })
        case .day, .earlier: Rendered(output: Phrases.status(item).map { styled($0, "2") })
        case .ready, .peer, .presence, .missed, .caughtUp, .renamed, .me:
            Rendered(output: Phrases.status(item).map { styled("* \($0)", "2") })
        case .posted, .latePosts: Rendered(output: Phrases.status(item).map { styled("* \($0)", "33") })
        case .invitation: Rendered(output: Phrases.status(item).map { styled("* \($0)", "1") }, rings: true)
        case .notice(let notice):
            Rendered(output: Phrases.status(item).map { styled("* \($0)", notice.level == .problem ? "33" : "2") })
        case .nameClash: Rendered(output: Phrases.status(item).map { styled("! \($0)", "1;31") }, rings: true)
        case .error: Rendered(output: Phrases.status(item).map { styled("! \($0)", "31") })
        }
    }

    private func line(_ message: Message, _ shown: String, _ isCurrentRoom: Bool, _ isMention: Bool) -> String {
        let time = styled(clock(message.at), "2")
        let room = isCurrentRoom ? "" : styled("\(RoomLines.name(message.room, isPrivate: message.isPrivate)) ", "35")
        let name = styled(shown, message.from == me ? "1" : Self.color(of: message.from))
        let text = isMention ? styled(DisplayText.isolated(message.text), "1") : DisplayText.isolated(message.text)
        return switch message.style {
        case .says: "\(time) \(room)<\(name)> \(text)"
        case .acts: "\(time) \(room)* \(name) \(text)"
        }
    }

    /// All of it dim, the name in its colour: nothing that is said now looks like it.
    private func pastLine(_ message: Message, _ shown: String, _ isCurrentRoom: Bool, _ isLate: Bool) -> String {
        let late = isLate ? " \(Phrases.late)" : ""
        let room = isCurrentRoom ? "" : " \(RoomLines.name(message.room, isPrivate: message.isPrivate))"
        let head = styled("\(clock(message.at))\(late)\(room)", "2")
        let name = styled(shown, message.from == me ? "2;1" : "2;\(Self.color(of: message.from))")
        let text = styled(DisplayText.isolated(message.text), "2")
        return switch message.style {
        case .says: "\(head) <\(name)> \(text)"
        case .acts: "\(head) * \(name) \(text)"
        }
    }

    /// All of it in a colour that nothing else has; of one's own that was opened a mark says so.
    private func privateLine(_ message: PrivateMessage, _ told: String, _ isPast: Bool) -> String {
        let late = message.isLate && !isPast ? " \(Phrases.late)" : ""
        let isOld = isPast || message.isLate
        let line = styled(told, isOld ? "2;95" : "95")
        let mark = message.isMine && message.state == .delivered ? styled(" ✓", "2") : ""
        return "\(styled("\(clock(message.at))\(late)", "2")) \(line)\(mark)"
    }

    private func styled(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// One of twelve colours of the 256-colour palette that can be read on light and on dark ground, by key.
    private static func color(of peer: PeerID) -> String {
        let readable = [31, 37, 64, 67, 97, 127, 130, 133, 136, 161, 166, 172]
        return "38;5;\(readable[Int(peer.key.leadingWord % UInt64(readable.count))])"
    }
}

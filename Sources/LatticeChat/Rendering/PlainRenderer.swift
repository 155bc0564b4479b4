import LatticeAPI
package import LatticeCore

/// For pipes, dumb terminals and screen readers: messages on standard output, everything else on standard error. One
/// message is one line, whatever its author wrote.
package struct PlainRenderer: Renderer {
    private let clock: @Sendable (WallTime) -> String
    private let hasTimes: Bool
    private let marksMentions: Bool

    /// - Parameters:
    ///   - clock: formats the local time of day.
    ///   - hasTimes: whether new lines start with their time; past lines always do.
    ///   - marksMentions: whether a line that mentions me begins with `> `, as it should on a terminal only.
    package init(
        clock: @escaping @Sendable (WallTime) -> String, hasTimes: Bool = false, marksMentions: Bool = false
    ) {
        self.clock = clock
        self.hasTimes = hasTimes
        self.marksMentions = marksMentions
    }

    package func render(_ item: ChatItem) -> Rendered {
        switch item {
        case .message(let message, let shown, let isCurrentRoom, let isMention, _):
            let mark = isMention && marksMentions ? "> " : ""
            return Rendered(output: [mark + timed(message.at) + Self.line(message, shown, isCurrentRoom)])
        case .past(let message, let shown, let isCurrentRoom, let isLate, _):
            // The history contains my own lines as well; nobody has just typed those.
            let late = isLate ? "\(Phrases.late) " : ""
            return Rendered(output: ["\(clock(message.at)) \(late)\(Self.line(message, shown, isCurrentRoom))"])
        case .privateMessage(let message, let shown, let isPast, let isGoingOut, _):
            return privately(message, PrivatePhrases.line(message, shown, isGoingOut: isGoingOut), isPast)
        case .lineChanged(let change, let shown, let isCurrentRoom, _) where change.kind == .edited:
            let line = change.line
            return Rendered(output: ["\(clock(line.at)) \(Self.line(line, shown, isCurrentRoom))"])
        case .privateMessageChanged(let change, let shown, _) where change.kind == .edited:
            return privately(change.message, PrivatePhrases.line(change.message, shown, isGoingOut: true), true)
        case .sync, .privateState: return Rendered()
        case .day, .earlier: return Rendered(error: Phrases.status(item))
        case .reply(.output(let output)):
            let failure = (output.failure?.lines ?? []).map { "lattice: \($0)" }
            return Rendered(error: output.picture + Phrases.reply(.output(output)) + failure)
        case .reply(let reply): return Rendered(error: Phrases.reply(reply))
        case .lineChanged, .privateMessageChanged, .pins, .pinned, .ready, .peer, .presence, .invitation, .notice,
            .posted,
            .notification, .manyNotifications,
            .missed, .latePosts, .caughtUp,
            .privateOutcome,
            .renamed, .me:
            return Rendered(error: Phrases.status(item).map { "* \($0)" })
        case .nameClash: return Rendered(error: Phrases.status(item).map { "! \($0)" })
        case .error: return Rendered(error: Phrases.status(item).map { "lattice: \($0)" })
        }
    }

    /// My own message was typed by me, so it goes to standard error, which says where it went.
    private func privately(_ message: PrivateMessage, _ line: String, _ isPast: Bool) -> Rendered {
        if message.isMine, !isPast { return Rendered(error: [line]) }
        let late = message.isLate && !isPast ? "\(Phrases.late) " : ""
        let isOld = isPast || message.isLate
        return Rendered(output: [isOld ? "\(clock(message.at)) \(late)\(line)" : timed(message.at) + line])
    }

    private func timed(_ at: WallTime) -> String { hasTimes ? "\(clock(at)) " : "" }

    private static func line(_ message: Message, _ shown: String, _ isCurrentRoom: Bool) -> String {
        let room = isCurrentRoom ? "" : "\(RoomLines.name(message.room, isPrivate: message.isPrivate)) "
        return "\(room)\(SpokenLine.text(message, shown))"
    }
}

import LatticeAPI
package import LatticeCore

/// For pipes, dumb terminals and screen readers: what people say on standard output, everything else on standard error.
package struct PlainRenderer: Renderer {
    private let clock: @Sendable (WallTime) -> String
    private let hasTimes: Bool

    /// - Parameters:
    ///   - clock: the time of day as people here write it.
    ///   - hasTimes: whether each line that is said has its time in front, and not only those of the past.
    package init(clock: @escaping @Sendable (WallTime) -> String, hasTimes: Bool = false) {
        self.clock = clock
        self.hasTimes = hasTimes
    }

    package func render(_ item: ChatItem) -> Rendered {
        switch item {
        case .message(let message, let shown, let isCurrentRoom, _):
            Rendered(output: [timed(message.at) + Self.line(message, shown, isCurrentRoom)])
        case .past(let message, let shown, let isCurrentRoom, let isLate):
            // Own lines of earlier days among them: nobody has just typed those.
            Rendered(output: [
                "\(clock(message.at)) \(isLate ? "\(Phrases.late) " : "")\(Self.line(message, shown, isCurrentRoom))"
            ])
        case .privateMessage(let message, let shown, let isPast, let isGoingOut):
            privately(message, PrivatePhrases.line(message, shown, isGoingOut: isGoingOut), isPast)
        case .sync, .privateState: Rendered()
        case .day, .earlier: Rendered(error: Phrases.status(item))
        case .reply(.wall(let output)):
            Rendered(error: Phrases.reply(.wall(output)) + (output.failure?.lines ?? []).map { "lattice: \($0)" })
        case .reply(let reply): Rendered(error: Phrases.reply(reply))
        case .ready, .peer, .presence, .invitation, .notice, .posted, .missed, .latePosts, .caughtUp, .privateOutcome,
            .renamed, .me:
            Rendered(error: Phrases.status(item).map { "* \($0)" })
        case .nameClash: Rendered(error: Phrases.status(item).map { "! \($0)" })
        case .error: Rendered(error: Phrases.status(item).map { "lattice: \($0)" })
        }
    }

    /// Whoever says something has typed it, and is told on standard error to whom it went.
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

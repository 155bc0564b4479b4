import LatticeAPI
import LatticeCore

/// Words for private messages, shared by the chat and the shell.
enum PrivatePhrases {
    /// A message made safe: `*bob* are you there?`, `→ bob: on my way (waiting)`, `*bob* (notice) build done`. Room
    /// lines never begin like this.
    ///
    /// - Parameter isGoingOut: whether somebody is about to take it, so that `(waiting)` is left out.
    static func line(_ message: PrivateMessage, _ shown: String, isGoingOut: Bool = false) -> String {
        let text = text(of: message)
        let mark = isGoingOut || message.isDeleted ? "" : mark(message).map { " \($0)" } ?? ""
        return switch (message.isMine, message.style) {
        case (false, .says): "*\(shown)* \(text)"
        case (false, .acts): "*\(shown) \(text)*"
        case (true, .says): "→ \(shown): \(text)\(mark)"
        case (true, .acts): "→ \(shown): * \(text)\(mark)"
        }
    }

    /// `(to carol) on my way (edited) [👍]`.
    private static func text(of message: PrivateMessage) -> String {
        guard !message.isDeleted else { return "(\(Phrases.deleted))" }
        let answers = message.reply.map { "(to \(Phrases.answered($0))) " } ?? ""
        let ends = Phrases.reactions(message.reactions).map { " [\($0)]" }.joined()
        return answers + (message.isNotice ? "(notice) " : "") + MessageText.line(message.text)
            + (message.isEdited ? " (edited)" : "") + ends
    }

    /// The state of my message, unless it simply went out.
    static func mark(_ message: PrivateMessage) -> String? {
        switch message.state {
        case .waiting: "(waiting)"
        case .lapsed: "(expired)"
        case .relayed, .delivered: nil
        }
    }

    /// Says "received" and not "read": the other program has opened the message.
    static func outcome(_ outcome: ChatItem.PrivateOutcome) -> String {
        let shown = outcome.shown
        if let file = outcome.file { return "\(shown) has \(DisplayText.isolated(file))" }
        let when = outcome.since ?? "earlier"
        let isOne = outcome.count == 1
        let messages = isOne ? "the message you sent to \(shown) \(when)" : "\(outcome.count) messages to \(shown)"
        switch outcome.state {
        case .lapsed:
            return isOne
                ? "\(messages) expired before it was delivered; send it again if it still matters"
                : "\(messages) expired before they were delivered; send them again if they still matter"
        case .waiting:
            return isOne
                ? "\(messages) has not gone out yet; it is kept and sent later"
                : "\(messages) have not gone out yet; they are kept and sent later"
        case .relayed, .delivered:
            return isOne
                ? "\(shown) received the message you sent \(when)"
                : "\(shown) received \(outcome.count) messages, the first of them sent \(when)"
        }
    }

    /// `at 14:54`, or with the day if it is another one: `on 2026-11-20 at 18:02`.
    static func date(_ date: WallTime, at now: WallTime, in calendar: LocalCalendar) -> String {
        let (text, today) = (calendar.text(date), calendar.text(now))
        let isToday = text.prefix(10) == today.prefix(10)
        return isToday ? "at \(text.suffix(5))" : "on \(text.prefix(10)) at \(text.suffix(5))"
    }
}

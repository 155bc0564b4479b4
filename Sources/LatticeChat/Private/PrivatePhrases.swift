import LatticeAPI
import LatticeCore

/// The words for what is said between two, the same in the chat and in the shell.
enum PrivatePhrases {
    /// A line made safe: `*bob* are you there?`, `→ bob: on my way (waiting)`. No line of a room begins so.
    ///
    /// - Parameter isGoingOut: whether somebody is about to take it, so that it is no news that nobody has yet.
    static func line(_ message: PrivateMessage, _ shown: String, isGoingOut: Bool = false) -> String {
        let text = DisplayText.isolated(message.text)
        let mark = isGoingOut ? "" : mark(message).map { " \($0)" } ?? ""
        return switch (message.isMine, message.style) {
        case (false, .says): "*\(shown)* \(text)"
        case (false, .acts): "*\(shown) \(text)*"
        case (true, .says): "→ \(shown): \(text)\(mark)"
        case (true, .acts): "→ \(shown): * \(text)\(mark)"
        }
    }

    /// What is to be known of a line of one's own that did not simply go out.
    private static func mark(_ message: PrivateMessage) -> String? {
        switch message.state {
        case .waiting: "(waiting)"
        case .lapsed: "(lapsed)"
        case .relayed, .delivered: nil
        }
    }

    /// Not that they read it: their program has opened it.
    static func outcome(_ outcome: ChatItem.PrivateOutcome) -> String {
        let (shown, since) = (outcome.shown, outcome.since ?? "before")
        let isOne = outcome.count == 1
        switch outcome.state {
        case .lapsed:
            let what = isOne ? "what you said to \(shown) \(since)" : "\(outcome.count) lines to \(shown)"
            let were = isOne ? "was not opened before its time was over" : "were not opened before their time was over"
            return "\(what) \(were); say it again if it still matters"
        case .waiting:
            let what = isOne ? "what you said to \(shown) \(since)" : "\(outcome.count) lines to \(shown)"
            let goes = isOne ? "it is kept, and goes" : "they are kept, and go"
            return "nobody has taken \(what) yet; \(goes) out later"
        case .relayed, .delivered:
            let what = isOne ? "what you said \(since)" : "\(outcome.count) lines, the first of them said \(since)"
            return "\(shown) has \(what)"
        }
    }

    /// `at 14:54`, and the day where it is another one: `on 2026-11-20 at 18:02`.
    static func date(_ date: WallTime, at now: WallTime, in calendar: LocalCalendar) -> String {
        let (text, today) = (calendar.text(date), calendar.text(now))
        let isToday = text.prefix(10) == today.prefix(10)
        return isToday ? "at \(text.suffix(5))" : "on \(text.prefix(10)) at \(text.suffix(5))"
    }
}

import LatticeAPI
import LatticeCore

/// What is said of somebody who is away or has said nothing for a while.
package enum AwayPhrases {
    /// A shorter silence is none.
    static let idleMin: Duration = .seconds(300)

    static let back = "You are back."
    static let wasHere = "You were not away."
    static let reminder = "You are still away; /back ends it."

    static func left(_ text: String) -> String {
        let words = text.isEmpty ? "You are away." : "You are away: \(DisplayText.isolated(text))."
        return "\(words) Only what is urgent rings; /back ends it."
    }

    static func missed(_ count: Int) -> String {
        "\(ItemPhrases.counted(count, "notification")) while you were away; /notifications"
    }

    /// `away: at lunch`.
    static func away(_ text: String) -> String {
        text.isEmpty ? "away" : "away: \(DisplayText.isolated(text))"
    }

    /// `idle 12 min`; `nil` of a short silence.
    static func idle(_ idle: Duration?) -> String? {
        guard let idle, idle >= idleMin else { return nil }
        return "idle \(DurationText.whole(idle.components.seconds))"
    }

    /// `away: at lunch, idle 12 min`; `nil` of somebody who is here and talks.
    static func state(away text: String?, idle duration: Duration?) -> String? {
        let parts = [text.map(away), idle(duration)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// Somebody in a list of names who is away, or has said nothing for a while.
package struct PersonState: Hashable, Sendable {
    /// As shown.
    package let name: String
    package let away: String?
    package let idle: Duration?

    package init(name: String, away: String?, idle: Duration?) {
        (self.name, self.away, self.idle) = (name, away, idle)
    }

    var words: String? { AwayPhrases.state(away: away, idle: idle) }

    var object: JSONLine {
        JSONLine([
            ("name", .text(name)), ("away", .text(away)), ("idle_s", .integer(idle.map { Int($0.components.seconds) })),
        ])
    }
}

import LatticeAPI
import LatticeCore

/// Sentences about people who are away or idle.
package enum AwayPhrases {
    /// A shorter idle time is not shown.
    static let idleMin: Duration = .seconds(300)

    static let back = "You are back."
    static let wasHere = "You were not away."
    static let reminder = "You are still marked as away. Type /back when you return."

    static func left(_ text: String) -> String {
        let words = text.isEmpty ? "You are away." : "You are away: \(DisplayText.isolated(text))."
        return "\(words) Only urgent messages ring. Type /back when you return."
    }

    static func missed(_ count: Int) -> String {
        "\(ItemPhrases.counted(count, "notification")) while you were away; /notifications lists them"
    }

    /// `away: at lunch`.
    static func away(_ text: String) -> String {
        text.isEmpty ? "away" : "away: \(DisplayText.isolated(text))"
    }

    /// `idle 12 min`; `nil` if the time is shorter than `idleMin`.
    static func idle(_ idle: Duration?) -> String? {
        guard let idle, idle >= idleMin else { return nil }
        return "idle \(DurationText.whole(idle.components.seconds))"
    }

    /// `away: at lunch, idle 12 min`; `nil` if the person is neither away nor idle.
    static func state(away text: String?, idle duration: Duration?) -> String? {
        let parts = [text.map(away), idle(duration)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

/// The state of an away or idle person in a list of names.
package struct PersonState: Hashable, Sendable {
    /// The name as the list shows it.
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

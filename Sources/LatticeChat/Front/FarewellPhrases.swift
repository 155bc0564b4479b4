/// Messages about lines that are unconfirmed when the chat ends.
enum FarewellPhrases {
    /// - Parameter lost: how many of them are not stored.
    static func reachedNobody(_ unconfirmed: Int, lost: Int, isInteractive: Bool) -> String {
        let advice = isInteractive ? "" : " Start with --wait 1 to hold input until a peer is connected."
        let them = unconfirmed == 1 ? "It is" : "They are"
        let fate =
            switch lost {
            case 0: "\(them) stored, and sent when a peer connects."
            case unconfirmed: "\(them) not stored; send \(lost == 1 ? "it" : "them") again."
            default: "\(lost) of them are not stored; send what matters again."
            }
        return "\(lines(unconfirmed)) reached nobody: no peer was connected. \(fate)\(advice)"
    }

    private static func lines(_ count: Int) -> String { count == 1 ? "1 line" : "\(count) lines" }

    static func unconfirmed(_ count: Int) -> String { "\(lines(count)) went out, but no peer confirmed in time." }
}

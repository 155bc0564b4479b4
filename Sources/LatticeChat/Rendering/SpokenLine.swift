import LatticeAPI
import LatticeCore

/// A message made safe, on one line: `<bob> hi`, `* bob waves`, or `-bob- hi` for a notice.
enum SpokenLine {
    static func text(_ message: Message, _ shown: String) -> String {
        guard !message.isDeleted else { return "<\(shown)> (\(Phrases.deleted))" }
        let answers = message.reply.map { "(to \(Phrases.answered($0))) " } ?? ""
        let ends =
            (message.isUrgent ? " (urgent)" : "") + (message.isEdited ? " (edited)" : "")
            + Phrases.reactions(message.reactions).map { " [\($0)]" }.joined()
        let text = answers + MessageText.line(message.text) + ends
        return switch message.style {
        case .says: message.isNotice ? "-\(shown)- \(text)" : "<\(shown)> \(text)"
        case .acts: "* \(shown) \(text)"
        }
    }
}

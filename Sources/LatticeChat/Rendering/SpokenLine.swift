import LatticeAPI
import LatticeCore

/// A line somebody said, made safe and on one line: `<bob> hi`, `* bob waves`, and a notice as `-bob- hi`.
enum SpokenLine {
    static func text(_ message: Message, _ shown: String) -> String {
        let text = MessageText.line(message.text)
        return switch message.style {
        case .says: message.isNotice ? "-\(shown)- \(text)" : "<\(shown)> \(text)"
        case .acts: "* \(shown) \(text)"
        }
    }
}

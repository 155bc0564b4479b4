import LatticeAPI
import LatticeCore

/// A message made safe, on one line: `<bob> hi`, `* bob waves`, or `-bob- hi` for a notice.
enum SpokenLine {
    static func text(_ message: Message, _ shown: String) -> String {
        let text = MessageText.line(message.text)
        return switch message.style {
        case .says: message.isNotice ? "-\(shown)- \(text)" : "<\(shown)> \(text)"
        case .acts: "* \(shown) \(text)"
        }
    }
}

import LatticeAPI
import LatticeCore

/// A line somebody said, made safe and on one line: `<bob> hi`, `* bob waves`.
enum SpokenLine {
    static func text(_ message: Message, _ shown: String) -> String {
        let text = MessageText.line(message.text)
        return switch message.style {
        case .says: "<\(shown)> \(text)"
        case .acts: "* \(shown) \(text)"
        }
    }
}

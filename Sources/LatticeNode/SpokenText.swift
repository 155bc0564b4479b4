import LatticeAPI
import LatticeCore
import LatticeWire

/// A line to send, and its style.
struct SpokenText {
    let text: String
    let style: SpeechStyle
    let isNotice: Bool

    init(_ text: String, _ style: SpeechStyle, isNotice: Bool = false) {
        self.text = text
        self.style = style
        self.isNotice = isNotice
    }

    func line(by name: PeerName) -> ChatLine {
        ChatLine(style: style == .acts ? .acts : .says, name: name, text: text, isNotice: isNotice)
    }
}

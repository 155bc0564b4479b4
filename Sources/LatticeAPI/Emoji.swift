/// A text that is one emoji: one character that people see, with at least one emoji in it.
package struct Emoji: Hashable, Sendable {
    package static let bytesMax = 32

    package let text: String

    /// - Returns: `nil` if it is anything else: a word, several emoji, or more than `bytesMax` bytes.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, text.count == 1, Self.hasEmoji(text) else { return nil }
        self.text = text
    }

    /// - Parameter text: an emoji, or its name between colons: `:+1:`.
    package init?(typed text: String) { self.init(EmojiNames.emoji(text) ?? text) }

    private static func hasEmoji(_ text: String) -> Bool {
        // Digits are emoji to Unicode when a selector or a keycap follows them.
        let asks = text.unicodeScalars.contains { $0.value == 0xFE0F || $0.value == 0x20E3 }
        return text.unicodeScalars.contains { scalar in
            scalar.properties.isEmojiPresentation || scalar.properties.isEmoji && (asks || scalar.value > 0xFF)
        }
    }
}

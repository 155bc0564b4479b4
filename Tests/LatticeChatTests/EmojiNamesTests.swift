import LatticeAPI
import Testing

struct EmojiNamesTests {
    @Test func namesAreThoseThatPeopleKnow() {
        let known = [
            "+1": "👍", "thumbs_up": "👍", "thumbsup": "👍", "heart": "❤️", "joy": "😂", "tada": "🎉", "fire": "🔥",
            "pray": "🙏", "white_check_mark": "✅", "coffee": "☕", "100": "💯",
        ]
        for (name, emoji) in known {
            #expect(EmojiNames.emoji(":\(name):") == emoji)
            #expect(EmojiNames.emoji(beginning: name).first == emoji)
            #expect(Emoji(typed: ":\(name):")?.text == emoji)
        }
        #expect(Emoji(typed: "👍")?.text == "👍")
        for text in [":", "::", ":+1", "+1:", "+1", ":nothing:", ":+1: ", ": +1:", "yes", ":+1::+1:"] {
            #expect(EmojiNames.emoji(text) == nil && Emoji(typed: text) == nil, "\(text)")
        }
    }

    @Test func everyEntryIsOneEmoji() {
        let all = "abcdefghijklmnopqrstuvwxyz0123456789+-".flatMap { EmojiNames.emoji(beginning: "\($0)") }
        #expect(Set(all).count > 600)
        for emoji in Set(all) { #expect(Emoji(emoji) != nil, "\(emoji)") }
        #expect(EmojiNames.emoji(beginning: "").isEmpty)
    }
}

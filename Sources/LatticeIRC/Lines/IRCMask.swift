/// Masks of nicks and channels: `*` matches any text, `?` any character; ASCII letters match in either case.
enum IRCMask {
    static func matches(_ text: String, _ mask: String) -> Bool {
        let (text, mask) = (Array(IRCNick.folded(text).unicodeScalars), Array(IRCNick.folded(mask).unicodeScalars))
        var (place, sign) = (0, 0)
        var star: (sign: Int, place: Int)?
        while place < text.count {
            if sign < mask.count, mask[sign] == "*" {
                star = (sign, place)
                sign += 1
            } else if sign < mask.count, mask[sign] == "?" || mask[sign] == text[place] {
                (place, sign) = (place + 1, sign + 1)
            } else if let last = star {
                star = (last.sign, last.place + 1)
                (place, sign) = (last.place + 1, last.sign + 1)
            } else {
                return false
            }
        }
        return mask[sign...].allSatisfy { $0 == "*" }
    }
}

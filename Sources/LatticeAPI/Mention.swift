package import LatticeCore

/// Finds a person's name in what others write.
package enum Mention {
    /// Whether the name appears as a word of its own, ignoring case.
    package static func isIn(_ text: String, of name: PeerName) -> Bool {
        if text.utf8.allSatisfy({ $0 < 0x80 }), name.text.utf8.allSatisfy({ $0 < 0x80 }) {
            let (text, name) = (text.utf8.map(lowercased), name.text.utf8.map(lowercased))
            return isIn(text, name, isWordLike: isWordLike)
        }
        return isIn(Array(text.lowercased()), Array(name.text.lowercased()), isWordLike: \.isWordLike)
    }

    /// Its runs of letters, digits and underscores, in lower case. A name is in no text that lacks the words of the name.
    package static func words(of text: String) -> [Substring] {
        text.lowercased().split { !$0.isWordLike }
    }

    private static func isIn<Unit: Equatable>(_ text: [Unit], _ name: [Unit], isWordLike: (Unit) -> Bool) -> Bool {
        guard name.count <= text.count else { return false }
        return (0...text.count - name.count).contains { start in
            let end = start + name.count
            guard text[start] == name[0], text[start..<end] == name[...] else { return false }
            let isOpen = start == 0 || !isWordLike(text[start - 1])
            return isOpen && (end == text.count || !isWordLike(text[end]))
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isWordLike(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isWordLike
    }
}

extension Character {
    fileprivate var isWordLike: Bool { isLetter || isNumber || self == "_" }
}

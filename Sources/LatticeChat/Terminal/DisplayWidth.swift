/// How many terminal columns a text takes. The table is our own, because `wcwidth` depends on the locale. It agrees
/// with glibc 2.36 for Unicode 15 in a UTF-8 locale.
package enum DisplayWidth {
    /// Columns of one grapheme cluster. An emoji takes two, however many scalars it joins; other clusters take the sum
    /// of their parts (a Devanagari conjunct takes as many as its letters).
    package static func columns(of cluster: Character) -> Int {
        let scalars = cluster.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.count == 1 { return columns(of: first) }
        return isEmoji(scalars) ? 2 : scalars.reduce(0) { $0 + columns(of: $1) }
    }

    package static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    package static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: 1
        case 0..<0xA0: 0
        case 0xA0..<0x300: 1
        default: isZero(scalar) ? 0 : isWide(scalar) ? 2 : 1
        }
    }

    /// The most columns a terminal can take, if it draws each part of a cluster by itself.
    static func columnsAtMost(of cluster: Character) -> Int {
        cluster.unicodeScalars.reduce(0) { $0 + (isRegionalIndicator($1) ? 2 : columns(of: $1)) }
    }

    /// Whether terminals disagree about the width of a cluster: any that joins more than a letter and marks.
    static func isContested(_ cluster: Character) -> Bool {
        guard let first = cluster.unicodeScalars.first else { return false }
        return isRegionalIndicator(first)
            || cluster.unicodeScalars.dropFirst().contains {
                $0 == "\u{FE0F}" || $0 == "\u{200D}" || columns(of: $0) > 0
            }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Whether more than the first scalar makes it an emoji: a flag, a style selector, a joiner, a skin tone or a
    /// keycap.
    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        var hasEmoji = false
        var hasJoint = false
        for scalar in scalars {
            switch scalar.value {
            case 0x1F1E6...0x1F1FF: if hasEmoji { hasJoint = true } else { hasEmoji = true }
            case 0xFE0F, 0x200D, 0x1F3FB...0x1F3FF: hasJoint = true
            // Digits count as emoji, too, but are drawn as such only inside a keycap.
            case 0x20E3: hasEmoji = true
            case 0x80...: hasEmoji = hasEmoji || scalar.properties.isEmoji
            default: break
            }
        }
        return hasEmoji && hasJoint
    }

    /// Combining marks, vowels and finals of a Hangul syllable, and format characters.
    private static func isZero(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FB: return true
        // Signs that enclose the following digits have a shape of their own.
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: return false
        default: break
        }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// East Asian Width W or F (UAX #11), or emoji by default.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case _ where isRegionalIndicator(scalar): false
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD,
            0x30000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation || (0x1F3FB...0x1F3FF).contains(scalar.value)
        }
    }
}

/// Makes strangers' text safe to show: nothing in it can move a cursor, change a colour or reverse the line.
package enum DisplayText {
    /// Whether a scalar may never reach a screen: controls (C0, DEL, C1), line and paragraph separators, the
    /// bidirectional embeddings, overrides and isolates (UAX #9), deprecated and invisible formatting, and tags.
    /// Zero-width joiner and non-joiner stay: emoji, Persian and Indic scripts need them.
    package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xAE..<0x300: false
        case 0x200C, 0x200D: false
        case 0x2028, 0x2029, 0x2065, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }

    /// `text` without unsafe scalars; a tab or line break becomes a space.
    package static func safe(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": scalars.append(" ")
            case let scalar where isUnsafe(scalar): continue
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// Safe text; if it has letters of a right-to-left script it is wrapped in FIRST STRONG ISOLATE … POP DIRECTIONAL
    /// ISOLATE, so that it cannot reorder the text around it.
    package static func isolated(_ text: String) -> String {
        let safe = safe(text)
        if safe.utf8.allSatisfy({ $0 < 0x80 }) { return safe }
        return safe.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}\(safe)\u{2069}" : safe
    }

    /// Blocks with strongly right-to-left letters (Unicode 15, bidirectional classes R and AL).
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

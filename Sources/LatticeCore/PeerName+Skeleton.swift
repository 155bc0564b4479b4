extension PeerName {
    /// What the eye takes it for (after UTS #39 section 4): without case, blanks and what takes no ink or only adorns, look-alikes of other
    /// scripts as the letters they look like, `i`, `l` and `1` as one, and what
    /// is written fullwidth, raised or in circles as plain letters. Names of one skeleton are shown with their short ids.
    ///
    /// Nothing is decomposed: that `é` is not `e` is plain to see. What looks alike within another script is not folded.
    package var skeleton: String {
        var skeleton = ""
        for scalar in text.unicodeScalars where !Self.isAdornment(scalar) { skeleton += Self.prototype(of: scalar) }
        return skeleton
    }

    /// As it may be shown: what a front puts behind the name of somebody who was verified, nobody puts there themselves.
    package var withoutMarks: String {
        guard text.unicodeScalars.contains(where: Self.isMark) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(Self.isMark(scalar) ? "?" : scalar) }
        return String(scalars)
    }

    private static func prototype(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "i", "I", "l", "1", "|": "l"
        case "0": "o"
        case "m", "M": "rn"
        case _ where scalar.isASCII: scalar.properties.lowercaseMapping
        default: prototype(beyondASCII: scalar)
        }
    }

    /// A capital may look like a letter that its small form does not look like.
    private static func prototype(beyondASCII scalar: Unicode.Scalar) -> String {
        if let prototype = Confusables.prototype(of: scalar) { return prototype }
        if let plain = CompatibilityForms.plain(of: scalar) { return plain.map(prototype(of:)).joined() }
        let small = scalar.properties.lowercaseMapping
        guard let only = small.unicodeScalars.first, small.unicodeScalars.count == 1 else { return small }
        return Confusables.prototype(of: only) ?? small
    }

    private static func isAdornment(_ scalar: Unicode.Scalar) -> Bool {
        isMark(scalar) || scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
            || scalar.value == 0xFE0F
    }

    /// An asterisk, the check marks and the arrow of a private message, and what looks like one.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2192, 0x2794, 0x279C, 0x279E, 0x27F6: true
        case 0x2A, 0x2217, 0xFF0A, 0x221A, 0x2611, 0x2705, 0x2713, 0x2714, 0x1F5F8, 0x1F5F9, 0x10102: true
        default: false
        }
    }
}

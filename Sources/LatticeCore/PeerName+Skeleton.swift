extension PeerName {
    /// What the name looks like (after UTS #39 section 4): without case, spaces, invisible characters and adornments;
    /// with look-alikes of other scripts as the letters that they resemble, `i`, `l` and `1` as one letter, and
    /// fullwidth, raised or circled letters as plain ones. Names with the same skeleton are shown with their short ids.
    ///
    /// Nothing is decomposed, because `é` is visibly not `e`. Look-alikes within another script are not folded.
    package var skeleton: String {
        var skeleton = ""
        for scalar in text.unicodeScalars where !Self.isAdornment(scalar) { skeleton += Self.prototype(of: scalar) }
        return skeleton
    }

    /// The name for display: it must not contain the marks that a front puts after the names of verified people.
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
        case "A"..."Z": String(Unicode.Scalar(UInt8(scalar.value) | 0x20))
        case _ where scalar.isASCII: String(scalar)
        default: prototype(beyondASCII: scalar)
        }
    }

    /// An upper-case letter may look like something that its lower-case form does not resemble.
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

    /// An asterisk, check marks, the arrow of a private message, and their look-alikes.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2192, 0x2794, 0x279C, 0x279E, 0x27F6: true
        case 0x2A, 0x2217, 0xFF0A, 0x221A, 0x2611, 0x2705, 0x2713, 0x2714, 0x1F5F8, 0x1F5F9, 0x10102: true
        default: false
        }
    }
}

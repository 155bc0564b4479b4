import LatticeCore

/// Converts text between IRC and the mesh.
enum IRCText {
    /// Removes bold, colours and other formatting (modern.ircdocs.horse/formatting), which only IRC has.
    static func plain(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return text }
        var plain = String.UnicodeScalarView()
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar.value {
            case 0x03: dropColour(&scalars, digitsMax: 2) { (0x30...0x39).contains($0.value) }
            case 0x04: dropColour(&scalars, digitsMax: 6) { $0.isASCII && $0.properties.isASCIIHexDigit }
            case 0x09: plain.append(" ")
            case 0..<0x20, 0x7F: continue
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }

    private static func dropColour(
        _ scalars: inout ArraySlice<Unicode.Scalar>, digitsMax: Int, isDigit: (Unicode.Scalar) -> Bool
    ) {
        let front = scalars.prefix(digitsMax).prefix(while: isDigit).count
        guard front > 0 else { return }
        scalars = scalars.dropFirst(front)
        guard scalars.first == "," else { return }
        let back = scalars.dropFirst().prefix(digitsMax).prefix(while: isDigit).count
        if back > 0 { scalars = scalars.dropFirst(1 + back) }
    }

    /// Splits a mesh text into IRC lines, at line breaks and where a line is full: at a nearby blank, else between two
    /// characters. The result contains no control characters.
    ///
    /// - Parameter bytesMax: at least 4.
    static func lines(_ text: String, bytesMax: Int) -> [String] {
        var lines: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            var rest = Substring(DisplayText.safe(String(line)))
            while rest.utf8.count > bytesMax {
                let end = end(of: rest, bytesMax: bytesMax)
                lines.append(String(rest[..<end]))
                rest = rest[end...].drop { $0 == " " }
            }
            if !rest.isEmpty { lines.append(String(rest)) }
        }
        return lines
    }

    private static func end(of text: Substring, bytesMax: Int) -> Substring.Index {
        var (end, blank, bytes) = (text.startIndex, text.startIndex, 0)
        while end < text.endIndex {
            bytes += text[end].utf8.count
            guard bytes <= bytesMax else { break }
            if text[end] == " ", bytes > bytesMax / 2 { blank = end }
            end = text.index(after: end)
        }
        if blank > text.startIndex { return blank }
        // A single character with many marks may be longer than a line.
        return end > text.startIndex ? end : scalarEnd(of: text, bytesMax: bytesMax)
    }

    private static func scalarEnd(of text: Substring, bytesMax: Int) -> Substring.Index {
        var (end, bytes) = (text.startIndex, 0)
        while end < text.endIndex {
            bytes += String(text.unicodeScalars[end]).utf8.count
            guard bytes <= bytesMax else { break }
            end = text.unicodeScalars.index(after: end)
        }
        return end
    }

    /// The command in upper case and its argument; `nil` if it is not CTCP.
    static func ctcp(_ text: String) -> (command: String, rest: String)? {
        guard text.utf8.first == 0x01 else { return nil }
        var inner = Substring(text.utf8.dropFirst())
        if inner.utf8.last == 0x01 { inner = Substring(inner.utf8.dropLast()) }
        let parts = inner.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first.map { $0.uppercased() } ?? "", parts.count > 1 ? String(parts[1]) : "")
    }

    /// Splits a list at commas. The length of a line limits the number of items.
    static func items(_ list: String) -> [String] {
        list.split(separator: ",").map(String.init)
    }

    /// Client text as a single parameter: never empty, without blanks, and short.
    static func named(_ text: String) -> String {
        let short = String(DisplayText.safe(text).prefix(64)).replacing(" ", with: "_")
        return short.isEmpty || short.hasPrefix(":") ? "*" : short
    }

    /// `1 client`, `2 clients`.
    static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

    /// Cuts between two characters.
    static func clipped(_ text: String, bytesMax: Int) -> String {
        var (clipped, bytes) = ("", 0)
        for character in text {
            bytes += character.utf8.count
            guard bytes <= bytesMax else { break }
            clipped.append(character)
        }
        return clipped
    }

    /// The user name of a client, as masks show it.
    static func userName(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
            default: false
            }
        }
        let name = String(String.UnicodeScalarView(kept.prefix(IRCLimits.userBytes)))
        return name.isEmpty ? "user" : name
    }
}

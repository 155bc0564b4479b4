import LatticeCore

enum MarkupText {
    /// Writes the five special characters as entities. Drops characters that XML 1.0 forbids (section 2.2) or that act
    /// on a terminal.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case let scalar where DisplayText.isUnsafe(scalar) || scalar.value & 0xFFFE == 0xFFFE: continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `<name>text</name>`, or nothing if there is no text.
    static func element(_ name: String, _ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        return "<\(name)>\(escaped(text))</\(name)>"
    }
}

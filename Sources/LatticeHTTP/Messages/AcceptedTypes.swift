/// The media types that a client accepts, with preferences: the header `Accept` (RFC 9110, section 12.5.1).
struct AcceptedTypes {
    private struct Range {
        /// `application/json`, `application/*` or `*/*`, in lower case.
        let type: Substring
        /// In thousandths (section 12.4.2).
        let weight: Int
    }

    /// Browsers send ten.
    private static let rangesMax = 32

    /// `nil` without the header.
    private let ranges: [Range]?

    /// Invalid ranges are skipped.
    init(_ text: String?) {
        ranges = text?.lowercased().split(separator: ",").prefix(Self.rangesMax).compactMap(Self.range)
    }

    /// Whether `type` is preferred to `usual`, the default.
    func prefers(_ type: String, to usual: String) -> Bool {
        let (wanted, other) = (weight(of: type), weight(of: usual))
        guard wanted > 0 else { return false }
        // Of two equally preferred types, the one named explicitly wins.
        return wanted == other ? isNamed(type) : wanted > other
    }

    /// The most specific range counts.
    private func weight(of type: String) -> Int {
        guard let ranges else { return 1_000 }
        let all = "\(type.prefix { $0 != "/" })/*"
        for name in [type[...], all[...], "*/*"] {
            if let range = ranges.first(where: { $0.type == name }) { return range.weight }
        }
        return 0
    }

    private func isNamed(_ type: String) -> Bool { ranges?.contains { $0.type == type[...] } ?? false }

    private static func range(_ text: Substring) -> Range? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard let type = parts.first, type.contains("/") else { return nil }
        guard let quality = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else {
            return Range(type: type, weight: 1_000)
        }
        return weight(quality.dropFirst(2)).map { Range(type: type, weight: $0) }
    }

    /// `qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )`
    private static func weight(_ text: Substring) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole == "0" || whole == "1" else { return nil }
        let digits = parts.count > 1 ? parts[1] : ""
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let thousandths = Int((digits + "000").prefix(3))
        else { return nil }
        let weight = (whole == "1" ? 1_000 : 0) + thousandths
        return weight <= 1_000 ? weight : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let blanks = start.reversed().prefix { $0 == " " || $0 == "\t" }.count
        return start.dropLast(blanks)
    }
}

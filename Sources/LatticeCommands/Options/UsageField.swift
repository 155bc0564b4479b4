/// Finds which argument a parser message is about.
package enum UsageField {
    /// `at` of `The value 'x' is invalid for '--at <place>'`, `id` of `Missing expected argument '<id>'`.
    package static func name(in message: String) -> String? {
        for piece in message.split(separator: "'") {
            let word = piece.prefix { $0 != " " }
            if piece.hasPrefix("--"), word.count > 2 { return field(word.dropFirst(2)) }
            if piece.hasPrefix("<"), let end = word.firstIndex(of: ">") { return field(word.dropFirst()[..<end]) }
        }
        return nil
    }

    /// Field names in JSON have underscores.
    private static func field(_ word: Substring) -> String { String(word.replacing("-", with: "_")) }
}

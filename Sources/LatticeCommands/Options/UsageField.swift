/// What a message of the parser of arguments is about.
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

    /// Programs know fields with underscores.
    private static func field(_ word: Substring) -> String { String(word.replacing("-", with: "_")) }
}

import LatticeCore

/// Recovery codes: 16 letters and digits that nobody confuses, 79 bits.
enum VisitorCode {
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789".utf8)
    private static let length = 16

    static func made() -> String {
        var dice = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &dice)] }, as: UTF8.self)
    }

    /// 256 bits.
    static func secret() -> String {
        var dice = SystemRandomNumberGenerator()
        return Base64URL.string((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    /// `k7fm-2x9p-…`
    static func grouped(_ code: String) -> String {
        let characters = Array(code)
        return stride(from: 0, to: characters.count, by: 4).map {
            String(characters[$0..<min($0 + 4, characters.count)])
        }
        .joined(separator: "-")
    }

    /// As it is stored: without blanks and dashes, in lower case.
    static func tidied(_ typed: String) -> String {
        typed.prefix(64).lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

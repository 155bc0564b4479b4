import Foundation

/// Phrases that nobody says, in what people read: string literals, the README, the guide, the pages of the protocols and
/// the page in the browser. Comments in code are not looked at.
enum PlainEnglish {
    /// Each with what to write instead.
    static let phrases: [(pattern: String, instead: String)] = [
        (#"\b(?:whoever|whomever|whosever)\b"#, "name who: `a peer that …`, `anyone who …`"),
        (#"\b(?:is|are|was|were) told\b"#, "say who learns it: `you see`, `the other side is notified`"),
        (#"\btold of\b"#, "`notified of`, `reported`, `shown`"),
        (#"\b(?:is|are) to be\b"#, "`must`, `will`, `should`"),
        (#"\bso many\b"#, "say how many"),
        (#"\bso much as\b"#, "`at all`, `even`"),
        (#"\bone's\b"#, "`your`, `its`"),
        (#"\bas ever\b"#, "`as usual`, or nothing"),
        (#"\bnobody's\b"#, "`no one else's`, or turn the sentence round"),
        (#"\bof whom\b"#, "two sentences"),
        (#"\bwhat is of\b"#, "say whose it is: `yours`, `their records`"),
        (#"\bis of (?:this|that|the)\b"#, "`belongs to`, `comes from`"),
        (#"\bthe like\b"#, "name the others, or leave them out"),
        (#"\bso that it\b[^.]*, too\b"#, "two sentences"),
        (#"(?:^|[.:!?"] ?)\s*Of (?:what|whom|those|a|the|one)\b"#, "begin with the subject"),
        (#"(?:^|[.:!?"] ?)\s*Where [^.,]*\bthere (?:is|are)\b"#, "`If there is …`"),
    ]

    private static let expressions = phrases.map { (expression($0.pattern), $0.instead) }
    /// Any of them: hardly a line has one.
    private static let anyPhrase = expression(phrases.map { "(?:\($0.pattern))" }.joined(separator: "|"))

    private static func expression(_ pattern: String) -> NSRegularExpression {
        do {
            return try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
        } catch {
            preconditionFailure("\(pattern): \(error)")
        }
    }

    /// One sentence for each line of `lines` that says a banned phrase.
    static func faults(in lines: [String], path: String) -> [String] {
        lines.enumerated().compactMap { index, line in
            // No banned phrase is shorter.
            guard line.utf8.count >= 7 else { return nil }
            let whole = NSRange(line.startIndex..., in: line)
            guard anyPhrase.firstMatch(in: line, range: whole) != nil else { return nil }
            for (expression, instead) in expressions {
                guard let match = expression.firstMatch(in: line, range: whole),
                    let range = Range(match.range, in: line)
                else { continue }
                return "\(path):\(index + 1): '\(line[range])' is not plain English: \(instead)"
            }
            return nil
        }
    }

    static func faults(in file: SourceFile) -> [String] {
        faults(in: SwiftCode.literalLines(of: file.lines.joined(separator: "\n")), path: file.path)
    }

    /// Scripts and styles keep their lines, without those that are comments.
    static func faults(inScript text: String, path: String) -> [String] {
        var isComment = false
        let lines = text.components(separatedBy: "\n").map { line in
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.hasPrefix("/*") { isComment = true }
            defer { if line.contains("*/") { isComment = false } }
            return isComment || words.hasPrefix("//") ? "" : line
        }
        return faults(in: lines, path: path)
    }
}

/// Habits that no single word shows: dice that are thrown in secret, names that say nothing, files and functions that
/// nobody can hold in the head.
enum Habits {
    static let fileLinesMax = 400
    static let functionLinesMax = 60

    static func faults(in file: SourceFile) -> [String] {
        secretDice(in: file) + emptyNames(in: file) + tooLong(file) + longFunctions(in: file)
    }

    /// A throw of the dice that does not say which dice cannot be repeated from a seed.
    static func secretDice(in file: SourceFile) -> [String] {
        let throwers = [".random(", ".shuffled(", ".shuffle(", ".randomElement("]
        var faults: [String] = []
        for (index, line) in file.code.enumerated() {
            for thrower in throwers {
                // The arguments may go on for a few lines.
                for found in line.ranges(of: thrower) {
                    let rest = [String(line[found.upperBound...])] + file.code[(index + 1)...].prefix(10)
                    let arguments = uptoClosing(rest.joined(separator: "\n"))
                    if arguments.contains("using:") { continue }
                    // `Identity.random()` and its like are somebody's own.
                    let isRange = arguments.drop(while: \.isWhitespace).hasPrefix("in:")
                    let isCoin = line[..<found.lowerBound].hasSuffix("Bool")
                    if thrower == ".random(", !isRange, !isCoin { continue }
                    // Without a generator a collection's own takes nothing; `Frame.shuffle(…)` is a thing to say.
                    if thrower == ".shuffle(", !arguments.allSatisfy(\.isWhitespace) { continue }
                    faults.append(file.fault(line: index, "`\(thrower)` without `using:`: no seed can repeat it"))
                }
            }
        }
        return faults
    }

    static func emptyNames(in file: SourceFile) -> [String] {
        let kinds: Set<Substring> = ["class", "struct", "enum", "actor", "protocol", "typealias"]
        let suffixes = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Coordinator", "Impl"]
        var faults: [String] = []
        for (index, line) in file.code.enumerated() {
            let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
            for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
                guard let suffix = suffixes.first(where: { name.hasSuffix($0) }) else { continue }
                faults.append(file.fault(line: index, "\(name): `\(suffix)` does not say what it is or does"))
            }
        }
        return faults
    }

    static func tooLong(_ file: SourceFile) -> [String] {
        let count = file.lines.last?.isEmpty == true ? file.lines.count - 1 : file.lines.count
        return count > fileLinesMax ? ["\(file.path): \(count) lines, at most \(fileLinesMax)"] : []
    }

    /// Roughly: from the line with `func`, `init` or `deinit` to the brace that closes its body.
    static func longFunctions(in file: SourceFile) -> [String] {
        var faults: [String] = []
        for (index, line) in file.code.enumerated() where beginsFunction(line) {
            guard let end = endOfBody(from: index, in: file.code) else { continue }
            let count = end - index + 1
            guard count > functionLinesMax else { continue }
            faults.append(file.fault(line: index, "a function of \(count) lines, at most \(functionLinesMax)"))
        }
        return faults
    }

    private static func beginsFunction(_ line: String) -> Bool {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return words.contains { word in
            word == "func" || word == "deinit" || ["init(", "init?(", "init<"].contains { word.hasPrefix($0) }
        }
    }

    /// The line of the closing brace, or nil for a declaration without a body.
    private static func endOfBody(from start: Int, in code: [String]) -> Int? {
        var parentheses = 0
        var braces = 0
        for index in start..<code.count {
            for byte in code[index].utf8 {
                switch byte {
                case UInt8(ascii: "("), UInt8(ascii: "["): parentheses += 1
                case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses -= 1
                case UInt8(ascii: "{"): braces += 1
                case UInt8(ascii: "}"):
                    braces -= 1
                    // The brace of what is around it: there was no body.
                    if braces < 0 { return nil }
                    if braces == 0, parentheses == 0 { return index }
                default: break
                }
            }
            if braces == 0, parentheses == 0, index > start, beginsFunction(code[index]) { return nil }
        }
        return nil
    }

    /// `text` up to the parenthesis that closes what was open before it.
    private static func uptoClosing(_ text: String) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text[...]
    }
}

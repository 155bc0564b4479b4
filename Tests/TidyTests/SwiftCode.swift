/// Swift source apart: its code, and the text of its string literals; comments are in neither. Both keep the lines of the
/// source, so that a banned word in a sentence is not mistaken for a use of it. Code inside `\( … )` is code: it runs.
struct SwiftCode {
    private let source: [UInt8]
    private var position = 0
    private var code: [UInt8] = []
    private var literals: [UInt8] = []

    static func lines(of text: String) -> [String] {
        var reader = SwiftCode(text)
        reader.readCode(insideInterpolation: false)
        return lines(of: reader.code)
    }

    /// The text of the literals, with `…` for each interpolation and a quotation mark where each begins.
    static func literalLines(of text: String) -> [String] {
        var reader = SwiftCode(text)
        reader.readCode(insideInterpolation: false)
        return lines(of: reader.literals)
    }

    private static func lines(of bytes: [UInt8]) -> [String] {
        // Split before decoding: a carriage return and a line feed are one `Character`.
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private init(_ text: String) {
        source = Array(text.utf8)
        code.reserveCapacity(source.count)
    }

    private mutating func readCode(insideInterpolation: Bool) {
        var openParentheses = 1
        while position < source.count {
            if sees("//") {
                skipLineComment()
            } else if sees("/*") {
                skipBlockComment()
            } else if source[position] == UInt8(ascii: "\"") || source[position] == UInt8(ascii: "#") {
                readLiteral()
            } else {
                if source[position] == UInt8(ascii: "(") { openParentheses += 1 }
                if source[position] == UInt8(ascii: ")") { openParentheses -= 1 }
                code.append(source[position])
                if source[position] == UInt8(ascii: "\n") { literals.append(source[position]) }
                position += 1
                if insideInterpolation, openParentheses == 0 { return }
            }
        }
    }

    private mutating func skipLineComment() {
        while position < source.count, source[position] != UInt8(ascii: "\n") { position += 1 }
    }

    /// Block comments nest in Swift.
    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                position += 2
            } else if sees("*/") {
                depth -= 1
                position += 2
            } else {
                keepNewline()
                position += 1
            }
        } while depth > 0 && position < source.count
    }

    /// `"…"`, `"""…"""`, the same with `#` around them, and `#/…/#`. Any other `#` is code.
    private mutating func readLiteral() {
        var hashes = 0
        while sees("#", at: position + hashes) { hashes += 1 }
        let fence = String(repeating: "#", count: hashes)
        if sees("\"\"\"", at: position + hashes) {
            readString(from: hashes + 3, to: "\"\"\"" + fence, escape: "\\" + fence, endsWithLine: false)
        } else if sees("\"", at: position + hashes) {
            readString(from: hashes + 1, to: "\"" + fence, escape: "\\" + fence, endsWithLine: true)
        } else if hashes > 0, sees("/", at: position + hashes) {
            readString(from: hashes + 1, to: "/" + fence, escape: "\\" + fence, endsWithLine: false)
        } else {
            code.append(contentsOf: source[position..<position + hashes])
            position += hashes
        }
    }

    private mutating func readString(from prefix: Int, to end: String, escape: String, endsWithLine: Bool) {
        position += prefix
        code.append(UInt8(ascii: "\""))
        literals.append(UInt8(ascii: "\""))
        while position < source.count, !sees(end) {
            if endsWithLine, source[position] == UInt8(ascii: "\n") { return }
            if sees(escape + "(") {
                position += escape.utf8.count + 1
                code.append(UInt8(ascii: "("))
                literals.append(contentsOf: "…".utf8)
                readCode(insideInterpolation: true)
            } else if sees(escape) {
                position += escape.utf8.count
                keepNewline()
                position += 1
            } else {
                if source[position] != UInt8(ascii: "\n") { literals.append(source[position]) }
                keepNewline()
                position += 1
            }
        }
        position = min(position + end.utf8.count, source.count)
        code.append(UInt8(ascii: "\""))
    }

    private mutating func keepNewline() {
        guard position < source.count, source[position] == UInt8(ascii: "\n") else { return }
        code.append(UInt8(ascii: "\n"))
        literals.append(UInt8(ascii: "\n"))
    }

    private func sees(_ word: String, at start: Int? = nil) -> Bool {
        var index = start ?? position
        for byte in word.utf8 {
            guard index < source.count, source[index] == byte else { return false }
            index += 1
        }
        return true
    }
}

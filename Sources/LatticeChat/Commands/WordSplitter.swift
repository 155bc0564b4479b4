/// Splits what follows a slash command into words as a shell does. Only double quotes quote: people write "don't", so
/// an apostrophe is a letter. The value of an option may stand in either kind.
package enum WordSplitter {
    package enum Fault: Error, Equatable, CustomStringConvertible {
        case openQuote

        package var description: String {
            "a \" is not closed; close it, or write \\\" for the mark itself"
        }
    }

    /// `\"` and `\\` stand for the character itself, inside quotes and outside.
    package static func words(of line: String) throws(Fault) -> [String] {
        var words: [String] = []
        var rest = line[...].drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let isValue = words.last.map(isOption) ?? false
            if isValue, rest.first == "'", let value = quoted(&rest) {
                words.append(value)
            } else {
                words.append(try word(&rest))
            }
            rest = rest.drop(while: \.isWhitespace)
        }
        return words
    }

    /// Splits a line that is text except for its options and the words before it. The text stays as typed, including
    /// quotes, blanks and backslashes.
    ///
    /// - Parameters:
    ///   - wordsBefore: the number of words before the text, such as an id.
    ///   - flags: options without a value, as `--draft`: the word behind one belongs to the text.
    ///   - areOne: whether the two words after an option are one value. In quotes they always are.
    /// - Returns: those words, each option as `--name=value`, then `--` and the text if there is any.
    package static func arguments(
        of line: String, wordsBefore: Int, flags: Set<String> = [],
        areOne: (_ option: String, _ first: Substring, _ second: Substring) -> Bool = { _, _, _ in false }
    ) throws(Fault) -> [String] {
        var words: [String] = []
        var options: [String] = []
        var text: [Substring] = []
        var piece: Range<String.Index>?
        var rest = line[...].drop(while: \.isWhitespace)
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace }
            if isOption(word) {
                if let piece { text.append(line[piece]) }
                piece = nil
                if flags.contains(String(word)) {
                    options.append(String(word))
                    rest = rest[word.endIndex...]
                } else {
                    options.append(try option(&rest, areOne))
                }
            } else if text.isEmpty, piece == nil, words.count < wordsBefore {
                words.append(String(word))
                rest = rest[word.endIndex...]
            } else if text.isEmpty, piece == nil, word == "--" {
                // Nothing after `--` is an option.
                let plain = rest[word.endIndex...].trimming()
                if !plain.isEmpty { text.append(plain) }
                break
            } else {
                piece = (piece?.lowerBound ?? word.startIndex)..<word.endIndex
                rest = rest[word.endIndex...]
            }
            rest = rest.drop(while: \.isWhitespace)
        }
        if let piece { text.append(line[piece]) }
        return words + options + (text.isEmpty ? [] : ["--", text.joined(separator: " ")])
    }

    /// `--word`; a dash in a sentence is none.
    private static func isOption(_ word: some StringProtocol) -> Bool {
        word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true
    }

    private static func option(
        _ rest: inout Substring, _ areOne: (String, Substring, Substring) -> Bool
    ) throws(Fault) -> String {
        let name = rest.prefix { !$0.isWhitespace && $0 != "=" }
        rest = rest[name.endIndex...]
        if rest.first == "=" {
            rest.removeFirst()
            return "\(name)=\(try value(&rest, { areOne(String(name), $0, $1) }))"
        }
        let next = rest.drop(while: \.isWhitespace)
        guard !next.isEmpty, !isOption(next) else { return String(name) }
        rest = next
        return "\(name)=\(try value(&rest, { areOne(String(name), $0, $1) }))"
    }

    private static func value(
        _ rest: inout Substring, _ areOne: (Substring, Substring) -> Bool
    ) throws(Fault) -> String {
        if rest.first == "\"" || rest.first == "'" {
            let isDouble = rest.first == "\""
            if let value = quoted(&rest) { return value }
            if isDouble { throw .openQuote }
        }
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        let next = rest.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        guard !next.isEmpty, areOne(word, next) else { return String(word) }
        rest = rest[next.endIndex...]
        return "\(word) \(next)"
    }

    /// The content up to the same quote mark at the end of a word; `nil` if there is none.
    private static func quoted(_ rest: inout Substring) -> String? {
        var inner = rest
        let mark = inner.removeFirst()
        var value = ""
        while let character = inner.popFirst() {
            if mark == "\"", character == "\\", inner.first == "\"" || inner.first == "\\" {
                value.append(inner.removeFirst())
            } else if character == mark, inner.first?.isWhitespace ?? true {
                rest = inner
                return value
            } else {
                value.append(character)
            }
        }
        return nil
    }

    private static func word(_ rest: inout Substring) throws(Fault) -> String {
        var word = ""
        var isQuoted = false
        while let character = rest.first, isQuoted || !character.isWhitespace {
            if character == "'", !isQuoted, word.last == "=", isOption(word), let value = quoted(&rest) {
                word += value
                continue
            }
            rest.removeFirst()
            switch character {
            case "\\" where rest.first == "\"" || rest.first == "\\": word.append(rest.removeFirst())
            case "\"": isQuoted.toggle()
            default: word.append(character)
            }
        }
        if isQuoted { throw .openQuote }
        return word
    }
}

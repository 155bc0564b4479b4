import LatticeChat
import LatticeCore

extension FuzzTarget {
    static let line = FuzzTarget(
        "line",
        "typed lines, their words, dates and spans: the same however cut, quoted words come back, answers are safe",
        inputBytesMax: 600
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let form = source.byte() % 4
        if form == 0 { return try LineTrial.cut(&source) }
        let text = String(decoding: source.all(), as: UTF8.self)
        switch form {
        case 1: try LineTrial.parse(text)
        case 2: try LineTrial.split(text)
        default: try LineTrial.time(text)
        }
    }
}

private enum LineTrial {
    private static let now = WallTime(milliseconds: 1_795_253_400_250)

    /// A pipe gives the same lines however its bytes are split.
    static func cut(_ source: inout ByteSource) throws(BrokenProperty) {
        let pieceBytes = 1 + source.index(below: 40)
        let bytes = source.all()
        var (whole, pieces) = (LineSplitter(bytesMax: 50), LineSplitter(bytesMax: 50))
        let expected = whole.append(bytes) + whole.finish()
        var inputs: [ChatInput] = []
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            inputs += pieces.append(bytes[start..<min(bytes.count, start + pieceBytes)])
        }
        inputs += pieces.finish()
        try hold(inputs == expected, "pieces are other lines")
        for case .line(let line) in inputs {
            try hold(line.utf8.count <= 50 && !line.utf8.contains(UInt8(ascii: "\n")), "a line is too long, or is two")
        }
    }

    static func parse(_ line: String) throws(BrokenProperty) {
        // A combining mark after the slash makes both one character, which starts no command.
        let typed = ("/" + line).first == "/" ? "/" + line : "/help"
        switch LineParser.parse(typed, extraWords: ["post", "near"]) {
        case .mistake(let sentence): try ScreenOracle.check(sentence, of: "a mistake")
        case .say(let text): try hold("/" + text == typed, "a command is said")
        case .nothing: throw BrokenProperty("a slash is nothing")
        case .command(.nick(let name)): try ScreenOracle.check(name.text, of: "a name")
        case .command, .extra: break
        }
        if case .say(let text) = LineParser.parse(line) {
            // The text may differ in Unicode composition, and a leading `//` says `/`.
            try hold(line.hasSuffix(text) || text == line, "another line is said than was typed")
        }
    }

    static func split(_ line: String) throws(BrokenProperty) {
        _ = accepted { try WordSplitter.arguments(of: line, wordsBefore: line.utf8.count % 3) }
        guard let words = accepted({ try WordSplitter.words(of: line) }) else { return }
        // The value of an option may be in single quotes as well, which the quoting below does not handle.
        guard !words.contains(where: { $0.hasPrefix("--") || $0.isEmpty }) else { return }
        let quoted = words.map { word in
            "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        // A combining mark after a quote makes both one character, which does not quote.
        guard !words.contains(where: { startsWithMark($0) || hasQuoteWithMark($0) }) else { return }
        try hold(
            accepted { try WordSplitter.words(of: quoted.joined(separator: " ")) } == words, "quoted words are others")
    }

    private static func startsWithMark(_ word: String) -> Bool {
        ("\"" + word).count != word.count + 1
    }

    private static func hasQuoteWithMark(_ word: String) -> Bool {
        let quoting: Set<Unicode.Scalar> = ["\"", "\\"]
        return word.contains { character in
            character.unicodeScalars.count > 1 && character.unicodeScalars.contains(where: quoting.contains)
        } || (word + "\"").count != word.count + 1
    }

    static func time(_ text: String) throws(BrokenProperty) {
        do {
            let time = try DateText.parse(text, at: now, in: .utc)
            let civil = CivilTime(utc: time)
            try hold(civil.utc.milliseconds / 1_000 == time.milliseconds.floored / 1_000, "a date is shown as another")
        } catch let error as BrokenProperty {
            throw error
        } catch {
            try ScreenOracle.check("\(error)", of: "a fault of a date")
        }
        guard let span = accepted({ try DurationText.parse(text) }) else { return }
        try hold(span >= .zero, "a span of less than nothing")
        _ = DurationText.age(of: WallTime(milliseconds: 0), at: now)
    }
}

extension Int64 {
    /// Rounded down to whole thousands, also below zero.
    fileprivate var floored: Int64 {
        let rest = self % 1_000
        return rest < 0 ? self - rest - 1_000 : self - rest
    }
}

import LatticeChat

extension FuzzTarget {
    static let keys = FuzzTarget(
        "keys",
        "a terminal's bytes: the same keys however cut, a line that stays within its limit and holds nothing unsafe",
        inputBytesMax: 1_024
    ) { bytes throws(BrokenProperty) in
        var source = ByteSource(bytes)
        let pieceBytes = 1 + source.index(below: 16)
        var screen = Screen(
            columns: Screen.columnsMin + source.index(below: 40), rows: Screen.rowsMin + source.index(below: 20))
        let input = source.all()
        let keys = try KeysTrial.keys(of: input, pieceBytes: pieceBytes)
        var editor = LineEditor(history: LineHistory(["an older line", "/join #park"]), lineBytesMax: 64)
        for (number, key) in keys.enumerated() {
            let actions = editor.handle(key) { KeysTrial.completion(of: $0) }
            try KeysTrial.check(editor)
            for case .submitted(let line) in actions {
                try hold(line.utf8.count <= 64, "a line of \(line.utf8.count) bytes is submitted")
            }
            // Drawing costs more than editing.
            guard number % 8 == 0 else { continue }
            _ = screen.show(prompt: "#park> ", before: editor.buffer.before, after: editor.buffer.after)
            if number % 64 == 8 { _ = screen.resize(columns: Screen.columnsMin + number % 50, rows: 5) }
            if number % 64 == 16 { _ = screen.printAbove([editor.buffer.text]) }
        }
    }
}

private enum KeysTrial {
    static func keys(of input: [UInt8], pieceBytes: Int) throws(BrokenProperty) -> [Key] {
        var (whole, pieces) = (KeyDecoder(), KeyDecoder())
        let keys = whole.feed(input)
        var cut: [Key] = []
        for start in stride(from: 0, to: input.count, by: pieceBytes) {
            cut += pieces.feed(input[start..<min(input.count, start + pieceBytes)])
        }
        try hold(cut == keys, "pieces are other keys")
        try hold(whole.awaitsSilence == pieces.awaitsSilence && whole.flush() == pieces.flush(), "pieces end otherwise")
        for case .text(let scalar) in keys {
            try hold(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value), "a control character is text")
        }
        return keys
    }

    static func completion(of before: String) -> Completion {
        guard let last = before.last, last.isLetter else { return .none }
        let candidates = last == "a" ? ["alice", "anna"] : ["\(last)ob: and much more"]
        return Completion(replaceLength: 1, candidates: candidates)
    }

    static func check(_ editor: LineEditor) throws(BrokenProperty) {
        try hold(editor.buffer.bytes <= editor.lineBytesMax, "the line has \(editor.buffer.bytes) bytes")
        try hold(
            !editor.buffer.text.unicodeScalars.contains(where: ScreenOracle.isForbidden),
            "the line holds what is unsafe")
        let buffer = editor.buffer
        try hold(
            (buffer.before + buffer.after).count == buffer.before.count + buffer.after.count,
            "the cursor stands within a character")
    }
}

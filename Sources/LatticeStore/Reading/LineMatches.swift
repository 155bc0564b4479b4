import GRDB

/// What is searched for, cut into words as the index has them.
struct SearchTerms {
    private let tokenizer: any FTS5Tokenizer
    private let tokens: [String]
    private let isLastABeginning: Bool

    /// The beginnings for which the index has a list of its own are this long.
    static let listedLength = 3

    /// - Returns: `nil` if the text contains no word.
    init?(_ database: Database, _ words: String) throws {
        tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
        tokens = try tokenizer.tokenize(query: words).prefix(WordSearch.wordsMax).map(\.token)
        isLastABeginning = tokens.last.map { $0.unicodeScalars.count >= Self.listedLength } ?? false
        if tokens.isEmpty { return nil }
    }

    /// For `MATCH`: all of them, each quoted, so that nothing in them is an operator.
    var query: String { query(of: tokens) }

    /// A query that the index answers without reading all matches first, and that has more matches; `nil` if `query` is one.
    var widerQuery: String? {
        guard isLastABeginning, let last = tokens.last, last.unicodeScalars.count > Self.listedLength else {
            return nil
        }
        return query(of: tokens.dropLast() + [String(last.unicodeScalars.prefix(Self.listedLength))])
    }

    private func query(of tokens: [String]) -> String {
        tokens.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: " AND ")
            + (isLastABeginning ? "*" : "")
    }

    func are(in text: String) throws -> Bool {
        let held = try tokenizer.tokenize(document: text).map(\.token)
        let whole = isLastABeginning ? tokens.dropLast() : tokens[...]
        guard whole.allSatisfy(held.contains) else { return false }
        return !isLastABeginning
            || tokens.suffix(1).allSatisfy { last in held.contains { $0.utf8.starts(with: last.utf8) } }
    }
}

/// The lines and edits of public rooms with all of some words, newest first.
///
/// For a beginning of four letters or more, the index would collect all its matches before it gives the first one: for a
/// common word, a tenth of all lines. So the first candidates are those with the first three letters, and each text is
/// checked. If most of them do not match, the beginning is rare, and collecting its matches takes little time.
struct LineMatches {
    let database: Database
    let terms: SearchTerms

    /// Texts that are checked, about 10 µs each, before the index collects all matches.
    private static let checkedMax = 400

    /// - Parameters:
    ///   - before: numbers smaller than this.
    ///   - body: gets the number of a line or edit; returns whether more are wanted.
    /// - Returns: the number of the last line that was looked at, and whether there are no more matches.
    func forEach(
        before: Int64, limit: Int, _ body: (Int64) throws -> Bool
    ) throws -> (last: Int64?, isEnd: Bool) {
        guard let wider = terms.widerQuery else { return try read(terms.query, before, limit, body) }
        let text = try RawStatement(database, "SELECT bytes FROM record WHERE seq = ?")
        var wantsMore = true
        let (last, isEnd) = try read(wider, before, Self.checkedMax) { seq in
            try text.bind(seq, at: 1)
            let bytes = try text.first { $0.bytes(0) }
            guard let held = try bytes.flatMap(LineIndex.text), try terms.are(in: held) else { return true }
            wantsMore = try body(seq)
            return wantsMore
        }
        guard let last, wantsMore, !isEnd else { return (last, isEnd) }
        let rest = try read(terms.query, last, limit, body)
        return (rest.last ?? last, rest.isEnd)
    }

    private func read(
        _ query: String, _ before: Int64, _ limit: Int, _ body: (Int64) throws -> Bool
    ) throws -> (last: Int64?, isEnd: Bool) {
        let matches = try RawStatement(
            database,
            "SELECT rowid FROM line_words WHERE line_words MATCH ?1 AND rowid < ?2 ORDER BY rowid DESC LIMIT ?3")
        try matches.bind(query, at: 1)
        try matches.bind(before, at: 2)
        try matches.bind(Int64(limit), at: 3)
        var (examined, last, wantsMore): (Int, Int64?, Bool) = (0, nil, true)
        try matches.forEach { row in
            examined += 1
            last = row.int(0)
            wantsMore = try body(row.int(0))
            return wantsMore
        }
        return (last, wantsMore && examined < limit)
    }
}

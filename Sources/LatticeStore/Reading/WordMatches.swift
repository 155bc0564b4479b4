import GRDB

/// The items that contain all of some words; the last word matches by prefix, unless it is too short.
///
/// For rare words all matches are read at once. For a word that every tenth post contains, that would take longer than the
/// rest of the search; then only the texts in question are checked, with the tokenizer of the index.
final class WordMatches {
    private let database: Database
    private let tokenizer: any FTS5Tokenizer
    /// As in the index; the last one may be a prefix.
    private let tokens: [String]
    private let isLastABeginning: Bool
    private let text: RawStatement
    /// Sorted; `nil` if they have not all been read.
    private(set) var all: [Int64]?
    private var looks = 0

    /// The shortest prefix for which the index has a list of its own. For shorter ones it would collect a twentieth of its
    /// entries before the first match.
    private static let beginningMin = 3
    /// Limit of matches read at once: about three milliseconds.
    private static let readMax = 24_000
    /// Texts checked before all matches are read after all: a word that is common overall may be rare in this place.
    private static let looksMax = 1_500

    /// - Returns: `nil` if the text contains no word.
    init?(_ database: Database, _ words: String) throws {
        self.database = database
        tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
        tokens = try tokenizer.tokenize(query: words).prefix(WordSearch.wordsMax).map(\.token)
        isLastABeginning = tokens.last.map { $0.count >= Self.beginningMin } ?? false
        text = try RawStatement(database, "SELECT title, text, place FROM item WHERE record = ?")
        if tokens.isEmpty { return nil }
        all = try rare()
    }

    /// - Returns: `nil` if there are too many to read at once.
    private func rare() throws -> [Int64]? {
        // For a prefix longer than the index's lists, it collects all words with that prefix before the first match. That is
        // unnecessary if the word alone already has too many matches.
        if isLastABeginning, tokens.last.map({ $0.count > Self.beginningMin }) ?? false {
            if try read(limit: Self.readMax + 1, isBeginning: false).count > Self.readMax { return nil }
        }
        let some = try read(limit: Self.readMax + 1, isBeginning: isLastABeginning)
        return some.count <= Self.readMax ? some : nil
    }

    func hold(_ seq: Int64) throws -> Bool {
        if all == nil, looks == Self.looksMax { all = try read(limit: -1, isBeginning: isLastABeginning) }
        if let all { return all.holds(seq) }
        looks += 1
        return try look(at: seq)
    }

    private func read(limit: Int, isBeginning: Bool) throws -> [Int64] {
        let quoted = tokens.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
        let rows = try RawStatement(
            database, "SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid LIMIT ?2")
        try rows.bind(quoted.joined(separator: " AND ") + (isBeginning ? "*" : ""), at: 1)
        try rows.bind(Int64(limit), at: 2)
        return try rows.seqs()
    }

    private func look(at seq: Int64) throws -> Bool {
        try text.bind(seq, at: 1)
        let columns = try text.first { [$0.text(0), $0.text(1), $0.text(2)] } ?? []
        let held = try columns.filter { !$0.isEmpty }.flatMap { try tokenizer.tokenize(document: $0).map(\.token) }
        let whole = isLastABeginning ? tokens.dropLast() : tokens[...]
        guard whole.allSatisfy(held.contains) else { return false }
        return !isLastABeginning || tokens.suffix(1).allSatisfy { last in held.contains { $0.hasPrefix(last) } }
    }
}

/// A line with a cursor. The cursor always stands between two grapheme clusters: if an edit joins clusters around it,
/// it moves behind them.
package struct EditBuffer: Equatable, Sendable {
    package private(set) var before = ""
    package private(set) var after = ""

    package init(_ text: String = "") {
        before = text
    }

    package init(before: String, after: String) {
        self.before = before
        self.after = after
        settle()
    }

    package var text: String { before + after }
    package var bytes: Int { before.utf8.count + after.utf8.count }
    package var isEmpty: Bool { before.isEmpty && after.isEmpty }

    package mutating func insert(_ text: String) {
        before += text
        settle()
    }

    /// Removes `count` clusters before the cursor and returns them.
    @discardableResult
    package mutating func removeBefore(_ count: Int) -> String {
        let removed = String(before.suffix(count))
        before.removeLast(min(count, before.count))
        settle()
        return removed
    }

    @discardableResult
    package mutating func removeAfter(_ count: Int) -> String {
        let removed = String(after.prefix(count))
        after.removeFirst(min(count, after.count))
        settle()
        return removed
    }

    package mutating func moveLeft(_ count: Int) {
        let moved = String(before.suffix(count))
        before.removeLast(min(count, before.count))
        after = moved + after
    }

    package mutating func moveRight(_ count: Int) {
        before += after.prefix(count)
        after.removeFirst(min(count, after.count))
    }

    /// Swaps the two clusters around the cursor and steps over them; at the end of the line, the two before it. False
    /// if there are no two.
    package mutating func transpose() -> Bool {
        guard !before.isEmpty, before.count + after.count > 1 else { return false }
        if after.isEmpty { moveLeft(1) }
        let second = removeAfter(1)
        let first = removeBefore(1)
        insert(second + first)
        return true
    }

    /// Clusters from the cursor back to the start of the word (letters and digits), or of the part between blanks.
    package func wordBefore(isWhiteSpaceBound: Bool = false) -> Int {
        Self.wordLength(before.reversed(), isWhiteSpaceBound: isWhiteSpaceBound)
    }

    /// Clusters from the cursor to the end of the next word.
    package func wordAfter() -> Int {
        Self.wordLength(after, isWhiteSpaceBound: false)
    }

    /// Counts non-word clusters, then the word.
    private static func wordLength(_ clusters: some Sequence<Character>, isWhiteSpaceBound: Bool) -> Int {
        var count = 0
        var isInWord = false
        for cluster in clusters {
            let isOfWord = isWhiteSpaceBound ? !cluster.isWhitespace : cluster.isLetter || cluster.isNumber
            if isInWord && !isOfWord { break }
            isInWord = isOfWord
            count += 1
        }
        return count
    }

    /// Moves the cursor behind the cluster that both halves join to, if any. That may split the second half anew: of
    /// three regional indicators in a row, the first two are a flag.
    private mutating func settle() {
        while let last = before.last, let first = after.first, let joined = (String(last) + String(first)).first {
            let taken = joined.unicodeScalars.count - last.unicodeScalars.count
            guard taken > 0 else { return }
            before.unicodeScalars += after.unicodeScalars.prefix(taken)
            after.unicodeScalars.removeFirst(taken)
        }
    }
}

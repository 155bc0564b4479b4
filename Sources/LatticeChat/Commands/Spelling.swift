/// Suggests the word that was probably meant.
package enum Spelling {
    /// The word at the smallest edit distance (Damerau–Levenshtein: swapping adjacent letters counts once), if the
    /// distance is at most a third of its length; or the only word with this prefix.
    package static func nearest(to typed: String, among words: [String]) -> String? {
        guard !typed.isEmpty, typed.count <= 64 else { return nil }
        let beginnings = words.filter { $0.hasPrefix(typed) }
        if beginnings.count == 1 { return beginnings[0] }
        let measured = words.map { (word: $0, distance: distance(Array(typed), Array($0))) }
        guard let best = measured.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.word.count / 3) ? best.word : nil
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var rows = [Array(0...right.count)]
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let cost = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + cost)
                let isSwap =
                    row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if isSwap { best = min(best, rows[row - 2][column - 2] + 1) }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[left.count][right.count]
    }
}

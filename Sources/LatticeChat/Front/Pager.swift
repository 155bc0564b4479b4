/// What is longer than the screen, a page at a time.
struct Pager {
    private var rest: [String] = []

    var isOpen: Bool { !rest.isEmpty }

    /// What stands in place of the prompt while there is more.
    var prompt: String? { isOpen ? "More (\(rest.count) lines): Enter shows it, q stops: " : nil }

    /// - Returns: the first page.
    mutating func begin(_ lines: [String], rows: Int) -> [String] {
        rest = lines
        return turn(rows: rows)
    }

    /// The next page leaves two rows for the prompt.
    mutating func turn(rows: Int) -> [String] {
        let page = rest.prefix(max(1, rows - 2))
        rest.removeFirst(page.count)
        return Array(page)
    }

    /// - Returns: whether a submitted line was meant for the pager.
    mutating func takes(_ line: String) -> Bool {
        guard isOpen else { return false }
        if line.isEmpty { return true }
        rest = []
        return line == "q"
    }
}

/// Shows long output a page at a time.
package struct Pager {
    private var rest: [String] = []

    package init() {}

    package var isOpen: Bool { !rest.isEmpty }

    /// The prompt while there is more.
    package var prompt: String? { isOpen ? "More (\(rest.count) lines): Enter shows it, q stops: " : nil }

    package mutating func begin(_ lines: [String], rows: Int) -> [String] {
        rest = lines
        return turn(rows: rows)
    }

    /// Returns the next page; two rows stay free for the prompt.
    package mutating func turn(rows: Int) -> [String] {
        let page = rest.prefix(max(1, rows - 2))
        rest.removeFirst(page.count)
        return Array(page)
    }

    /// - Returns: whether there was more.
    @discardableResult
    package mutating func close() -> Bool {
        defer { rest = [] }
        return isOpen
    }

    /// - Returns: whether a submitted line was meant for the pager.
    package mutating func takes(_ line: String) -> Bool {
        guard isOpen else { return false }
        if line.isEmpty { return true }
        return close() && line == "q"
    }
}

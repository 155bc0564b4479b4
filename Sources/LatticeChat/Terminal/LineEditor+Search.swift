internal import LatticeCore

/// A running backward search through the history (Control-R). The line shows the match.
struct ReverseSearch: Equatable, Sendable {
    /// A longer search text does not help to find a line.
    static let wantedBytesMax = 256

    let interrupted: EditBuffer
    /// The entry found, or where to start.
    var index: Int
    var wanted = ""
    var hasFound = false
    var hasFailed = false

    init(interrupted: EditBuffer, newest: Int) {
        self.interrupted = interrupted
        index = newest
    }

    var prompt: String { "(\(hasFailed ? "failed " : "")reverse-i-search)`\(wanted)': " }
}

extension LineEditor {
    /// Handles a key during a search. False if the search has ended and the key should act on the line found.
    mutating func searched(_ key: Key, into actions: inout [Action]) -> Bool {
        switch key {
        case .text(let scalar): wantMore(scalar, into: &actions)
        case .backspace: wantLess(into: &actions)
        case .control("r"): searchOlder(into: &actions)
        case .control("g"): abandonSearch()
        case .escape: acceptSearch()
        case .control("c"):
            abandonSearch()
            return false
        default:
            acceptSearch()
            return false
        }
        return true
    }

    private mutating func wantMore(_ scalar: Unicode.Scalar, into actions: inout [Action]) {
        guard var search, !DisplayText.isUnsafe(scalar) else { return }
        guard search.wanted.utf8.count < ReverseSearch.wantedBytesMax else { return actions.append(.bell) }
        search.wanted.unicodeScalars.append(scalar)
        find(search, from: search.index, into: &actions)
    }

    private mutating func wantLess(into actions: inout [Action]) {
        guard var search, search.wanted.popLast() != nil else { return actions.append(.bell) }
        buffer = search.interrupted
        search.hasFound = false
        search.hasFailed = false
        search.index = history.entries.count - 1
        guard search.wanted.isEmpty else { return find(search, from: search.index, into: &actions) }
        self.search = search
    }

    private mutating func searchOlder(into actions: inout [Action]) {
        guard var search else { return }
        if search.wanted.isEmpty {
            search.wanted = searchedLast
            find(search, from: search.index, into: &actions)
        } else {
            find(search, from: search.hasFound ? search.index - 1 : search.index, into: &actions)
        }
    }

    private mutating func find(_ search: ReverseSearch, from index: Int, into actions: inout [Action]) {
        var search = search
        if let found = history.search(search.wanted, from: index) {
            let entry = history.entries[found.index].utf8
            buffer = EditBuffer(
                before: String(decoding: entry.prefix(found.byteOffset), as: UTF8.self),
                after: String(decoding: entry.dropFirst(found.byteOffset), as: UTF8.self)
            )
            search.index = found.index
            search.hasFound = true
            search.hasFailed = false
        } else {
            search.hasFailed = true
            actions.append(.bell)
        }
        self.search = search
    }

    /// Ends the search so that the arrow keys continue from the line found.
    private mutating func acceptSearch() {
        guard let search else { return }
        if !search.wanted.isEmpty { searchedLast = search.wanted }
        if search.hasFound { recalled = (search.index, recalled?.draft ?? search.interrupted) }
        self.search = nil
    }

    private mutating func abandonSearch() {
        guard let search else { return }
        buffer = search.interrupted
        self.search = nil
    }
}

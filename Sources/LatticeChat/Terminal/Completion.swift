/// Candidates to replace the characters before the cursor.
package struct Completion: Equatable, Sendable {
    /// How many candidates a list shows: a screenful.
    package static let listedMax = 100

    /// The number of grapheme clusters before the cursor that a candidate replaces.
    package var replaceLength: Int
    package var candidates: [String]
    /// Follows the only candidate: a space, or ": " after a name at the start of a line.
    package var suffix: String
    /// Whether each Tab inserts the next candidate, instead of what several share.
    package var walks: Bool

    package init(replaceLength: Int, candidates: [String], suffix: String = " ", walks: Bool = false) {
        self.replaceLength = replaceLength
        self.candidates = candidates
        self.suffix = suffix
        self.walks = walks
    }

    package static let none = Completion(replaceLength: 0, candidates: [])

    var commonPrefix: String {
        guard var prefix = candidates.first else { return "" }
        for candidate in candidates.dropFirst() {
            prefix = String(zip(prefix, candidate).prefix { $0 == $1 }.map(\.0))
        }
        return prefix
    }
}

/// Candidates that Tab goes through.
struct CompletionWalk: Equatable, Sendable {
    let completion: Completion
    /// The candidate before the cursor.
    var index: Int
    /// Grapheme clusters before the cursor that it takes.
    var length: Int
}

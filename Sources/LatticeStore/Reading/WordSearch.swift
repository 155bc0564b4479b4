package import LatticeCore
package import LatticeGeo

/// Posts and events that contain all of some words; the last word matches by a prefix of three letters or more.
///
/// Finds only what is readable: events, posts by the viewer and the people they follow, and posts that are near enough.
package struct WordSearch: Hashable, Sendable {
    /// Limit of words in a search; further ones are ignored.
    package static let wordsMax = 16

    /// As typed; it has no query syntax.
    package var words: String
    /// Nearest first around `position`, to a tenth of a metre and up to `NearSearch.reachMax`; otherwise newest first.
    package var isNearestFirst: Bool
    /// The viewer's place; `nil` is unknown, and then no distance is too far.
    package var position: Coordinate?
    /// The distance within which strangers' posts are readable.
    package var readableMetres: Double
    package var now: WallTime
    package var limit: Int
    /// The end of the last page: `metres` and `seq` of its last item.
    package var after: NearMark?

    package init(
        words: String, isNearestFirst: Bool = false, position: Coordinate?, readableMetres: Double, now: WallTime,
        limit: Int = 20, after: NearMark? = nil
    ) {
        self.words = words
        self.isNearestFirst = isNearestFirst && position != nil
        self.position = position
        self.readableMetres = readableMetres
        self.now = now
        self.limit = limit
        self.after = after
    }
}

/// The position of an item in the order of a search for words.
struct WordRank: Comparable {
    /// Tenths of a metre, or the date in milliseconds before 1970.
    let rank: Int
    /// The negated `seq`, so that the newest comes first.
    let tie: Int64
    let seq: Int64
    /// The value of `Found.metres`.
    let value: Double

    init(metres: Double, seq: Int64) {
        rank = NearSpot.decimetres(metres)
        tie = -seq
        self.seq = seq
        value = metres
    }

    init(date: Int64, seq: Int64) {
        rank = -Int(date)
        tie = -seq
        self.seq = seq
        value = Double(date)
    }

    init(_ mark: NearMark, isNearestFirst: Bool) {
        if isNearestFirst {
            self.init(metres: mark.metres, seq: mark.seq)
        } else {
            // A mark may be forged; dates have 48 bits.
            self.init(date: Int64(min(max(mark.metres, 0), 0x1p48)), seq: mark.seq)
        }
    }

    static func == (left: WordRank, right: WordRank) -> Bool {
        left.seq == right.seq && left.rank == right.rank
    }

    static func < (left: WordRank, right: WordRank) -> Bool {
        left.rank == right.rank ? left.tie < right.tie : left.rank < right.rank
    }
}

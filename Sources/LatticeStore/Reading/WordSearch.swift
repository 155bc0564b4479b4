package import LatticeCore
package import LatticeGeo

/// Posts and events that hold all of some words; of the last word its first three letters or more will do.
///
/// Only what may be read is found: events, what the viewer and those they follow wrote, and what is near enough.
package struct WordSearch: Hashable, Sendable {
    /// Words of one search; further ones are not looked at.
    package static let wordsMax = 16

    /// As typed; nothing in it is taken for a query language.
    package var words: String
    /// Nearest first around `position`, to a tenth of a metre and as far as `NearSearch.reachMax`; else newest first.
    package var isNearestFirst: Bool
    /// Where one is; `nil` is that nobody knows, and then nothing is too far away.
    package var position: Coordinate?
    /// From where strangers' posts can be read.
    package var readableMetres: Double
    package var now: WallTime
    package var limit: Int
    /// Where the last page ended: `metres` and `seq` of the last that was found.
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

/// A place in the order of a search of words.
struct WordRank: Comparable {
    /// Tenths of a metre, or the date in milliseconds before 1970.
    let rank: Int
    /// `seq`, turned round: the newest is first.
    let tie: Int64
    let seq: Int64
    /// What `Found.metres` says.
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

    /// Where a page ended.
    init(_ mark: NearMark, isNearestFirst: Bool) {
        if isNearestFirst {
            self.init(metres: mark.metres, seq: mark.seq)
        } else {
            // A mark may have been made up; dates have 48 bits.
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

/// One axis of the globe divided into 2^bits equal parts, in whole units of 10⁻⁷ degrees.
///
/// Boundaries are fractions; a part includes its lower boundary.
struct GeohashAxis {
    /// 2…30, so that a part is wider than 10⁻⁷ degrees and never empty.
    let bits: Int
    /// The start of the first part.
    let lowest: Int
    /// The length of all parts: at most a turn, 2^31.8, so that products with 2^31 fit an `Int`.
    let span: Int
    /// On a ring the end is the beginning; on a line (to the north pole) the end belongs to the last part.
    let isRing: Bool

    var width: Double { Double(span) / Double(1 << bits) }

    func index(_ valueE7: Int) -> Int {
        min(((valueE7 - lowest) << bits) / span, (1 << bits) - 1)
    }

    /// The first, the middle and the last whole number of a part.
    ///
    /// The middle is rounded by at most half a unit, and a part extends at least 0.8 units to each side, so the middle
    /// is always inside.
    func cell(_ index: Int) -> (first: Int, centre: Int, last: Int) {
        let isLast = index == (1 << bits) - 1
        let last = isLast && !isRing ? span : cut(index + 1) - 1
        let centre = ((2 * index + 1) * span + (1 << bits)) >> (bits + 1)
        return (lowest + cut(index), lowest + centre, lowest + last)
    }

    /// The first whole number at or above the lower boundary of part `index`.
    private func cut(_ index: Int) -> Int {
        (index * span + (1 << bits) - 1) >> bits
    }
}

/// One axis of the globe cut into 2^bits equal parts, in whole ten-millionths of a degree.
///
/// Where a cut falls is a fraction; a coordinate belongs to the part whose cuts it lies between, the lower one included.
struct GeohashAxis {
    /// 2…30: then a part is wider than one ten-millionth of a degree, and no part is empty.
    let bits: Int
    /// Where the first part begins.
    let lowest: Int
    /// How long all parts are together: at most a turn, 2^31.8, so that products with 2^31 fit an `Int`.
    let span: Int
    /// A ring's end is its beginning; a line's end (the north pole) belongs to its last part.
    let isRing: Bool

    var width: Double { Double(span) / Double(1 << bits) }

    func index(_ valueE7: Int) -> Int {
        min(((valueE7 - lowest) << bits) / span, (1 << bits) - 1)
    }

    /// The first, the middle and the last whole number of a part.
    ///
    /// The middle is rounded by half a ten-millionth at most and a part reaches at least 0.8 to either side, so the middle
    /// always lies in its part.
    func cell(_ index: Int) -> (first: Int, centre: Int, last: Int) {
        let isLast = index == (1 << bits) - 1
        let last = isLast && !isRing ? span : cut(index + 1) - 1
        let centre = ((2 * index + 1) * span + (1 << bits)) >> (bits + 1)
        return (lowest + cut(index), lowest + centre, lowest + last)
    }

    /// The first whole number at or above the cut before part `index`.
    private func cut(_ index: Int) -> Int {
        (index * span + (1 << bits) - 1) >> bits
    }
}

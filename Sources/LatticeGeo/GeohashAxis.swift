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

    func index(_ valueE7: Int) -> Int {
        min(((valueE7 - lowest) << bits) / span, (1 << bits) - 1)
    }

    /// The middle of a part, rounded by at most half a unit. A part extends at least 0.8 units to each side, so the middle
    /// is always inside.
    func centre(_ index: Int) -> Int {
        lowest + ((2 * index + 1) * span + (1 << bits)) >> (bits + 1)
    }
}

/// Hilbert's curve (1891) through the square of `CellGrid`, quarter by quarter.
///
/// A square is passed in one of four ways: as it is, mirrored on its diagonal, turned by half, or both. Its way gives the
/// order of its quarters, and each quarter its own way.
enum CellCurve {
    // Two bits an entry, so that a step is a shift and not a look into an array.
    /// At `way × 8 + rank × 2` the quarter, `x × 2 + y`: 0132, 0231, 3201, 3102.
    private static let quarters = 0x87_4B_78_B4
    /// At `way × 8 + quarter × 2` its rank: the inverse of `quarters`.
    private static let ranks = 0x36_1E_9C_B4
    /// At `rank × 2` what changes about the way on entering the quarter of that rank: mirrored, nothing, nothing, both.
    private static let turns = 0b11_00_00_01

    /// One square on the way down: which it is and how the curve passes it.
    struct Square {
        /// The south-west corner, in the grid's numbers.
        var x: Int
        var y: Int
        /// Side = 2^sideBits.
        var sideBits: Int
        /// Where the curve enters, as a position on the whole curve.
        var start: Int
        var way: Int

        /// The position of its last point.
        @inline(__always) var end: Int { start + (1 << (2 * sideBits)) - 1 }

        /// The quarter that the curve passes as the `rank`th, 0…3.
        @inline(__always)
        func quarter(_ rank: Int) -> Square {
            let half = sideBits - 1
            let quarter = CellCurve.quarters >> (way << 3 | rank << 1)
            return Square(
                x: x + ((quarter >> 1 & 1) << half), y: y + ((quarter & 1) << half), sideBits: half,
                start: start + (rank << (2 * half)), way: way ^ (CellCurve.turns >> (rank << 1) & 3))
        }
    }

    /// Where the curve meets a point of the grid.
    static func position(x: Int, y: Int) -> Int {
        square(x: x, y: y, sideBits: 0).start
    }

    /// The square of a side that a point lies in.
    static func square(x: Int, y: Int, sideBits: Int) -> Square {
        var (position, way) = (0, 0)
        for bit in (sideBits..<CellGrid.bits).reversed() {
            let rank = ranks >> (way << 3 | (x >> bit & 1) << 2 | (y >> bit & 1) << 1) & 3
            position = position << 2 | rank
            way ^= turns >> (rank << 1) & 3
        }
        return Square(
            x: (x >> sideBits) << sideBits, y: (y >> sideBits) << sideBits, sideBits: sideBits,
            start: position << (2 * sideBits), way: way)
    }
}

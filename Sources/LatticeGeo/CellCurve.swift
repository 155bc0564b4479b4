/// Hilbert's curve (1891) through the square of `CellGrid`, quadrant by quadrant.
///
/// The curve passes a square in one of four orientations: plain, mirrored on the diagonal, rotated by 180°, or both.
/// The orientation determines the order of the quadrants, and each quadrant's own orientation.
enum CellCurve {
    // Two bits per entry, so that a step is a shift and not an array access.
    /// At `way × 8 + rank × 2` the quadrant, `x × 2 + y`: 0132, 0231, 3201, 3102.
    private static let quarters = 0x87_4B_78_B4
    /// At `way × 8 + quadrant × 2` its rank: the inverse of `quarters`.
    private static let ranks = 0x36_1E_9C_B4
    /// At `rank × 2` the change of orientation in the quadrant of that rank: mirrored, none, none, both.
    private static let turns = 0b11_00_00_01

    /// A square, and how the curve passes it.
    struct Square {
        /// The south-west corner, in grid units.
        var x: Int
        var y: Int
        /// Side = 2^sideBits.
        var sideBits: Int
        /// The position on the curve where it enters.
        var start: Int
        var way: Int

        /// The position of its last point.
        @inline(__always) var end: Int { start + (1 << (2 * sideBits)) - 1 }

        /// The quadrant that the curve passes as the `rank`th, 0…3.
        @inline(__always)
        func quarter(_ rank: Int) -> Square {
            let half = sideBits - 1
            let quarter = CellCurve.quarters >> (way << 3 | rank << 1)
            return Square(
                x: x + ((quarter >> 1 & 1) << half), y: y + ((quarter & 1) << half), sideBits: half,
                start: start + (rank << (2 * half)), way: way ^ (CellCurve.turns >> (rank << 1) & 3))
        }
    }

    /// The curve's position at a point of the grid.
    static func position(x: Int, y: Int) -> Int {
        square(x: x, y: y, sideBits: 0).start
    }

    /// The square of this size that contains a point.
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

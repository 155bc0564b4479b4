/// Descends from large squares to small ones along the curve, and collects ranges of it.
struct CellDescent {
    /// Squares along two sides of the window for each range of the result. Finer than the ranges require, because the
    /// narrowest gaps are closed afterwards, and only a finer level shows which these are.
    static let squaresPerRange = 3
    /// The limit for covers with many ranges: 2^30 squares would not fit in memory.
    private static let squaresMax = 4096

    private let rangesMax: Int
    private var ranges: [ClosedRange<Int64>] = []

    init(rangesMax: Int) {
        self.rangesMax = rangesMax
        ranges.reserveCapacity(squaresMax)
    }

    /// Adds the part of `shape` in a window of the grid; nothing of it may be outside.
    mutating func cover(_ shape: some CellShape, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let (width, height) = (columns.upperBound - columns.lowerBound, rows.upperBound - rows.lowerBound)
        var leafBits = 0
        while (width >> leafBits) + (height >> leafBits) > squaresMax { leafBits += 1 }
        // These squares are longer than the window, so at most two on each axis contain it.
        let sideBits = Int.bitWidth - max(width, height).leadingZeroBitCount
        var squares = [CellCurve.square(x: columns.lowerBound, y: rows.lowerBound, sideBits: sideBits)]
        let isWide = columns.lowerBound >> sideBits != columns.upperBound >> sideBits
        let isHigh = rows.lowerBound >> sideBits != rows.upperBound >> sideBits
        if isWide {
            squares.append(CellCurve.square(x: columns.upperBound, y: rows.lowerBound, sideBits: sideBits))
        }
        if isHigh {
            squares.append(CellCurve.square(x: columns.lowerBound, y: rows.upperBound, sideBits: sideBits))
        }
        if isWide, isHigh {
            squares.append(CellCurve.square(x: columns.upperBound, y: rows.upperBound, sideBits: sideBits))
        }
        squares.sort { $0.start < $1.start }
        for square in squares { visit(square, shape, leafBits: leafBits) }
    }

    /// The collected ranges in ascending order, with the narrowest gaps closed until there are few enough. Gaps do not
    /// touch, so no other choice would add fewer cells.
    consuming func result() -> [ClosedRange<Int64>] {
        // Ranges across the antimeridian were added last.
        if zip(ranges, ranges.dropFirst()).contains(where: { $1.lowerBound < $0.lowerBound }) {
            ranges.sort { $0.lowerBound < $1.lowerBound }
        }
        guard ranges.count > rangesMax else { return ranges }
        var gaps: [Int64] = []
        gaps.reserveCapacity(ranges.count)
        for index in 1..<ranges.count { gaps.append(ranges[index].lowerBound - ranges[index - 1].upperBound) }
        gaps.sort(by: >)
        // The widest gaps stay; of those as wide as the last one to stay, the first on the curve.
        let narrowest = rangesMax > 1 ? gaps[rangesMax - 2] : .max
        var ties = gaps[..<(rangesMax - 1)].count { $0 == narrowest }
        var kept: [ClosedRange<Int64>] = []
        kept.reserveCapacity(rangesMax)
        var (first, last) = (ranges[0].lowerBound, ranges[0].upperBound)
        for range in ranges[1...] {
            let gap = range.lowerBound - last
            if gap > narrowest || (gap == narrowest && ties > 0) {
                if gap == narrowest { ties -= 1 }
                kept.append(first...last)
                first = range.lowerBound
            }
            last = range.upperBound
        }
        kept.append(first...last)
        return kept
    }

    private var squaresMax: Int { min(rangesMax, Self.squaresMax) * Self.squaresPerRange }

    private mutating func visit(_ square: CellCurve.Square, _ shape: some CellShape, leafBits: Int) {
        switch shape.side(of: square) {
        case .outside: return
        case .inside: append(square)
        case .astride where square.sideBits <= leafBits: append(square)
        case .astride:
            for rank in 0..<4 { visit(square.quarter(rank), shape, leafBits: leafBits) }
        }
    }

    private mutating func append(_ square: CellCurve.Square) {
        if let last = ranges.last, last.upperBound == Int64(square.start) - 1 {
            ranges[ranges.count - 1] = last.lowerBound...Int64(square.end)
        } else {
            ranges.append(Int64(square.start)...Int64(square.end))
        }
    }
}

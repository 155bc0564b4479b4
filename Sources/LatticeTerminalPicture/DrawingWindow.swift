package import LatticePicture

/// The part of a terminal that a picture may fill.
package struct DrawingWindow: Hashable, Sendable {
    /// The size of a cell in pixels, if the terminal does not report it. It is small, so that the picture is not too high.
    private static let usualCell = PictureSize(width: 8, height: 16)
    /// The largest size of a cell that is accepted from a terminal, in pixels. No real screen has larger ones.
    private static let cellSideMax = 256
    /// For what waits below the picture: its description, a prompt, and one row to spare.
    private static let rowsBelow = 3
    /// Enough for a whole screen, and at most 7.7 MB of pixels.
    private static let decodedSideMax = 1_600
    /// The longest side of a sixel picture, in pixels. Sixel has no scaling: each pixel is sent.
    private static let sixelSideMax = 2_048
    /// Pixels are enlarged by this at most.
    private static let enlargedMax = 4.0

    /// Cells; a terminal may wrap after its last column, so that one is left free.
    package let columns: Int
    package let rows: Int
    private let cellWidth: Int
    private let cellHeight: Int

    /// - Parameters:
    ///   - columns: of the whole terminal, as `rows`.
    ///   - cell: pixels of a cell; `nil` if unknown.
    package init(columns: Int, rows: Int, cell: PictureSize? = nil) {
        self.columns = min(max(1, columns - 1), PictureSize.sideMax)
        self.rows = min(max(1, rows - Self.rowsBelow), PictureSize.sideMax)
        let isLikely = cell.map { max($0.width, $0.height) <= Self.cellSideMax } ?? false
        cellWidth = (isLikely ? cell?.width : nil) ?? Self.usualCell?.width ?? 1
        cellHeight = (isLikely ? cell?.height : nil) ?? Self.usualCell?.height ?? 1
    }

    /// No more pixels than these are needed.
    package var box: PictureSize {
        let (width, height) = (columns * cellWidth, rows * cellHeight)
        guard let box = PictureSize(width: min(width, Self.decodedSideMax), height: min(height, Self.decodedSideMax))
        else { preconditionFailure("a window has at least one cell, and a cell one pixel") }
        return box
    }

    /// How many cells a picture takes, and how many pixels it has in each.
    struct Area: Hashable {
        var columns: Int
        var rows: Int
        var cellWidth: Int
        var cellHeight: Int
    }

    /// As large as the window allows, in proportion.
    func area(of picture: PictureSize, _ style: DrawingStyle) -> Area {
        var (columnsMax, rowsMax) = (columns, rows)
        if style == .sixel {
            columnsMax = max(1, min(columnsMax, Self.sixelSideMax / cellWidth))
            rowsMax = max(1, min(rowsMax, Self.sixelSideMax / cellHeight))
        }
        let (width, height) = (Double(picture.width), Double(picture.height))
        // In symbols a pixel is one cell wide at most.
        let largest = style.hasPixels ? Self.enlargedMax : Double(cellWidth)
        let scale = min(
            largest, Double(columnsMax * cellWidth) / width, Double(rowsMax * cellHeight) / height)
        func cells(_ side: Double, _ cell: Int, _ most: Int) -> Int {
            min(max(1, Int((side * scale / Double(cell)).rounded())), most)
        }
        var area = Area(
            columns: cells(width, cellWidth, columnsMax), rows: cells(height, cellHeight, rowsMax),
            cellWidth: cellWidth, cellHeight: cellHeight)
        // These terminals scale by themselves, so no pixel is sent twice.
        if style == .kitty || style == .iterm {
            area.cellWidth = min(cellWidth, max(1, picture.width / area.columns))
            area.cellHeight = min(cellHeight, max(1, picture.height / area.rows))
        }
        return area
    }
}

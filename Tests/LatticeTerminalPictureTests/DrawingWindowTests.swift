import LatticePicture
import Testing

@testable import LatticeTerminalPicture

/// How much of a terminal a picture takes.
@Suite struct DrawingWindowTests {
    private func size(_ width: Int, _ height: Int) throws -> PictureSize {
        try #require(PictureSize(width: width, height: height))
    }

    private static let styles: [DrawingStyle] = [
        .symbols(.direct, isASCII: false), .symbols(.none, isASCII: true), .sixel, .kitty, .iterm,
    ]

    @Test func aPhotoFillsTheWidthOrTheHeightAndLeavesRowsForWhatIsBelow() throws {
        let photo = try size(560, 420)
        let style = DrawingStyle.symbols(.direct, isASCII: false)
        let usual = DrawingWindow(columns: 80, rows: 24).area(of: photo, style)
        #expect((usual.columns, usual.rows) == (56, 21))
        let small = DrawingWindow(columns: 40, rows: 12).area(of: photo, style)
        #expect((small.columns, small.rows) == (24, 9))
        let narrow = DrawingWindow(columns: 20, rows: 50).area(of: photo, style)
        #expect((narrow.columns, narrow.rows) == (19, 7))
    }

    @Test func theShapeOfACellCounts() throws {
        let square = DrawingWindow(columns: 80, rows: 24, cell: try size(10, 10))
        let area = square.area(of: try size(560, 420), .symbols(.direct, isASCII: false))
        #expect((area.columns, area.rows) == (28, 21))
    }

    @Test(arguments: [(1, 1), (10_000, 1), (1, 10_000), (16_384, 16_384), (2, 3)])
    func everyPictureFitsEveryWindow(width: Int, height: Int) throws {
        let picture = try size(width, height)
        for (columns, rows) in [(1, 1), (2, 4), (40, 12), (80, 24), (1_000, 1_000), (100_000, 100_000), (0, -5)] {
            for cell in [nil, try size(1, 1), try size(10, 20), try size(5_000, 5_000)] {
                let window = DrawingWindow(columns: columns, rows: rows, cell: cell)
                #expect(window.box.width <= 1_600 && window.box.height <= 1_600)
                for style in Self.styles {
                    let area = window.area(of: picture, style)
                    #expect((1...max(1, columns - 1)).contains(area.columns))
                    #expect((1...max(1, rows - 3)).contains(area.rows))
                    guard style == .sixel else { continue }
                    #expect(area.columns * area.cellWidth <= 2_048 && area.rows * area.cellHeight <= 2_048)
                }
            }
        }
    }

    @Test func aSmallPictureIsNotBlownUp() throws {
        let window = DrawingWindow(columns: 80, rows: 24)
        let characters = window.area(of: try size(16, 16), .symbols(.direct, isASCII: false))
        #expect((characters.columns, characters.rows) == (16, 8))
        let pixels = window.area(of: try size(16, 16), .sixel)
        #expect((pixels.columns, pixels.rows) == (8, 4))
    }

    @Test func noPixelIsSentTwiceToATerminalThatScales() throws {
        let window = DrawingWindow(columns: 300, rows: 100, cell: try size(20, 40))
        let photo = try size(560, 420)
        for style in [DrawingStyle.kitty, .iterm] {
            let area = window.area(of: photo, style)
            #expect(area.columns * area.cellWidth <= 560 && area.rows * area.cellHeight <= 420)
        }
    }
}

import LatticePicture
import LatticeTerminalPicture
import Testing

/// What libchafa writes for small pictures, byte by byte.
@Suite struct PictureDrawingTests {
    private static let terminal = ["TERM": "xterm-256color"]

    /// - Parameter rows: a letter for each square of 8 × 8 pixels, which is half a cell: black, white, red, green, blue.
    private func pixels(_ rows: String...) throws -> Pixels {
        let colours: [Character: [UInt8]] = [
            "k": [0, 0, 0], "w": [255, 255, 255], "r": [255, 0, 0], "g": [0, 255, 0], "b": [0, 0, 255],
        ]
        let size = try #require(PictureSize(width: rows[0].count * 8, height: rows.count * 8))
        let lines = rows.map { row in row.flatMap { [[UInt8]](repeating: colours[$0] ?? [], count: 8).joined() } }
        return try #require(Pixels(size: size, rgb: lines.flatMap { [[UInt8]](repeating: $0, count: 8).joined() }))
    }

    private func plain(_ width: Int, _ height: Int) throws -> Pixels {
        let size = try #require(PictureSize(width: width, height: height))
        let rgb = [UInt8](repeating: 200, count: width * height * 3)
        return try #require(Pixels(size: size, rgb: rgb))
    }

    private func drawn(
        _ pixels: Pixels, _ style: DrawingStyle, columns: Int = 80, rows: Int = 24,
        _ environment: [String: String] = terminal
    ) -> [String] {
        PictureDrawing.rows(
            of: pixels, as: style, in: DrawingWindow(columns: columns, rows: rows), environment)
    }

    @Test func inTrueColourAHalfBlockHasTheColoursOfBothPixels() throws {
        let rows = drawn(try pixels("rg", "bw"), .symbols(.direct, isASCII: false), columns: 3, rows: 5)
        #expect(rows == ["\u{1B}[0m\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[38;2;0;255;0;48;2;255;255;255m▀\u{1B}[0m"])
    }

    @Test func fewerColoursAreTheNearest() throws {
        let picture = try pixels("rg", "bw")
        #expect(
            drawn(picture, .symbols(.indexed, isASCII: false), columns: 3, rows: 5) == [
                "\u{1B}[0m\u{1B}[38;5;196;48;5;21m▀\u{1B}[38;5;46;48;5;231m▀\u{1B}[0m"
            ])
        #expect(
            drawn(picture, .symbols(.sixteen, isASCII: false), columns: 3, rows: 5, ["TERM": "linux"]) == [
                "\u{1B}[0m\u{1B}[91;104m▀\u{1B}[92;107m▀\u{1B}[0m"
            ])
    }

    @Test func withoutColoursThereIsNothingButCharacters() throws {
        let picture = try pixels("kkww", "kkww", "wwkk", "wwkk")
        #expect(drawn(picture, .symbols(.none, isASCII: false), columns: 5, rows: 5) == ["  ██", "██  "])
        let ascii = drawn(picture, .symbols(.none, isASCII: true), columns: 5, rows: 5)
        #expect(ascii == ["  @@", "@@  "])
        let light = drawn(
            picture, .symbols(.none, isASCII: true), columns: 5, rows: 5, ["TERM": "xterm", "COLORFGBG": "0;15"])
        #expect(light == ["@@  ", "  @@"])
    }

    @Test(arguments: [(1, 1), (10_000, 1), (1, 10_000), (560, 420)], [(1, 1), (40, 12), (80, 24)])
    func noRowIsWiderThanTheWindowAndNoneTooMany(_ picture: (Int, Int), _ window: (Int, Int)) throws {
        let pixels = try plain(picture.0, picture.1)
        for style in [DrawingStyle.symbols(.direct, isASCII: false), .symbols(.none, isASCII: true)] {
            let rows = drawn(pixels, style, columns: window.0, rows: window.1)
            #expect((1...max(1, window.1 - 3)).contains(rows.count))
            for row in rows {
                let width = row.replacing(/\u{1B}\[[0-9;]*m/, with: "").count
                #expect((1...max(1, window.0 - 1)).contains(width), "\(row.debugDescription)")
            }
        }
    }

    /// Shades are more or fewer strokes.
    @Test func withoutColoursGreyIsNeitherBlackNorWhite() throws {
        let rows = drawn(try plain(64, 64), .symbols(.none, isASCII: true), columns: 9, rows: 7)
        #expect(Set(rows.joined()).count > 1, "\(rows)")
    }

    /// A chat lets colours pass and nothing that moves the cursor.
    @Test func charactersComeWithColoursAlone() throws {
        let rows = drawn(try plain(560, 420), .symbols(.direct, isASCII: false)).joined()
        let text = rows.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        let ascii = drawn(try plain(560, 420), .symbols(.none, isASCII: true)).joined()
        #expect(ascii.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }

    @Test func aTerminalThatDrawsPixelsGetsOneSequenceOfTheRightSize() throws {
        let photo = try plain(56, 42)
        let sixel = drawn(photo, .sixel)
        #expect(sixel.count == 1)
        #expect(sixel[0].hasPrefix("\u{1B}P") && sixel[0].hasSuffix("\u{1B}\\"))
        #expect(sixel[0].contains("\"1;1;224;174"), "28 × 11 cells of 8 × 16 pixels, in sixels of 6")
        let kitty = drawn(photo, .kitty, ["TERM": "xterm-kitty"])
        #expect(kitty.count == 1)
        #expect(kitty[0].hasPrefix("\u{1B}_G") && kitty[0].hasSuffix("\u{1B}\\"))
        #expect(kitty[0].contains("c=28,r=11"))
        let iterm = drawn(photo, .iterm, ["TERM_PROGRAM": "iTerm.app"])
        #expect(iterm.count == 1)
        #expect(iterm[0].hasPrefix("\u{1B}]1337;File=inline=1;width=28;height=11;preserveAspectRatio=0:"))
        #expect(iterm[0].hasSuffix("\u{07}"))
        for text in sixel + kitty + iterm { #expect(!text.contains("\n") && !text.contains("\r")) }
    }

    @Test func aFormatThatTheTerminalDoesNotClaimIsDrawnAllTheSame() throws {
        for style in [DrawingStyle.sixel, .kitty, .iterm] {
            #expect(drawn(try plain(56, 42), style, ["TERM": "dumb"])[0].count > 100)
        }
    }
}

import Testing

@testable import LatticeHost

struct QRCodeTests {
    private static let finder = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]

    @Test(arguments: [("a", 21), (String(repeating: "a", count: 17), 21), (String(repeating: "a", count: 18), 25)])
    func itIsAsSmallAsItsTextAllows(text: String, width: Int) throws {
        #expect(try #require(QRCode(text)).width == width)
    }

    @Test func threeCornersHoldAFinder() throws {
        let code = try #require(QRCode("lattice://join/camp?v=1"))
        let far = code.width - 7
        for (top, left) in [(0, 0), (0, far), (far, 0)] {
            for row in 0..<7 {
                let seen = (0..<7).map { code.isDark(row: top + row, column: left + $0) ? "#" : " " }.joined()
                #expect(seen == Self.finder[row])
            }
        }
    }

    @Test(arguments: [QRCode.Ink.coloured, .colouredASCII, .plain, .plainASCII])
    func aQuietZoneOfFourSurroundsIt(ink: QRCode.Ink) throws {
        let code = try #require(QRCode("a"))
        let lines = code.lines(ink)
        let rowsALine = ink == .coloured || ink == .plain ? 2 : 1
        #expect(lines.count == (code.width + 8 + rowsALine - 1) / rowsALine)
        #expect(Set(lines.prefix(4 / rowsALine)).count == 1, "the first four rows are all light")
        #expect(lines.first != lines[4 / rowsALine])
    }

    @Test func asciiIsAscii() throws {
        let code = try #require(QRCode("a"))
        for ink in [QRCode.Ink.plainASCII, .colouredASCII] {
            #expect(code.lines(ink).joined().utf8.max() ?? 0xFF < 0x80)
        }
        #expect(code.lines(.plainASCII)[4].hasPrefix("        ##############  "))
    }

    @Test func onlyWhatFitsIsDrawn() {
        #expect(QRCode("")?.width == nil)
        #expect(QRCode(String(repeating: "a", count: 2_953))?.width == 177)
        #expect(QRCode(String(repeating: "a", count: 2_954))?.width == nil)
    }
}

import Testing

@testable import LatticeQR

struct QRSymbolTests {
    /// What libqrencode 4.1.1 draws of the same bytes (`qrencode -8 -l L -t ASCII -m 0`).
    @Test func itIsDrawnAsOthersDrawIt() throws {
        let symbol = try #require(QRSymbol(Array("ahovcjqxelszgnubi".utf8)))
        let drawn = (0..<symbol.width).map { row in
            (0..<symbol.width).map { symbol.modules[row * symbol.width + $0] ? "#" : " " }.joined()
        }
        #expect(drawn == Self.seventeen)
    }

    /// Sizes at which the version, the count of blocks or the length of the byte count changes.
    @Test(arguments: [1, 17, 18, 106, 107, 134, 230, 231, 271, 1_465, 1_952, 2_952, 2_953])
    func whatIsDrawnIsRead(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
        let symbol = try #require(QRSymbol(bytes))
        #expect(try QRReading(symbol).bytes == bytes)
    }

    @Test(arguments: [0, 2_954])
    func whatDoesNotFitIsNotDrawn(count: Int) {
        #expect(QRSymbol(Array(repeating: 0, count: count)) == nil)
    }

    @Test(arguments: [
        (1, []), (2, [6, 18]), (7, [6, 22, 38]), (32, [6, 34, 60, 86, 112, 138]), (40, [6, 30, 58, 86, 114, 142, 170]),
    ])
    func alignmentPatternsLieWhereTheStandardPutsThem(number: Int, centres: [Int]) throws {
        let version = try #require((1...2_953).lazy.compactMap(QRVersion.init).first { $0.number == number })
        #expect(version.alignmentCentres == centres)
    }

    @Test func aDamagedSymbolIsNotRead() throws {
        let symbol = try #require(QRSymbol(Array("lattice".utf8)))
        #expect(throws: QRReading.Failure.self) { try QRReading(symbol, inverting: symbol.modules.count - 1) }
    }

    private static let seventeen = [
        "####### ####  #######",
        "#     # # ##  #     #",
        "# ### #   # # # ### #",
        "# ### #   ##  # ### #",
        "# ### # ##    # ### #",
        "#     # ## #  #     #",
        "####### # # # #######",
        "        #   #        ",
        "###  ## ###  ####  ##",
        "# ## #  ### # ### # #",
        " ## # #     ### ### #",
        "   ##  ##  ### # # # ",
        "### ### ### ## ### ##",
        "        #   ## #### #",
        "#######  ## # # #   #",
        "#     # ##  ##  ## # ",
        "# ### #   ## # #   ##",
        "# ### #  ###### ## # ",
        "# ### # #   ### ## ##",
        "#     # #  ### ###   ",
        "####### #  ##  ###  #",
    ]
}

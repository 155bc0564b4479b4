import LatticeCore
import Testing

struct ColourTests {
    @Test(arguments: ["000000", "1e90ff", "ffffff", "0000ff"])
    func aColourIsSixHexadecimalDigits(digits: String) throws {
        let colour = try #require(Colour(parsing: digits))
        #expect(colour.description == "#" + digits)
        #expect(colour.rgb == UInt32(digits, radix: 16))
        #expect(Colour(parsing: "#" + digits.uppercased()) == colour)
        #expect(Colour(rgb: colour.rgb) == colour)
    }

    @Test(arguments: [
        "", "#", "fff", "#fff", "12345", "1234567", "#1234567", "##12345", "12345g", "+12345", "0x1234", " 1e90ff",
        "1e90ff ", "#\u{301}12345", "１２３４５６", "red",
    ])
    func anythingElseIsNoColour(text: String) {
        #expect(Colour(parsing: text) == nil)
    }
}

import Foundation
import LatticeCore
import LatticeWire
import Testing

struct BodyFieldsTests {
    private static let plain = "00" + "03626f62" + "026869"
    private static let later = plain + "0120" + String(repeating: "01", count: 32) + "0300" + "c80102" + "00ff"

    private func line(_ hex: String) throws -> ChatLine { try ChatLine(decoding: Samples.bytes(hex)) }

    private func lineError(_ body: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try ChatLine(decoding: body) }
    }

    @Test func aNoticeIsALineWithFieldTwo() throws {
        let notice = ChatLine(style: .says, name: try PeerName("bob"), text: "hi", isNotice: true)
        #expect(Hex.string(notice.body) == Self.plain + "0200")
        #expect(try line(Self.plain + "0200") == notice)
        #expect(try !line(Self.plain).isNotice)
    }

    @Test func unknownFieldsAreSkippedAndCarried() throws {
        let heard = try line(Self.later)
        #expect(heard.text == "hi" && !heard.isNotice)
        #expect(Hex.string(heard.body) == Self.later)
        // A known one among them is found.
        #expect(try line(Self.plain + "0101ff" + "0200" + "050101").isNotice)
    }

    @Test(arguments: ["03000200", "02000200", "0000", "01000100", "c801000200"])
    func fieldsAscendAndNoneIsThereTwice(tail: String) throws {
        #expect(lineError(try Samples.bytes(Self.plain + tail)) == .outOfRange(field: "chat fields"))
    }

    @Test func aNoticeHasNoValue() throws {
        #expect(lineError(try Samples.bytes(Self.plain + "020101")) == .outOfRange(field: "chat notice"))
    }

    @Test(arguments: [16_384, 16_385])
    func theFieldsOfABodyHaveAtMost16384Bytes(count: Int) throws {
        let tail = Samples.written {
            $0.varint(9)
            $0.bytes([UInt8](repeating: 7, count: count - 3))
        }
        let expected = WireError.tooLong(field: "chat fields", bytes: 16_385, bytesMax: 16_384)
        #expect(tail.count == count)
        #expect(lineError(try Samples.bytes(Self.plain) + tail) == (count > 16_384 ? expected : nil))
    }

    @Test func aFieldIsFoundByItsNumber() {
        let fields = BodyFields([(1, [7]), (2, []), (300, [8, 9])])
        #expect(fields[1] == [7] && fields[2] == [] && fields[300] == [8, 9] && fields[3] == nil)
        #expect(BodyFields.none[1] == nil)
    }

    @Test func aSealedLineMayBeANotice() throws {
        let line = ChatLine(style: .says, name: try PeerName("bob"), text: "hi", isNotice: true)
        #expect(try LetterText(decoding: LetterText.line(line).bytes) == .line(line))
        let again = LetterText.again(RecordID(.zero), line)
        #expect(try LetterText(decoding: again.bytes) == again)
    }

    @Test func thePageOfTheProtocolShowsLinesWithFields() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        func shown(_ word: String) -> [String] {
            lines.filter { $0.hasPrefix("\(word) 00 03626f62") }.map { $0.dropFirst(word.count).filter { $0 != " " } }
        }
        #expect(shown("notice") == [Self.plain + "0200"] && shown("later") == [Self.later])
        let refused = shown("refused")
        #expect(refused.count == 4)
        for hex in refused { #expect(lineError(try Samples.bytes(hex)) != nil) }
    }
}

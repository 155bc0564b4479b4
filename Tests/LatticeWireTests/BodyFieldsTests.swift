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
        #expect(try line(Self.plain + "0200" + "0401ff" + "060101").isNotice)
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

    @Test(arguments: [64, 65])
    func aBodyHasAtMost64Fields(count: Int) throws {
        let tail: [UInt8] = (10..<10 + count).flatMap { [UInt8($0), 0] as [UInt8] }
        let expected = count > 64 ? WireError.outOfRange(field: "chat fields") : nil
        #expect(lineError(try Samples.bytes(Self.plain) + tail) == expected)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func fieldsComeBackAsTheyWere(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var wanted: [(number: UInt64, value: [UInt8])] = []
        var number: UInt64 = 0
        for _ in 0..<Int.random(in: 0...64, using: &dice) {
            let step = UInt64(1) << Int.random(in: 1...57, using: &dice)
            number += UInt64.random(in: 1...step, using: &dice)
            let count = Int.random(in: 0...200, using: &dice)
            wanted.append((number, (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }))
        }
        let tail = Samples.written { BodyFields(wanted).append(to: &$0) }
        var reader = ByteReader(tail)
        let read = try BodyFields(reading: &reader, "fields")
        #expect(read == BodyFields(wanted) && reader.remaining == 0)
        for (number, value) in wanted { #expect(read[number].map(Array.init) == value) }
        #expect(read[number + 1] == nil && read[0] == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func anyTailIsRefusedOrComesBackInTheSameBytes(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        // Small bytes often make whole fields.
        let tail = (0..<Int.random(in: 1...24, using: &dice)).map { _ in UInt8.random(in: 0...4, using: &dice) }
        let body = try Samples.bytes(Self.plain) + tail
        do throws(WireError) {
            #expect(try ChatLine(decoding: body).body == body)
        } catch {
            return
        }
    }

    @Test func aFieldIsFoundByItsNumber() {
        let fields = BodyFields([(1, [7]), (2, []), (300, [8, 9])])
        #expect(fields[1] == [7] && fields[2] == [] && fields[300] == [8, 9] && fields[3] == nil)
        #expect(BodyFields.none[1] == nil)
    }

    @Test func aSealedLineMayBeANotice() throws {
        let line = ChatLine(style: .says, name: try PeerName("bob"), text: "hi", isNotice: true)
        #expect(try SealedText(decoding: SealedText.line(line).bytes) == .line(line))
        let again = SealedText.again(RecordID(.zero), line)
        #expect(try SealedText(decoding: again.bytes) == again)
    }

    @Test func thePageOfTheProtocolShowsLinesWithFields() throws {
        let lines = try Self.page()
        func shown(_ word: String) -> [String] {
            lines.filter { $0.hasPrefix("\(word) 00 03626f62") }.map { $0.dropFirst(word.count).filter { $0 != " " } }
        }
        #expect(shown("notice") == [Self.plain + "0200"] && shown("later") == [Self.later])
        let refused = shown("refused")
        #expect(refused.count == 4)
        for hex in refused { #expect(lineError(try Samples.bytes(hex)) != nil) }
    }

    @Test func thePageOfTheProtocolShowsOtherBodiesWithFields() throws {
        let lines = try Self.page()
        for sample in try PostSamples.all() where sample.hasFields {
            let words = ["later \(sample.name) ", "refused \(sample.name) "]
            for (word, isRefused) in zip(words, [false, true]) {
                let shown = lines.filter { $0.hasPrefix(word) }.map { $0.dropFirst(word.count).filter { $0 != " " } }
                #expect(shown.count == 1 && shown[0].hasPrefix(sample.hex), "\(word)")
                let body = try Samples.bytes(String(shown[0]))
                let error = wireError { () throws(WireError) in
                    let reread = try sample.reread(body)
                    #expect(reread == body)
                    return reread
                }
                #expect((error != nil) == isRefused, "\(word)")
            }
        }
    }

    private static func page() throws -> [Substring] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    }
}

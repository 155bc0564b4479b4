import LatticeCore
import LatticeWire
import Testing

/// Private messages and the keys to them, as bytes.
struct PrivateMessageTests {
    private static func key(_ octet: UInt8) throws -> Bytes32 {
        try #require(Bytes32([UInt8](repeating: octet, count: 32)))
    }

    private static func sealed(textBytes: Int = 256) throws -> SealedBody {
        SealedBody(
            tagKey: try key(1), tag: [UInt8](repeating: 2, count: 24), messageKey: try key(3),
            message: [UInt8](repeating: 4, count: textBytes + 16))
    }

    private static func prekeys(_ count: Int) throws -> PrekeysBody {
        PrekeysBody(
            rotating: Prekey(id: 0x0102_0304_0506_0708, key: try key(9)),
            oneTime: try (0..<count).map { Prekey(id: UInt64($0), key: try key(UInt8($0))) })
    }

    private static func line(_ text: String) throws -> SealedText {
        .line(ChatLine(style: .says, name: try PeerName("bob"), text: text))
    }

    private static let receipt = SealedText.receipt([RecordID(.zero)])
    private static let filesHere = SealedText.filesHere([RecordID(.zero)])

    private func refuses(_ work: () throws(WireError) -> Void) -> Bool {
        do {
            try work()
            return false
        } catch {
            return true
        }
    }

    @Test func messagesAndKeysComeBackAsTheyWere() throws {
        for size in SealedText.sizes {
            let sealed = try Self.sealed(textBytes: size)
            #expect(sealed.body.count == 104 + size)
            #expect(try SealedBody(decoding: sealed.body) == sealed)
        }
        for count in [0, 1, 31, 32] {
            let prekeys = try Self.prekeys(count)
            #expect(prekeys.body.count == 41 + 40 * count)
            #expect(try PrekeysBody(decoding: prekeys.body) == prekeys)
        }
        let many = SealedText.receipt((0..<64).map { _ in RecordID(.zero) })
        let again = SealedText.again(
            RecordID(try Self.key(7)), ChatLine(style: .acts, name: try PeerName("bob"), text: "hi"))
        let said = ChatLine(style: .says, name: try PeerName("bob"), text: "at nine")
        let acts = [SealedAct.Change.edit(said), .deletion, .emoji("👍", holds: true), .emoji("🎉", holds: false)].map {
            SealedText.act(SealedAct(RecordID(.zero), $0))
        }
        let pin = SealedText.pin(PinBody(name: try PeerName("bob"), .text("at nine")))
        let manyFiles = SealedText.filesHere((0..<64).map { _ in RecordID(.zero) })
        let others = [Self.receipt, many, Self.filesHere, manyFiles, again, pin, .unknown(kind: 9), .unknown(kind: 12)]
        for text in [try Self.line("hi")] + others + acts { #expect(try SealedText(decoding: text.bytes) == text) }
    }

    @Test func actsAreTheseBytes() throws {
        let line = RecordID(try Self.key(7))
        let emoji = SealedText.act(SealedAct(line, .emoji("👍", holds: true))).bytes
        #expect(emoji[..<2] == [8, 32 + 1 + 1 + 4] && emoji[2..<34].allSatisfy { $0 == 7 })
        #expect(emoji[34..<40] == [1, 4, 0xF0, 0x9F, 0x91, 0x8D] && emoji[40...].allSatisfy { $0 == 0 })
        let deletion = SealedText.act(SealedAct(line, .deletion)).bytes
        #expect(deletion[..<2] == [7, 32] && deletion[34...].allSatisfy { $0 == 0 })
        let id = [UInt8](repeating: 7, count: 32)
        let long = [UInt8](repeating: 0x61, count: 33)
        for (kind, body) in [
            (7, id + [0]), (7, Array(id.dropLast())), (8, id), (8, id + [2, 1, 0x61]), (8, id + [1, 0]),
            (8, id + [1, 33] + long), (8, id + [1, 1, 0x61, 0]), (6, id),
        ] as [(UInt64, [UInt8])] {
            #expect(
                refuses { () throws(WireError) in
                    _ = try SealedText(decoding: SealedText.padded(kind: kind, body))
                }, "\(kind) \(body.count)")
        }
    }

    @Test func whatIsSaidAgainNamesTheMessageItWasInFirst() throws {
        let again = SealedText.again(
            RecordID(try Self.key(7)), ChatLine(style: .says, name: try PeerName("bob"), text: "hi"))
        let line = try Self.line("hi")
        let body = line.bytes.dropFirst(2).prefix(Int(line.bytes[1]))
        #expect(again.bytes[..<2] == [5, UInt8(32 + body.count)])
        #expect(again.bytes[2..<34].allSatisfy { $0 == 7 })
        #expect(again.bytes[34..<(34 + body.count)] == body[...])
        for count in 0..<32 {
            #expect(
                refuses { () throws(WireError) in
                    _ = try SealedText(decoding: SealedText.padded(kind: 5, [UInt8](repeating: 7, count: count)))
                })
        }
    }

    @Test func bodiesAreTheBytesTheyAlwaysWere() throws {
        #expect(
            Hex.string(try Self.prekeys(1).body)
                == "0102030405060708" + String(repeating: "09", count: 32) + "01" + String(repeating: "0", count: 80))
        let sealed = Hex.string(try Self.sealed().body)
        #expect(
            sealed == String(repeating: "01", count: 32) + String(repeating: "02", count: 24)
                + String(repeating: "03", count: 32) + String(repeating: "04", count: 272))
        let text = Hex.string(try Self.line("hi").bytes)
        #expect(text == "01" + "08" + "00" + "03626f62" + "026869" + String(repeating: "0", count: 2 * 246))
    }

    @Test func everyPrefixIsRefused() throws {
        let bodies = (try Self.sealed().body, try Self.prekeys(2).body, try Self.line("hi").bytes)
        for count in 0..<bodies.0.count {
            #expect(refuses { () throws(WireError) in _ = try SealedBody(decoding: Array(bodies.0.prefix(count))) })
        }
        for count in 0..<bodies.1.count {
            #expect(refuses { () throws(WireError) in _ = try PrekeysBody(decoding: Array(bodies.1.prefix(count))) })
        }
        for count in 0..<bodies.2.count {
            #expect(refuses { () throws(WireError) in _ = try SealedText(decoding: Array(bodies.2.prefix(count))) })
        }
    }

    @Test func everyFlippedBitIsRefusedOrAnotherTextInItsOneForm() throws {
        for text in [try Self.line("hi").bytes, Self.receipt.bytes, Self.filesHere.bytes] {
            for bit in 0..<text.count * 8 {
                var changed = text
                changed[bit / 8] ^= 1 << (bit % 8)
                do throws(WireError) {
                    let read = try SealedText(decoding: changed)
                    if case .unknown = read { continue }
                    #expect(read.bytes == changed, "bit \(bit)")
                } catch {
                    continue
                }
            }
        }
    }

    @Test func randomBytesAreSurvived() {
        var dice = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let count = Bool.random(using: &dice) ? 256 : Int.random(in: 0...600, using: &dice)
            let limit: UInt8 = Bool.random(using: &dice) ? 255 : 3
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...limit, using: &dice) }
            _ = refuses { () throws(WireError) in _ = try SealedBody(decoding: bytes) }
            _ = refuses { () throws(WireError) in _ = try PrekeysBody(decoding: bytes) }
            _ = refuses { () throws(WireError) in _ = try SealedText(decoding: bytes) }
        }
    }

    @Test(arguments: [
        (1, 256), (246, 256), (247, 512), (502, 512), (503, 1_024), (4_096, 8_192),
    ])
    func aTextHasTheLeastSizeThatHoldsIt(characters: Int, bytes: Int) throws {
        let text = try Self.line(String(repeating: "x", count: characters))
        // Kind 1, length 2 from 128 bytes on, style 1, name 4, length of the text 2: ten bytes besides.
        #expect(text.bytes.count == bytes)
    }

    @Test func paddingIsZeroAndNoLongerThanItMustBe() throws {
        var dirty = try Self.line("hi").bytes
        dirty[255] = 1
        #expect(refuses { () throws(WireError) in _ = try SealedText(decoding: dirty) })
        let wasteful = try Self.line("hi").bytes + [UInt8](repeating: 0, count: 256)
        #expect(refuses { () throws(WireError) in _ = try SealedText(decoding: wasteful) })
        let odd = try Self.line("hi").bytes + [0]
        #expect(refuses { () throws(WireError) in _ = try SealedText(decoding: odd) })
    }

    @Test func keysOfOneIdAndTooManyAreRefused() throws {
        var twins = try Self.prekeys(2).body
        twins[41 + 7] = 1
        #expect(refuses { () throws(WireError) in _ = try PrekeysBody(decoding: twins) })
        var many = try Self.prekeys(32).body
        many[40] = 33
        many += [UInt8](repeating: 0x77, count: 40)
        #expect(refuses { () throws(WireError) in _ = try PrekeysBody(decoding: many) })
    }

    @Test(arguments: [2, 11] as [UInt64])
    func aReceiptNamesOneMessageAtLeastAndSixtyFourAtMost(kind: UInt64) {
        for count in [0, 65] as [UInt8] {
            let body = [count] + [UInt8](repeating: 0, count: 32 * Int(count))
            #expect(
                refuses { () throws(WireError) in
                    _ = try SealedText(decoding: SealedText.padded(kind: kind, body))
                })
        }
    }

    @Test func thatFilesAreHereIsSaidInTheseBytes() throws {
        let text = SealedText.filesHere([RecordID(try Self.key(7)), RecordID(try Self.key(8))]).bytes
        #expect(text.count == 256 && text[..<3] == [11, 65, 2])
        #expect(text[3..<35].allSatisfy { $0 == 7 } && text[35..<67].allSatisfy { $0 == 8 })
        #expect(text[67...].allSatisfy { $0 == 0 })
    }
}

import LatticeChat
import LatticeCore
import Testing

struct TerminalKeyTests {
    private func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.feed(bytes) + decoder.flush()
    }

    private func keys(_ text: String) -> [Key] { keys(Array(text.utf8)) }

    private static let sequences: [(String, Key)] = [
        ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[B", .down), ("\u{1B}OB", .down),
        ("\u{1B}[C", .right), ("\u{1B}OC", .right), ("\u{1B}[D", .left), ("\u{1B}OD", .left),
        ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home), ("\u{1B}[7~", .home), ("\u{1B}[1;2H", .home),
        ("\u{1B}[F", .end), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end),
        ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}[3;5~", .alt("d")),
        ("\u{1B}[1;5C", .wordRight), ("\u{1B}[1;3C", .wordRight), ("\u{1B}[5C", .right), ("\u{1B}Oc", .wordRight),
        ("\u{1B}[1;5D", .wordLeft), ("\u{1B}[1;3D", .wordLeft), ("\u{1B}Od", .wordLeft), ("\u{1B}O5D", .wordLeft),
        ("\u{1B}\u{1B}[C", .wordRight), ("\u{1B}\u{1B}[D", .wordLeft), ("\u{1B}[1;2D", .left),
        ("\u{1B}b", .alt("b")), ("\u{1B}F", .alt("f")), ("\u{1B}d", .alt("d")), ("\u{1B}\u{7F}", .altBackspace),
        ("\u{1B}\u{08}", .altBackspace), ("\u{1B}OM", .enter),
    ]

    @Test func eachSequenceIsItsKey() {
        for (sequence, key) in Self.sequences { #expect(keys(sequence) == [key], "\(sequence.debugDescription)") }
    }

    @Test func aSequenceCutAnywhereIsTheSameKey() {
        for (sequence, key) in Self.sequences {
            let bytes = Array(sequence.utf8)
            for cut in 0...bytes.count {
                var decoder = KeyDecoder()
                let first = decoder.feed(bytes[..<cut])
                #expect(first + decoder.feed(bytes[cut...]) == [key])
                #expect(!decoder.awaitsSilence)
            }
        }
    }

    @Test func aPrefixOfASequenceIsNoKeyUntilSilenceFalls() {
        for (sequence, _) in Self.sequences {
            let bytes = Array(sequence.utf8)
            for length in 1..<bytes.count {
                var decoder = KeyDecoder()
                #expect(decoder.feed(bytes[..<length]) == [])
                #expect([[], [.escape]].contains(decoder.flush()))
            }
        }
    }

    @Test func controlBytesAreTheirLetters() {
        #expect(
            keys([0x01, 0x1A, 0x7F, 0x08, 0x09, 0x0D, 0x0A]) == [
                .control("a"), .control("z"), .backspace, .backspace, .tab, .enter, .enter,
            ])
        #expect(keys([0x00, 0x1C, 0x1F]) == [])
    }

    @Test func anEscapeAloneIsAKeyWhenNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1B]) == [])
        #expect(decoder.awaitsSilence)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.awaitsSilence)
        #expect(decoder.feed([0x62]) == [.text("b")])
    }

    @Test func unknownSequencesAreSwallowedWhole() {
        #expect(keys("\u{1B}[99;7xa") == [.text("a")])
        #expect(keys("\u{1B}[[Aa") == [.text("a")])
        #expect(keys("\u{1B}[?1;2ca") == [.text("a")])
        #expect(keys("\u{1B}OPa") == [.text("a")])
        #expect(keys("\u{1B}]11;rgb:ffff/ffff/ffff\u{07}a") == [.text("a")])
        #expect(keys("\u{1B}[<0;12;40Ma") == [.text("a")])
    }

    @Test func aSequenceIsNotWaitedForBeyondItsLimit() {
        let digits = String(repeating: "1", count: KeyDecoder.sequenceBytesMax)
        #expect(keys("\u{1B}[\(digits)A") == [.up])
        #expect(keys("\u{1B}[\(digits)1A") == [.text("1"), .text("A")])
    }

    @Test func textIsPutTogetherAcrossChunks() {
        let text = "aé漢🇩🇪👩‍👩‍👧e\u{301}"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var decoder = KeyDecoder()
            let keys = decoder.feed(bytes[..<cut]) + decoder.feed(bytes[cut...])
            #expect(keys == text.unicodeScalars.map { Key.text($0) })
        }
    }

    @Test func whatIsNoUTF8BecomesAReplacementAsSwiftMakesIt() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let bytes = (0..<8).map { _ in UInt8.random(in: 0x7E...0xFF, using: &random) } + [0x61]
            let repaired = String(decoding: bytes, as: UTF8.self).unicodeScalars
            let expected = repaired.filter { !(0x7F..<0xA0).contains($0.value) }.map { Key.text($0) }
            #expect(keys(bytes).filter { $0 != .backspace } == expected)
        }
    }

    @Test func aPasteIsOneKey() {
        #expect(
            keys("\u{1B}[200~a\r\u{1B}[Ab\u{1B}[201~c") == [
                .paste("a\r\u{1B}[Ab", isTruncated: false), .text("c"),
            ])
        #expect(keys("\u{1B}[200~\u{1B}[20\u{1B}[201~") == [.paste("\u{1B}[20", isTruncated: false)])
    }

    @Test func aPasteIsKeptUpToItsLimitAndSaysSo() {
        for (length, isTruncated) in [(KeyDecoder.pasteBytesMax, false), (KeyDecoder.pasteBytesMax + 1, true)] {
            let text = String(repeating: "x", count: length)
            let kept = String(text.prefix(KeyDecoder.pasteBytesMax))
            #expect(keys("\u{1B}[200~\(text)\u{1B}[201~") == [.paste(kept, isTruncated: isTruncated)])
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func randomBytesGiveTheSameKeysHoweverTheyAreCut(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let likely: [UInt8] = [0x1B, 0x1B, 0x5B, 0x4F, 0x32, 0x30, 0x31, 0x7E, 0x3B, 0x5D, 0x41, 0xE6, 0xBC]
        let bytes = (0..<2_000).map { _ in
            Bool.random(using: &random) ? likely.randomElement(using: &random)! : .random(in: 0...255, using: &random)
        }
        var whole = KeyDecoder()
        var cut = KeyDecoder()
        let expected = whole.feed(bytes)
        var keys: [Key] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = Int.random(in: 1...9, using: &random)
            keys += cut.feed(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        #expect(keys == expected)
    }
}

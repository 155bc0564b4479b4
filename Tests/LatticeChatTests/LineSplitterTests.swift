import LatticeChat
import LatticeCore
import Testing

/// Bytes to lines.
struct LineSplitterTests {
    private static let bytesMax = 4_096

    private func split(_ chunks: [[UInt8]], bytesMax: Int = bytesMax) -> [ChatInput] {
        var splitter = LineSplitter(bytesMax: bytesMax)
        return chunks.flatMap { splitter.append($0) } + splitter.finish()
    }

    private func split(_ text: String) -> [ChatInput] {
        split([Array(text.utf8)])
    }

    private func tooLong(_ bytes: Int) -> ChatInput {
        .refused(
            code: "lineTooLong",
            "This line was not sent: a message can be at most 4,096 bytes long. Send it in parts.")
    }

    private static let notUTF8 = ChatInput.refused(
        code: "notUTF8", "This line was not sent: it is not UTF-8. Convert it first, for example with iconv -t UTF-8.")

    /// A command and a name may stand before the text, and nobody counts those.
    @Test func whoIsRefusedIsToldHowLongATextCanBe() {
        var splitter = LineSplitter(bytesMax: 12, toldMax: 8)
        let text = "This line was not sent: a message can be at most 8 bytes long. Send it in parts."
        #expect(splitter.append("1234567890123\n".utf8) == [.refused(code: "lineTooLong", text)])
    }

    @Test func linesAreCutAtLineFeedsWithOrWithoutCarriageReturn() {
        #expect(split("one\ntwo\r\n\nthree\n") == [.line("one"), .line("two"), .line(""), .line("three"), .endOfInput])
        #expect(split("a\rb\r\r\n") == [.line("a\rb\r"), .endOfInput])
    }

    @Test func theLastLineMayLackItsLineFeed() {
        #expect(split("one\ntwo") == [.line("one"), .line("two"), .endOfInput])
        #expect(split("") == [.endOfInput])
        #expect(split("\n") == [.line(""), .endOfInput])
    }

    @Test func everyChunkingGivesTheSameLines() {
        let bytes = Array("é👩‍👩‍👧\r\n\nlast".utf8)
        let whole = split([bytes])
        #expect(whole == [.line("é👩‍👩‍👧"), .line(""), .line("last"), .endOfInput])
        #expect(split(bytes.map { [$0] }) == whole)
        for first in bytes.indices {
            for second in first..<bytes.endIndex {
                let chunks = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                #expect(split(chunks) == whole)
            }
        }
    }

    @Test(arguments: ["\n", "\r\n", ""])
    func aLineOfTheLimitIsTakenAndOneByteMoreIsRefused(ending: String) {
        for count in [Self.bytesMax - 1, Self.bytesMax] {
            let text = String(repeating: "x", count: count)
            #expect(split(text + ending) == [.line(text), .endOfInput])
        }
        let inputs = split(String(repeating: "x", count: Self.bytesMax + 1) + ending + (ending.isEmpty ? "" : "next\n"))
        #expect(inputs.first == tooLong(Self.bytesMax + 1))
        #expect(Array(inputs.dropFirst()) == (ending.isEmpty ? [] : [.line("next")]) + [.endOfInput])
    }

    @Test func theLimitHoldsForEveryChunking() {
        for count in 3...7 {
            let bytes = [UInt8](repeating: 65, count: count) + [13, 10, 66, 10]
            let whole = split([bytes], bytesMax: 4)
            #expect(whole.dropFirst() == [.line("B"), .endOfInput])
            for size in 1...bytes.count {
                let chunks = stride(from: 0, to: bytes.count, by: size).map {
                    Array(bytes[$0..<min($0 + size, bytes.count)])
                }
                #expect(split(chunks, bytesMax: 4) == whole)
            }
        }
    }

    @Test func theLimitIsInBytesAndNoCharacterIsCut() {
        let text = String(repeating: "é", count: Self.bytesMax / 2)
        #expect(split(text + "\n") == [.line(text), .endOfInput])
        #expect(split(text + "é\n") == [tooLong(Self.bytesMax + 2), .endOfInput])
    }

    @Test func whatIsNotUTF8IsRefusedAndTheNextLineIsNot() {
        let broken: [[UInt8]] = [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80]]
        for bytes in broken {
            #expect(split([[97] + bytes + [10, 98, 10]]) == [Self.notUTF8, .line("b"), .endOfInput])
            #expect(split([bytes]) == [Self.notUTF8, .endOfInput])
        }
    }

    @Test func anEndlessLineCostsNoMemory() {
        var splitter = LineSplitter(bytesMax: Self.bytesMax)
        let chunk = [UInt8](repeating: 120, count: 64 << 10)
        for _ in 0..<200 {
            let inputs = splitter.append(chunk)
            #expect(inputs.isEmpty)
            // The array behind it, as it is stored, holds nothing any more.
            let held = Mirror(reflecting: splitter).children.compactMap { ($0.value as? [UInt8])?.capacity }
            #expect(held == [0])
        }
        let inputs = splitter.append([10, 97, 10]) + splitter.finish()
        #expect(inputs == [tooLong(200 * (64 << 10)), .line("a"), .endOfInput])
    }

    @Test func anEndlessLineThatEndsWithTheInputIsRefused() {
        #expect(
            split([[UInt8](repeating: 120, count: 10_000)]) == [tooLong(10_000), .endOfInput])
    }
}

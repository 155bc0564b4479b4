import LatticeCore
import LatticeWire
import Testing

struct IntroductionTests {
    private func error(_ bytes: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try Introduction(decoding: bytes[...]) }
    }

    private func bytes(port: UInt64 = 1, capabilities: UInt64 = 0, clock: UInt64 = 0, name: String = "bob") -> [UInt8] {
        Samples.written { writer in
            writer.fixed([UInt8](repeating: 1, count: 96))
            writer.integer(2, bytes: 8)
            writer.integer(clock, bytes: 8)
            writer.varint(port)
            writer.varint(capabilities)
            writer.text(name)
        }
    }

    @Test func everyPrefixIsRefused() throws {
        let bytes = try Samples.introduction().bytes
        for count in 0..<bytes.count {
            #expect(error(Array(bytes.prefix(count))) != nil, "\(count) bytes")
        }
    }

    @Test func everyFlippedBitIsSurvived() throws {
        let whole = try Samples.introduction()
        for bit in 0..<whole.bytes.count * 8 {
            var changed = whole.bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            do throws(WireError) {
                let other = try Introduction(decoding: changed[...])
                #expect(other != whole, "bit \(bit)")
            } catch {
                continue
            }
        }
    }

    @Test func whatALaterVersionAddsIsSkipped() throws {
        let introduction = try Samples.introduction()
        #expect(try Introduction(decoding: (introduction.bytes + [1, 2, 3])[...]) == introduction)
    }

    @Test(arguments: [1_023, 1_024, 1_025])
    func anIntroductionHasAtMost1024Bytes(count: Int) throws {
        let bytes = try Samples.introduction().bytes
        let padded = bytes + [UInt8](repeating: 0, count: count - bytes.count)
        let expected = WireError.tooLong(field: "introduction", bytes: 1_025, bytesMax: 1_024)
        #expect(error(padded) == (count > 1_024 ? expected : nil))
    }

    @Test(arguments: [0, 1, 65_535, 65_536, .max] as [UInt64])
    func aPortHas16Bits(port: UInt64) {
        #expect(error(bytes(port: port)) == (port > 65_535 ? .outOfRange(field: "port") : nil))
    }

    @Test func unknownCapabilitiesAreKept() throws {
        #expect(try Introduction(decoding: bytes(capabilities: .max)[...]).capabilities == .max)
    }

    @Test func aClockBeyondAllDatesIsTheLastDate() throws {
        #expect(try Introduction(decoding: bytes(clock: .max)[...]).clock.milliseconds == .max)
    }

    @Test(arguments: ["", "\u{202E}evil", "a\n"])
    func aNameIsAProperName(name: String) {
        #expect(error(bytes(name: name)) == .notUTF8(field: "peer name"))
    }

    @Test(arguments: [62, 63, 64])
    func aNameHasAtMost63Bytes(count: Int) {
        let expected = WireError.tooLong(field: "peer name", bytes: 64, bytesMax: 63)
        #expect(error(bytes(name: String(repeating: "a", count: count))) == (count > 63 ? expected : nil))
    }
}

import LatticeCore
import LatticeWire
import Testing

struct RecordTests {
    /// An encoded record with one thing changed; the signature has the right length and is invalid.
    private func bytes(
        version: UInt8 = 1, kind: UInt64 = 1, lifetime: UInt64 = 60, topic: Int = 0, body: Int = 0, signature: Int = 64
    ) throws -> [UInt8] {
        let author = try Samples.author()
        return Samples.written { writer in
            writer.byte(version)
            writer.varint(kind)
            writer.fixed(author.key)
            writer.integer(1, bytes: 8)
            writer.varint(lifetime)
            writer.bytes([UInt8](repeating: 1, count: topic))
            writer.bytes([UInt8](repeating: 2, count: body))
            writer.fixed([UInt8](repeating: 3, count: signature))
        }
    }

    private func error(_ bytes: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try SignedRecord(decoding: bytes[...]) }
    }

    @Test func theSmallestRecordHas109Bytes() throws {
        let smallest = try bytes()
        #expect(smallest.count == 109)
        #expect(try SignedRecord(decoding: smallest[...]).bytes == smallest)
    }

    @Test func theLargestRecordHas60000Bytes() throws {
        let room = Record.bytesMax - 111
        for (body, isAccepted) in [(room - 1, true), (room, true), (room + 1, false)] {
            let bytes = try bytes(body: body)
            #expect(bytes.count == Record.bytesMax - room + body)
            #expect(error(bytes) == (isAccepted ? nil : .tooLong(field: "record", bytes: 60_001, bytesMax: 60_000)))
        }
    }

    @Test func theLargestRecordFitsAFrameAndAMessage() throws {
        let signed = try SignedRecord(decoding: bytes(body: Record.bytesMax - 111)[...])
        let frame = Frame.record(RecordFrame(timeToLive: 64, hops: 64, signed: signed))
        #expect(frame.bytes.count == 60_007)
        #expect(frame.bytes.count <= Frame.plaintextBytesMax)
        #expect(try Frame.decode(message: frame.bytes[...]) == [frame])
    }

    @Test(arguments: [
        (59, false), (60, true), (61, true), (31_535_999, true), (31_536_000, true), (31_536_001, false), (0, false),
        (UInt64(UInt32.max) + 61, false), (.max, false),
    ])
    func aLifetimeIsAMinuteToAYear(lifetime: UInt64, isAccepted: Bool) throws {
        #expect(error(try bytes(lifetime: lifetime)) == (isAccepted ? nil : .outOfRange(field: "record lifetime")))
    }

    @Test(arguments: [0, 1, 255, 256, 257])
    func aTopicHasAtMost256Bytes(count: Int) throws {
        let expected = WireError.tooLong(field: "record topic", bytes: 257, bytesMax: 256)
        #expect(error(try bytes(topic: count)) == (count > 256 ? expected : nil))
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func anotherVersionIsRefused(version: UInt8) throws {
        #expect(error(try bytes(version: version)) == .unknownVersion(version))
    }

    @Test(arguments: [0, 12, 127, 128, .max] as [UInt64])
    func anUnknownKindIsKeptAsItIs(kind: UInt64) throws {
        let bytes = try bytes(kind: kind, body: 5)
        let signed = try SignedRecord(decoding: bytes[...])
        #expect(signed.record.kind.rawValue == kind)
        #expect(signed.record.unsignedBytes + signed.signature == bytes)
    }

    @Test func aLongerFormOfANumberIsRefused() throws {
        var bytes = try bytes()
        bytes.replaceSubrange(1..<2, with: [0x81, 0])
        #expect(error(bytes) == .notShortest(field: "record kind"))
    }

    @Test func everyPrefixIsRefused() throws {
        let bytes = try Samples.signed().bytes
        for count in 0..<bytes.count {
            #expect(error(Array(bytes.prefix(count))) != nil, "\(count) bytes")
        }
    }

    @Test func whateverFollowsIsRefused() throws {
        #expect(error(try bytes(signature: 65)) == .trailing(field: "record", bytes: 1))
    }

    @Test func everyFlippedBitIsRefusedOrAnotherRecord() throws {
        let whole = try Samples.signed()
        for bit in 0..<whole.bytes.count * 8 {
            var changed = whole.bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            do throws(WireError) {
                let other = try SignedRecord(decoding: changed[...])
                #expect(other != whole)
                #expect(other.record.unsignedBytes + other.signature == changed, "one record has one form; bit \(bit)")
            } catch {
                continue
            }
        }
    }

    @Test func verifiedRecordsAreEqualByTheirNames() throws {
        let (one, two) = (RecordID(.zero), RecordID(try Samples.author().key))
        let signed = try Samples.signed()
        let records = [one, two, one].map { VerifiedRecord(assumingVerified: signed, id: $0) }
        #expect(records[0] == records[2] && records[0] != records[1])
        #expect(Set(records).count == 2)
        #expect(try records[0].author == Samples.author() && records[0].kind == .chat)
    }
}

import LatticeCore
import LatticeWire
import Testing

struct ByteCountTests {
    @Test func everyFrameIsAsLongAsItSays() throws {
        for (frame, _) in try Samples.frames() { #expect(frame.byteCount == frame.bytes.count, "\(frame)") }
        for room in [0, 127, 128, 255] as [UInt8] {
            #expect(Frame.accept(room: room).byteCount == Frame.accept(room: room).bytes.count)
        }
        for refusal in [Refusal.full, .unknown] {
            #expect(Frame.refuse(refusal).byteCount == Frame.refuse(refusal).bytes.count)
        }
        for code in [Goodbye.Code.full, .unknown] {
            for text in ["", "a", "日本", String(repeating: "a", count: 256)] {
                let frame = Frame.goodbye(Goodbye(code, text))
                #expect(frame.byteCount == frame.bytes.count)
            }
        }
    }

    /// Around every size at which a number takes another byte.
    @Test(arguments: [109, 123, 124, 125, 126, 127, 16_380, 16_381, 16_382, 16_383, 59_999, 60_000])
    func aRecordFrameIsAsLongAsItsRecordSays(recordBytes: Int) throws {
        let author = try Samples.author()
        let lengthBytes = recordBytes - 108 < 129 ? 1 : recordBytes - 108 < 16_386 ? 2 : 3
        let record = Record(
            kind: .chat, author: author, created: HybridTime(rawValue: 1), lifetimeSeconds: 60, topic: [],
            body: [UInt8](repeating: 1, count: recordBytes - 108 - lengthBytes))
        let signed = SignedRecord(record, signature: [UInt8](repeating: 2, count: 64))
        #expect(signed.bytes.count == recordBytes)
        for (timeToLive, hops, isStray) in [(1, 1, false), (32, 1, true), (64, 64, true)] as [(UInt8, UInt8, Bool)] {
            let frame = Frame.record(
                RecordFrame(timeToLive: timeToLive, hops: hops, isStray: isStray, signed: signed))
            let foretold = Frame.recordFrameByteCount(timeToLive: timeToLive, hops: hops, recordBytes: recordBytes)
            #expect(frame.byteCount == frame.bytes.count)
            #expect(foretold == frame.bytes.count)
        }
    }

    @Test func framesAndRecordsAreCheapToCopy() {
        #expect(MemoryLayout<Frame>.size == 16)
        #expect(MemoryLayout<VerifiedRecord>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<SignedRecord>.size == MemoryLayout<Int>.size)
    }
}

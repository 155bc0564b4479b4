import LatticeCore
import LatticeWire
import Testing

struct DataFrameTests {
    private func error(type: UInt64, _ write: (inout ByteWriter) -> Void) -> WireError? {
        let message = Samples.frame(type: type, Samples.written(write))
        return wireError { () throws(WireError) in try Frame.decode(message: message[...]) }
    }

    /// The head of data that is for the neighbour itself.
    private func putHead(_ writer: inout ByteWriter, offset: UInt64 = 0, count: UInt64? = 1) {
        writer.byte(0)
        writer.integer(7, bytes: 8)
        writer.varint(offset)
        if let count { writer.varint(count) }
    }

    @Test(arguments: [0, 1, 127, 128, 59_999, 60_000])
    func aMessageComesBackAsItWas(count: Int) throws {
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var messages = DataMessages()
        messages.append(message)
        let isAlone = count > 50_000
        if !isAlone { messages.append([1]) }
        let read = try DataMessages(isAlone ? 1 : 2, decoding: messages.bytes[...])
        #expect(read == messages)
        var position = 0
        let all = (0..<3).map { _ in read.message(at: &position).map { Array($0) } }
        #expect(all == [message, isAlone ? nil : [1], nil])
    }

    @Test func aMessageHas60000BytesAtMost() {
        let error = error(type: 22) { writer in
            putHead(&writer)
            writer.bytes([UInt8](repeating: 0, count: 60_001))
        }
        #expect(error == .tooLong(field: "data", bytes: 60_004, bytesMax: 60_003))
    }

    @Test func aFrameIsFullAt16KiB() {
        var messages = DataMessages()
        #expect(!messages.isFull(for: 60_000))
        messages.append([UInt8](repeating: 0, count: 16_000))
        #expect(!messages.isFull(for: 300) && messages.isFull(for: 400))
    }

    @Test func aMessageThatEndsTooEarlyIsRefused() {
        for (count, bytes): (UInt64, [UInt8]) in [
            (1, []), (1, [1]), (1, [3, 1, 2]), (1, [0x80]), (3, [0, 0, 2, 9]), (1, [0x80, 0]), (1, [0, 0]), (0, [0]),
            (.max, [0]),
        ] {
            let error = error(type: 22) { writer in
                putHead(&writer, count: count)
                writer.fixed(bytes)
            }
            #expect(error != nil, "\(bytes)")
        }
    }

    @Test func aFlowHasAnEnd() {
        let error = error(type: 22) { writer in
            putHead(&writer, offset: .max)
            writer.bytes([])
        }
        #expect(error == .outOfRange(field: "data offset"))
    }

    @Test(arguments: [0, 1, 64, 65, .max] as [UInt64])
    func dataGoesOver1To64Links(timeToLive: UInt64) {
        let error = error(type: 22) { writer in
            writer.byte(1)
            writer.varint(timeToLive)
            writer.fixed([UInt8](repeating: 1, count: 64))
            writer.integer(7, bytes: 8)
            writer.varint(0)
            writer.varint(0)
        }
        #expect(error == ((1...64).contains(timeToLive) ? nil : .outOfRange(field: "TTL")))
    }

    @Test func anAnswerPromisesNoLessThanCame() {
        func answer(_ received: UInt64, _ limit: UInt64, _ state: UInt64) -> WireError? {
            error(type: 23) { writer in
                putHead(&writer, offset: received, count: nil)
                writer.varint(limit)
                writer.varint(state)
            }
        }
        #expect(answer(5, 5, 0) == nil && answer(5, 6, 4) == nil)
        #expect(answer(5, 4, 0) == .outOfRange(field: "data limit"))
        #expect(answer(5, 5, 5) == .outOfRange(field: "data state"))
    }
}

import LatticeCore
import LatticeWire
import Testing

struct DatagramFrameTests {
    private func error(routed: Bool, count: Int, age: UInt64 = 0, sequence: UInt64 = 0) -> WireError? {
        let message = Samples.frame(
            type: 28,
            Samples.written { writer in
                writer.byte(routed ? 1 : 0)
                if routed {
                    writer.varint(7)
                    writer.fixed([UInt8](repeating: 1, count: 64))
                }
                writer.varint(sequence)
                writer.varint(age)
                writer.fixed([UInt8](repeating: 9, count: count))
            })
        return wireError { () throws(WireError) in try Frame.decode(message: message[...]) }
    }

    @Test func aNeighbourGetsUpTo8192Bytes() {
        for count in [0, 1, 8_192] { #expect(error(routed: false, count: count) == nil) }
        #expect(
            error(routed: false, count: 8_193) == .tooLong(field: "datagram", bytes: 8_193, bytesMax: 8_192))
    }

    @Test func aSealHasATag() {
        for count in [16, 8_208] { #expect(error(routed: true, count: count) == nil) }
        #expect(error(routed: true, count: 15) == .truncated(field: "datagram"))
        #expect(
            error(routed: true, count: 8_209) == .tooLong(field: "datagram", bytes: 8_209, bytesMax: 8_208))
    }

    @Test func anAgeFitsFourBytesAndASequenceEight() {
        #expect(error(routed: false, count: 1, age: UInt64(UInt32.max), sequence: .max) == nil)
        #expect(error(routed: false, count: 1, age: UInt64(UInt32.max) + 1) == .outOfRange(field: "datagram age"))
    }

    @Test func eachEndIsAuthenticatedInItsPlace() throws {
        let (one, other) = (try Samples.peer(1), try Samples.peer(2))
        let bytes = DatagramFrame.authenticated(from: one, to: other)
        #expect(bytes == Array("lattice datagram/1".utf8) + one.key.bytes + other.key.bytes)
        #expect(bytes != DatagramFrame.authenticated(from: other, to: one))
    }
}

import Testing

@testable import lattice_bench

/// What the peers of the bench say to one another.
@Suite struct MeshMessageTests {
    @Test(arguments: [0, 1, 255, UInt32.max], [0, 7, UInt64(Int64.max), UInt64.max])
    func aMessageIsReadAsItWasSaid(number: UInt32, stamp: UInt64) throws {
        for role in [MeshMessage.Role.asks, .answers, .tells] {
            let message = MeshMessage(role: role, number: number, stamp: stamp)
            for count in [0, MeshMessage.bytesMin, 100] {
                let bytes = message.bytes(filledTo: count)
                #expect(bytes.count == max(count, MeshMessage.bytesMin))
                #expect(try MeshMessage(bytes) == message)
            }
        }
    }

    @Test func anythingElseIsRefused() {
        let bytes = MeshMessage(role: .asks, number: 1, stamp: 2).bytes(filledTo: 30)
        for count in 0..<MeshMessage.bytesMin {
            #expect(throws: BenchError.self) { try MeshMessage(bytes.prefix(count)) }
        }
        #expect(throws: BenchError.self) { try MeshMessage([0x78] + bytes.dropFirst()) }
        #expect(throws: BenchError.self) { try MeshMessage(bytes.prefix(5) + [0x47] + bytes.dropFirst(6)) }
    }
}

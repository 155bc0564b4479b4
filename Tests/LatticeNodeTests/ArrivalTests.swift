import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeNode

/// What came over a link at once.
struct ArrivalTests {
    private static let said = Frame.record(
        RecordFrame(timeToLive: 4, hops: 1, signed: ChatRig.lines(1, by: .generate())[0].signed))

    private static let cases: [(frames: [Frame], plain: Int)] = [
        ([.accept(room: 3), .rekey, said, .ping(nonce: 1), said], 2),
        ([said, .accept(room: 3)], 0),
        ([.accept(room: 3), .ping(nonce: 1)], 2),
        ([said], 0),
        ([], 0),
    ]

    /// Who lets somebody in tells in the same breath of everybody it knows.
    @Test(arguments: cases)
    func whatStandsBeforeTheFirstSignatureDoesNotWaitForIt(frames: [Frame], plain: Int) {
        let divided = frames.dividedAtSignature
        #expect(divided.plain == Array(frames.prefix(plain)))
        #expect(divided.rest == Array(frames.dropFirst(plain)))
    }
}

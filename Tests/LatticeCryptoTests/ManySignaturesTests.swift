import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

struct ManySignaturesTests {
    private let identities = (0..<4 as Range<UInt8>).map { first in
        Identity(seed: SecretBytes(copying: (0..<32).map { first + $0 }))
    }

    /// Records of all sizes and authors.
    private func records(_ count: Int, _ dice: inout SeededGenerator) -> [VerifiedRecord] {
        (0..<count).map { index in
            let identity = identities[index % 4]
            let bytes = index % 50 == 7 ? 59_000 : Int.random(in: 0...400, using: &dice)
            return identity.sign(
                Record(
                    kind: .post, author: identity.peer, created: HybridTime(rawValue: UInt64(index)),
                    lifetimeSeconds: 3_600, topic: [], body: [UInt8](repeating: UInt8(index & 255), count: bytes)))
        }
    }

    /// The same record with a signature that is another's.
    private func forged(_ verified: VerifiedRecord, _ dice: inout SeededGenerator) -> SignedRecord {
        var signature = verified.signed.signature
        signature[Int.random(in: 0..<64, using: &dice)] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        return SignedRecord(verified.record, signature: signature)
    }

    @Test func ofNoRecordsNothingIsSaid() async {
        #expect(await RecordVerifier.verifyAll([]).isEmpty)
    }

    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 300])
    func everyRecordIsJudgedInItsPlace(count: Int) async {
        var dice = SeededGenerator(seed: UInt64(count))
        let good = records(count, &dice)
        let results = await RecordVerifier.verifyAll(good.map(\.signed))
        #expect(results == good.map { .success($0) })
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func theBadAreToldFromTheGood(seed: UInt64) async {
        var dice = SeededGenerator(seed: seed)
        var given: [SignedRecord] = []
        var expected: [Result<VerifiedRecord, CryptoError>] = []
        for record in records(Int.random(in: 1...200, using: &dice), &dice) {
            let isGood = Int.random(in: 0..<3, using: &dice) > 0
            given.append(isGood ? record.signed : forged(record, &dice))
            expected.append(isGood ? .success(record) : .failure(.badSignature))
        }
        #expect(await RecordVerifier.verifyAll(given) == expected)
    }

    @Test func itSaysOfEachWhatIsSaidOfItAlone() async throws {
        var dice = SeededGenerator(seed: 1)
        let good = records(100, &dice)
        // Each with the signature of the one after it: right in form, and of another record.
        let shifted = zip(good, good.dropFirst()).map { SignedRecord($0.record, signature: $1.signed.signature) }
        let results = await RecordVerifier.verifyAll(shifted + good.map(\.signed))
        for (signed, result) in zip(shifted + good.map(\.signed), results) {
            let alone = Result { () throws(CryptoError) in try RecordVerifier.verify(signed) }
            #expect(result == alone)
        }
        #expect(results.count == 199)
    }

    @Test func manyMayBeCheckedAtOnce() async {
        var dice = SeededGenerator(seed: 2)
        let good = records(200, &dice)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { await RecordVerifier.verifyAll(good.map(\.signed)) == good.map { .success($0) } }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

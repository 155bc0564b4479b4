import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

struct CachingVerifierTests {
    private let identity = Identity(seed: SecretBytes(copying: (0..<32).map { UInt8($0) }))

    private func record(_ number: Int) -> VerifiedRecord {
        identity.sign(
            Record(
                kind: .chat, author: identity.peer, created: HybridTime(rawValue: UInt64(number)),
                lifetimeSeconds: 3_600, topic: [], body: [1, 2, 3]))
    }

    private func forged(_ record: VerifiedRecord) -> SignedRecord {
        var signature = record.signed.signature
        signature[5] ^= 1
        return SignedRecord(record.record, signature: signature)
    }

    @Test func whatWasCheckedIsRightAgainAndItsForgedCopyIsNot() throws {
        let verifier = CachingVerifier()
        let good = record(1)
        for _ in 0..<3 {
            #expect(try verifier.verify(good.signed) == good)
            #expect(throws: CryptoError.badSignature) { try verifier.verify(forged(good)) }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 15, 16, 17, 100])
    func manyAreJudgedEachInItsPlace(count: Int) async {
        let verifier = CachingVerifier()
        let good = (0..<count).map(record)
        let given = good.enumerated().map { $0 % 3 == 1 ? forged($1) : $1.signed }
        let expected = good.enumerated().map { index, record -> Result<VerifiedRecord, CryptoError> in
            index % 3 == 1 ? .failure(.badSignature) : .success(record)
        }
        // The second time they are known.
        for _ in 0..<2 { #expect(await verifier.verifyAll(given) == expected) }
    }

    @Test func theSameRecordTwiceInOneMessageIsJudgedTwice() async {
        let verifier = CachingVerifier()
        let good = record(1)
        let given = (0..<40).map { $0 % 2 == 0 ? good.signed : forged(good) }
        let results = await verifier.verifyAll(given)
        for (index, result) in results.enumerated() {
            #expect(result == (index % 2 == 0 ? .success(good) : .failure(.badSignature)))
        }
    }
}

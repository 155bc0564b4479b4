import LatticeCore
import LatticeCrypto
import Testing

struct BridgeSealTests {
    private let seal = BridgeSeal(key: SecretBytes(copying: Array(0..<32)))
    private let subject = "lattice.1.x.w.x.a"

    @Test func whatIsSealedOpensForItsSubjectAlone() {
        let record = [UInt8](repeating: 7, count: 300)
        let payload = seal.sealed(record, subject: subject)
        #expect(seal.opened(payload, subject: subject) == record)
        #expect(seal.opened(payload, subject: subject + "a") == nil)
        #expect(BridgeSeal(key: SecretBytes(copying: Array(1..<33))).opened(payload, subject: subject) == nil)
        #expect(payload != seal.sealed(record, subject: subject), "the nonce is random")
    }

    @Test(arguments: [
        (0, 512), (508, 512), (509, 1_024), (32_764, 32_768), (32_765, 33_280), (33_276, 33_280),
        (33_277, 60_416), (60_000, 60_416),
    ]) func itsSizeIsOneOfNine(record: Int, text: Int) {
        let payload = seal.sealed([UInt8](repeating: 1, count: record), subject: subject)
        #expect(payload.count == 1 + 24 + text + 16)
        #expect(seal.opened(payload, subject: subject)?.count == record)
    }

    @Test func whatIsChangedOpensNever() {
        let payload = seal.sealed([1, 2, 3], subject: subject)
        for index in payload.indices {
            var changed = payload
            changed[index] ^= 1
            #expect(seal.opened(changed, subject: subject) == nil, "byte \(index)")
        }
        for count in 0..<payload.count { #expect(seal.opened(Array(payload.prefix(count)), subject: subject) == nil) }
    }

    /// Computed by `hmac` and `hashlib` of Python 3.11.
    @Test func theTagAndTheIDsAreThoseOfTheVectors() {
        #expect(seal.tag == "a5ca69e7d4059204")
        #expect(
            seal.id(of: RecordID(Digest.blake2b256([1]))).hex
                == "3710e76bfc88b326d62935ecac6af2cf9310da4d0e50d7d23fadfac47bff557f")
    }
}

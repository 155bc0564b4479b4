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

    @Test func whatBridgesSayIsSealedUnderAnotherKey() {
        let notes = BridgeSeal(key: SecretBytes(copying: Array(0..<32)), for: .notes)
        #expect(notes.tag == seal.tag)
        let payload = notes.sealed([1, 2, 3], subject: subject)
        #expect(notes.opened(payload, subject: subject) == [1, 2, 3])
        #expect(seal.opened(payload, subject: subject) == nil)
        #expect(notes.opened(seal.sealed([1, 2, 3], subject: subject), subject: subject) == nil)
    }

    /// Computed in Python 3.11 from the specifications of HChaCha20, ChaCha20 and Poly1305, with the nonce 00…17.
    @Test func whatAnotherProgramSealedOpens() throws {
        let notes = BridgeSeal(key: SecretBytes(copying: Array(0..<32)), for: .notes)
        let payload = try #require(Hex.bytes(Self.sealedNote.joined()))
        #expect(notes.opened(payload, subject: "lattice/1/a5ca69e7d4059204/q/all") == [1, 2, 3])
    }

    private static let sealedNote = [
        "02000102030405060708090a0b0c0d0e0f1011121314151617afa6bd4574c37aff9977cfb8c44653b0f42759c19c7aadd31b",
        "7cef8f5a5eebf92405dd3552438402e3d7aba950e380b7d0d90eb82099649288af132fae0f407c1e7dde61d09e0261192460",
        "f6dbc401a9090fd1b700bb7bd5817a0a4f1243104d21cd1603d5436ad055da52f1a9166d70380308e9d51007950214beff13",
        "7c7b3c3801efea945e65734268830b4494e50d65c1a35314140724d61dbacb7a486c4eb3e3a5045353d8eacda4857cca1a73",
        "407f34147a286933ec78ea5be5ee79ce83cb84770d2f0e4019c414e42edc299cd32b4f30a42719b80d89ba11edb4fdc8d976",
        "7b6df8477d07703d318466747563e2cc6f1b65d616e75058b3a841af5b872bcac3cbcff15e6e33b009799422cba507161206",
        "50007d0f0d5611e2a981fc843305faada33bf019f758fd6b360ff4f0e100189262dd3e79035ed9554a73b141b9a0d2f93564",
        "d5962fd2ba29c1d98a34ee9c3f38cfd27592619be89a4cb52c5917acc28cf6f3ce6b42b8968249bf1f67a76cb4f539531cbb",
        "6caee5686bbec447865a5cac8f8b43686c8070acfbee53ae1db25ddc695fc2be11dd75a52841e4ed3d7fdfe867cc176010c4",
        "1f3368fd83eaf5ec4125224d3b497c9bfdc1c9f0c0cd13fbf0e3cad93032928cdc9abad4ee5c0192ba465183cf7ed15ad6c1",
        "e7376be0555c9baca4105397774bf9ccdc399ff4ff16259eb791a4b7b06a733390a7febbf06e47dce69bfe9d742dab955e0d",
        "5fcea8",
    ]

    /// Computed by `hmac` and `hashlib` of Python 3.11.
    @Test func theTagAndTheIDsAreThoseOfTheVectors() {
        #expect(seal.tag == "a5ca69e7d4059204")
        #expect(
            seal.id(of: RecordID(Digest.blake2b256([1]))).hex
                == "3710e76bfc88b326d62935ecac6af2cf9310da4d0e50d7d23fadfac47bff557f")
    }
}

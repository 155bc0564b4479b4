import LatticeCore
import LatticeCrypto
import Testing

struct SealingTests {
    private let key = [UInt8](0..<32)

    private func sealed(_ text: [UInt8], nonce: UInt64 = 5, data: [UInt8] = [1, 2]) -> [UInt8] {
        var buffer = text
        AuthenticatedCipher.seal(
            key: SecretBytes(copying: key), nonce: nonce, authenticating: data, in: &buffer, from: 0
        )
        return buffer
    }

    private func open(
        _ bytes: [UInt8], key: [UInt8]? = nil, nonce: UInt64 = 5, data: [UInt8] = [1, 2]
    ) throws(CryptoError) -> [UInt8] {
        try AuthenticatedCipher.open(
            key: SecretBytes(copying: key ?? self.key), nonce: nonce, authenticating: data, bytes[...]
        )
    }

    @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 65_519])
    func whatIsSealedOpens(count: Int) throws {
        let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let bytes = sealed(text)
        #expect(bytes.count == count + AuthenticatedCipher.tagBytes)
        #expect(try open(bytes) == text)
    }

    @Test func everyFlippedBitAndEveryPrefixIsRefused() {
        let bytes = sealed(Array("hello".utf8))
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError.decryptionFailed) { try open(changed) }
        }
        for count in 0..<bytes.count {
            #expect(throws: CryptoError.decryptionFailed) { try open(Array(bytes.prefix(count))) }
        }
    }

    @Test func anotherKeyNumberOrContextIsRefused() {
        let bytes = sealed([1])
        #expect(throws: CryptoError.decryptionFailed) { try open(bytes, key: [UInt8](1...32)) }
        #expect(throws: CryptoError.decryptionFailed) { try open(bytes, nonce: 6) }
        #expect(throws: CryptoError.decryptionFailed) { try open(bytes, data: [1]) }
    }

    @Test func aPointOfLowOrderMakesNoSecret() throws {
        let one = try #require(Bytes32([1] + [UInt8](repeating: 0, count: 31)))
        for point in [Bytes32.zero, one] {
            var error: CryptoError?
            do throws(CryptoError) {
                _ = try AgreementKey.generate().agree(with: point)
            } catch let thrown {
                error = thrown
            }
            #expect(error == .lowOrderKey)
        }
    }

    @Test func bothSidesAgree() throws {
        let (alice, bob) = (AgreementKey.generate(), AgreementKey.generate())
        let mine = try alice.agree(with: bob.publicKey)
        let theirs = try bob.agree(with: alice.publicKey)
        let hashes = [Digest.sha256([], secret: mine), Digest.sha256([], secret: theirs)]
        #expect(hashes[0] == hashes[1])
    }

    @Test func secretsMatchOnlyThemselves() {
        let secret = SecretBytes(copying: [1, 2, 3])
        let answers = [[1, 2, 3], [1, 2, 4], [1, 2], []].map { secret.matches($0) }
        #expect(answers == [true, false, false, false])
        let empty = SecretBytes(copying: [])
        let isEmpty = empty.matches([])
        #expect(isEmpty)
    }
}

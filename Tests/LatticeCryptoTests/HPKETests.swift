import LatticeCore
import LatticeCrypto
import Testing

/// RFC 9180, appendix A.2.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305, base mode, sequence number 0.
struct HPKETests {
    private static let ephemeral = "f4ec9b33b792c372c1d2c2063507b684ef925b8c75a42dbcbf57d63ccd381600"
    private static let recipient = "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"
    private static let recipientPublic = "4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"
    private static let encapsulated = "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
    private static let info = "4f6465206f6e2061204772656369616e2055726e"
    private static let data = "436f756e742d30"
    private static let text = "4265617574792069732074727574682c20747275746820626561757479"
    private static let sealed =
        "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"

    private func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hex.bytes(hex))
    }

    private func key(_ hex: String) throws -> AgreementKey {
        AgreementKey(secret: SecretBytes(copying: try bytes(hex)))
    }

    @Test func sealsAsTheStandardSays() throws {
        let recipient = try #require(Bytes32(hex: Self.recipientPublic))
        let sealed = try HPKE.seal(
            try bytes(Self.text), to: recipient, info: try bytes(Self.info), authenticating: try bytes(Self.data),
            ephemeral: try key(Self.ephemeral))
        #expect(sealed.key.hex == Self.encapsulated)
        #expect(Hex.string(sealed.bytes) == Self.sealed)
    }

    @Test func opensAsTheStandardSays() throws {
        let recipient = try key(Self.recipient)
        #expect(recipient.publicKey.hex == Self.recipientPublic)
        let sealed = HPKE.Sealed(
            key: try #require(Bytes32(hex: Self.encapsulated)), bytes: try bytes(Self.sealed))
        let text = try HPKE.open(
            sealed, by: recipient, info: try bytes(Self.info), authenticating: try bytes(Self.data))
        #expect(Hex.string(text) == Self.text)
    }

    @Test func nothingElseOpens() throws {
        let recipient = AgreementKey.generate()
        let sealed = try HPKE.seal([1, 2, 3], to: recipient.publicKey, info: [4], authenticating: [5])
        #expect(try HPKE.open(sealed, by: recipient, info: [4], authenticating: [5]) == [1, 2, 3])
        let failed = CryptoError.decryptionFailed
        #expect(throws: failed) { try HPKE.open(sealed, by: .generate(), info: [4], authenticating: [5]) }
        #expect(throws: failed) { try HPKE.open(sealed, by: recipient, info: [], authenticating: [5]) }
        #expect(throws: failed) { try HPKE.open(sealed, by: recipient, info: [4], authenticating: []) }
        for bit in 0..<sealed.bytes.count * 8 {
            var changed = sealed.bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: failed) {
                try HPKE.open(
                    HPKE.Sealed(key: sealed.key, bytes: changed), by: recipient, info: [4], authenticating: [5])
            }
        }
        for count in 0..<sealed.bytes.count {
            let cut = HPKE.Sealed(key: sealed.key, bytes: Array(sealed.bytes.prefix(count)))
            #expect(throws: failed) { try HPKE.open(cut, by: recipient, info: [4], authenticating: [5]) }
        }
    }

    /// RFC 7748 section 6.1, RFC 9180 section 7.1.4.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    ])
    func aKeyOfLowOrderIsRefused(hex: String) throws {
        let point = try #require(Bytes32(hex: hex))
        #expect(throws: CryptoError.lowOrderKey) {
            try HPKE.seal([1], to: point, info: [], authenticating: [])
        }
        #expect(throws: CryptoError.lowOrderKey) {
            try HPKE.open(
                HPKE.Sealed(key: point, bytes: [UInt8](repeating: 0, count: 17)), by: .generate(), info: [],
                authenticating: [])
        }
    }
}

import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// The published answers of the standards.
struct KnownAnswerTests {
    private func bytes(_ hex: String) throws -> [UInt8] {
        try #require(Hex.bytes(hex))
    }

    private func secret(_ hex: String) throws -> SecretBytes {
        SecretBytes(copying: try bytes(hex))
    }

    /// RFC 8032 section 7.1, tests 1–3: seed, public key, message, signature.
    static let ed25519: [[String]] = [
        [
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b",
        ],
        [
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                + "387b2eaeb4302aeeb00d291612bb0c00",
        ],
        [
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                + "4a7c15e9716ed28dc027beceea1ec40a",
        ],
    ]

    @Test(arguments: ed25519)
    func ed25519SignsAsTheStandardSays(vector: [String]) throws {
        let identity = Identity(seed: try secret(vector[0]))
        let (message, signature) = (try bytes(vector[2]), try bytes(vector[3]))
        #expect(identity.peer.hex == vector[1])
        #expect(identity.sign(context: [], message) == signature)
        #expect(identity.sign(context: message, []) == signature)
        try SignatureVerifier.verify(signature, by: identity.peer, context: [], message)
    }

    /// RFC 7748 section 5.2: scalar, coordinate, product; the last is the first step of its iterated test.
    static let x25519: [[String]] = [
        [
            "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
            "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
            "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        ],
        [
            "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
            "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
            "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
        ],
        [
            "0900000000000000000000000000000000000000000000000000000000000000",
            "0900000000000000000000000000000000000000000000000000000000000000",
            "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
        ],
    ]

    @Test(arguments: x25519)
    func x25519AgreesAsTheStandardSays(vector: [String]) throws {
        let key = AgreementKey(secret: try secret(vector[0]))
        let shared = try key.agree(with: try #require(Bytes32(hex: vector[1])))
        let isRight = shared.matches(try bytes(vector[2]))
        #expect(isRight)
    }

    /// RFC 8439 appendix A.5.
    @Test func chaCha20Poly1305OpensTheStandardsMessage() throws {
        let sealed = try bytes(
            "64a0861575861af460f062c79be643bd5e805cfd345cf389f108670ac76c8cb24c6cfc18755d43eea09ee94e382d26b0"
                + "bdb7b73c321b0100d4f03b7f355894cf332f830e710b97ce98c8a84abd0b948114ad176e008d33bd60f982b1ff37c855"
                + "9797a06ef4f0ef61c186324e2b3506383606907b6a7c02b0f9f6157b53c867e4b9166c767b804d46a59b5216cde7a4e9"
                + "9040c5a40433225ee282a1b0a06c523eaf4534d7f83fa1155b0047718cbc546a0d072b04b3564eea1b422273f548271a"
                + "0bb2316053fa76991955ebd63159434ecebb4e466dae5a1073a6727627097a1049e617d91d361094fa68f0ff77987130"
                + "305beaba2eda04df997b714d6c6f2c29a6ad5cb4022b02709beead9d67890cbb22392336fea1851f38"
        )
        let key = "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0"
        let data = try bytes("f33388860000000000004e91")
        let opened = try AuthenticatedCipher.open(
            key: try secret(key), nonce: 0x0807_0605_0403_0201, authenticating: data, sealed[...]
        )
        #expect(String(decoding: opened, as: UTF8.self).hasPrefix("Internet-Drafts are draft documents valid for a"))
        var buffer = [1, 2] + opened
        AuthenticatedCipher.seal(
            key: try secret(key), nonce: 0x0807_0605_0403_0201, authenticating: data, in: &buffer, from: 2
        )
        #expect(buffer == [1, 2] + sealed)
    }

    /// RFC 5869 appendix A.3, whose `info` is empty as in Noise; 42 bytes are the first output and 10 of the second.
    @Test func hkdfDerivesAsTheStandardSays() throws {
        let input = [UInt8](repeating: 0x0B, count: 22)
        for outputs in [2, 3] {
            let keys = KeyDerivation.hkdfSHA256(
                chainingKey: SecretBytes(copying: []), SecretBytes(copying: input), outputs: outputs
            )
            let isRight = keys.part(0..<42).matches(
                try bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
            )
            #expect(isRight)
        }
    }

    @Test func blake2bAndSHA256HashAsTheStandardsSay() {
        let abc = Array("abc".utf8)
        #expect(Digest.blake2b256(abc).hex == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319")
        #expect(Digest.blake2b256([]).hex == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Hex.string(Digest.sha256(abc)) == hash)
        #expect(Hex.string(Digest.sha256([abc[0]], abc[1...])) == hash)
        #expect(Hex.string(Digest.sha256([abc[0]], secret: SecretBytes(copying: Array(abc[1...])))) == hash)
    }
}

import LatticeCore
import LatticeCrypto
import Testing

/// The key of a closed mesh against other implementations: argon2-cffi and PyNaCl for Argon2id, Python's hashlib for BLAKE2b.
struct MeshKeyTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let passphrase: String
        let mesh: String
        let master: String
        let preSharedKey: String
        let tags: [Int64: String]
        let storeTag: String

        var testDescription: String { mesh }
    }

    static let vectors = [
        Vector(
            passphrase: "correct horse battery staple", mesh: "camp",
            master: "818fd120b95270c0cd68b55423a62f94d6168163c3dde8e43759bf00ebb5ab0b",
            preSharedKey: "764e0fb7f6ed9ebb163a070f126ad86f56b9c445db22e953fd3dc99587695f86",
            tags: [0: "94e99b0b", 20_000: "322f09f3", 20_779: "051c10bb"], storeTag: "244052a3536a0642"),
        Vector(
            passphrase: "schl\u{FC}ssel", mesh: "Zeltlager",
            master: "d4f0a95137e7908889a261eb880184f12e46afd22d5e67cee685a7138b25c28e",
            preSharedKey: "32a0b077bdab59002a55af4b3cfefe10ea5f682d25a839e528fc467f7699354d",
            tags: [0: "4e9b9a1f", 20_000: "479d0fda", 20_779: "a5c9746c"], storeTag: "cf1ba73db04c09f9"),
    ]

    @Test(arguments: vectors)
    func everythingFollowsFromPassphraseAndName(vector: Vector) throws {
        let passphrase = SecretBytes(copying: Array(vector.passphrase.utf8))
        let key = try MeshKey(passphrase: passphrase, mesh: MeshName(vector.mesh))
        #expect(key.exported().hex == vector.master)
        let isKnown = key.preSharedKey().matches(try #require(Hex.bytes(vector.preSharedKey)))
        #expect(isKnown)
        for (day, tag) in vector.tags {
            #expect(key.announcedTag(day: day) == UInt32(tag, radix: 16))
        }
        #expect(key.storeTag == vector.storeTag)
    }

    @Test func aKeyThatCameWithALinkIsTheSame() throws {
        let vector = Self.vectors[0]
        let master = try #require(Bytes32(hex: vector.master))
        let key = MeshKey(master: SecretBytes(copying: master.bytes))
        #expect(key.exported() == master)
        #expect(key.storeTag == vector.storeTag)
    }

    @Test func everyDayHasAnotherTag() {
        let key = MeshKey(master: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        #expect(Set((-1...400).map { key.announcedTag(day: $0) }).count == 402)
    }
}

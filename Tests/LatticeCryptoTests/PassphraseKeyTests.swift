import LatticeCore
import Testing

@testable import LatticeCrypto

struct PassphraseKeyTests {
    private func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(copying: bytes) }

    /// draft-irtf-cfrg-xchacha-03, appendix A.3.1.
    @Test func xChaChaSealsAsItsDraftSays() throws {
        let text = Array(
            ("Ladies and Gentlemen of the class of '99: If I could offer you "
                + "only one tip for the future, sunscreen would be it.").utf8)
        let data = try #require(Hex.bytes("50515253c0c1c2c3c4c5c6c7"))
        let key = Array(UInt8(0x80)...0x9F)
        let nonce = Array(UInt8(0x40)...0x57)
        let sealed = Sodium.sealLong(key: secret(key), nonce: nonce, authenticating: data, secret(text))
        #expect(Hex.string(sealed.prefix(16)) == "bd6d179d3e83d43b9576579493c0e939")
        #expect(Hex.string(sealed.suffix(16)) == "c0875924c1c7987947deafd8780acf49")
        let isOpened = Sodium.openLong(key: secret(key), nonce: nonce, authenticating: data, sealed)?.matches(text)
        #expect(isOpened == true)
    }

    @Test func theKeyDependsOnPassphraseSaltAndCost() throws {
        let salt = Array("saltsaltsaltsalt".utf8)
        let cost = try #require(PassphraseKey.Cost(passes: 2, memoryKiB: 64))
        let key = try PassphraseKey.derive(secret(Array("password".utf8)), salt: salt, cost: cost)
        let octets = (0..<32).map { key[$0] }
        let isRepeated = try PassphraseKey.derive(secret(Array("password".utf8)), salt: salt, cost: cost).matches(
            octets)
        let isOther = try PassphraseKey.derive(secret(Array("passworD".utf8)), salt: salt, cost: cost).matches(octets)
        let isCheap = try PassphraseKey.derive(secret(Array("password".utf8)), salt: salt, cost: .least).matches(octets)
        #expect(isRepeated && !isOther && !isCheap)
    }

    @Test func noCostBeyondTheLimitCanBeMade() {
        for (passes, memory) in [(0, 8), (-1, 8), (1, 7), (65, 8), (1, 1 << 20 + 1), (5, 1 << 20), (Int.max, Int.max)] {
            #expect(PassphraseKey.Cost(passes: passes, memoryKiB: memory) == nil, "\(passes) \(memory)")
        }
        for (passes, memory) in [(1, 8), (64, 8), (4, 1 << 20), (64, 65_536)] {
            #expect(PassphraseKey.Cost(passes: passes, memoryKiB: memory) != nil, "\(passes) \(memory)")
        }
    }

    @Test func aGuardedSecretIsTheSame() {
        let octets = Array(UInt8(0)..<64)
        let guarded = secret(octets).guarded()
        let (isSame, memory, part) = (guarded.matches(octets), guarded.memory, guarded.part(0..<2).memory)
        #expect(isSame && part == .ordinary)
        #expect(memory == .locked || memory == .guarded)
    }

    @Test func theKeysThatLastAreGuarded() throws {
        #expect(MeshKey(master: .random(32)).memory != .ordinary)
        #expect(MessageKeys(.generate()).memory.allSatisfy { $0 != .ordinary })
        #expect(AgreementKey.generate(isGuarded: true).memory != .ordinary)
        // A handshake's own go after milliseconds.
        #expect(AgreementKey.generate().memory == .ordinary)
        let (guarded, plain) = (AgreementKey.generate(isGuarded: true), AgreementKey.generate())
        let shared = try guarded.agree(with: plain.publicKey)
        let isSame = try plain.agree(with: guarded.publicKey).matches(shared)
        #expect(isSame)
    }

    @Test func anIdentityFromAFileIsGuardedAndSigns() throws {
        let identity = try IdentityText.read(IdentityText.write(.generate()))
        #expect(identity.memory != .ordinary)
        #expect(identity.sign(context: [], [1]) == identity.sign(context: [], [1]))
    }
}

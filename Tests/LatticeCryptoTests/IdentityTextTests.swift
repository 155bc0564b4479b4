import LatticeCore
import LatticeCrypto
import Testing

struct IdentityTextTests {
    private let identity = Identity(
        seed: SecretBytes(
            copying: Hex.bytes("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60") ?? []
        )
    )

    /// The first three lines of RFC 8032's first key, and the check that Python's hashlib makes of them.
    private static let text = """
        lattice identity 1
        public d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
        secret 9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60
        check 0a27f4a83a5b09ff7a9a8b9f97e719f8e739e9ab2fb11e48e108baa894c6d1b4

        """

    private func error(_ text: some Sequence<UInt8>) -> IdentityTextError? {
        do throws(IdentityTextError) {
            _ = try IdentityText.read(Array(text))
            return nil
        } catch {
            return error
        }
    }

    /// A text with the right checksum over whatever its first three lines say.
    private func checked(_ lines: String) -> [UInt8] {
        Array((lines + "check \(Digest.blake2b256(Array(lines.utf8)).hex)\n").utf8)
    }

    @Test func theTextIsAsItWasAlways() {
        #expect(String(decoding: IdentityText.write(identity), as: UTF8.self) == Self.text)
        #expect(IdentityText.bytesCount == Self.text.utf8.count)
    }

    @Test func whatIsWrittenIsRead() throws {
        let other = Identity.generate()
        let read = try IdentityText.read(IdentityText.write(other))
        #expect(read.peer == other.peer)
        #expect(read.sign(context: [], [1]) == other.sign(context: [], [1]))
    }

    @Test func aTruncationAtAnyByteIsRefused() {
        let text = Array(Self.text.utf8)
        #expect(error([]) == .empty)
        for count in 1..<text.count {
            #expect(error(text.prefix(count)) == .truncated(bytes: count, bytesExpected: text.count))
        }
    }

    @Test func everyFlippedBitIsRefused() {
        let text = Array(Self.text.utf8)
        for bit in 0..<text.count * 8 {
            var changed = text
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(error(changed) != nil, "bit \(bit)")
        }
    }

    @Test func everyDamagedLineIsNamed() {
        let lines = Self.text.split(separator: "\n").map(String.init)
        for (index, label) in ["lattice identity", "public", "secret", "check"].enumerated() {
            var changed = lines
            changed[index] = "x" + changed[index].dropFirst()
            #expect(error(changed.map { $0 + "\n" }.joined().utf8) == .badLine(label))
        }
        for (index, label) in [(1, "public"), (2, "secret"), (3, "check")] {
            var changed = lines
            changed[index] = changed[index].dropLast() + "g"
            #expect(error(changed.map { $0 + "\n" }.joined().utf8) == .badLine(label))
        }
    }

    @Test(arguments: [" ", "\n", "lattice identity 1\n"])
    func whateverFollowsIsRefused(tail: String) {
        #expect(error((Self.text + tail).utf8) == .trailing)
    }

    @Test func upperCaseIsRefused() {
        let changed = Self.text.replacing("d75a98", with: "D75A98")
        #expect(error(changed.utf8) == .badLine("public"))
    }

    @Test func anotherVersionIsNamed() {
        #expect(error(Self.text.replacing("identity 1", with: "identity 2").utf8) == .otherVersion)
        #expect(error(Self.text.replacing("identity 1", with: "identity 0").utf8) == .badLine("lattice identity"))
    }

    @Test func aWrongCheckIsRefused() {
        let changed = Self.text.replacing("secret 9d", with: "secret 9e")
        #expect(error(changed.utf8) == .badChecksum)
    }

    @Test func thePublicKeyOfAnotherIsRefused() {
        let other = Identity.generate().peer.hex
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
        let text = checked("lattice identity 1\npublic \(other)\nsecret \(seed)\n")
        #expect(error(text) == .otherPublicKey)
    }

    @Test func wipingLeavesNothing() {
        var text: [UInt8] = [1, 2, 3]
        IdentityText.wipe(&text)
        #expect(text.isEmpty)
        IdentityText.wipe(&text)
        #expect(text.isEmpty)
    }
}

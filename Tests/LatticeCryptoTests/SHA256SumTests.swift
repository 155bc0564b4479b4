import LatticeCore
import LatticeCrypto
import Testing

/// SHA-256 of bytes that come in pieces.
@Suite struct SHA256SumTests {
    /// FIPS 180-4's examples: one block, two blocks, and nothing.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func knownTextsHaveTheirSums(text: String, sum: String) {
        var all = SHA256Sum()
        all.add(Array(text.utf8)[...])
        #expect(all.value.hex == sum)
        var pieces = SHA256Sum()
        for byte in text.utf8 { pieces.add([byte]) }
        #expect(pieces.value.hex == sum)
    }

    /// Asking for the sum does not end it.
    @Test func theSumGoesOn() {
        var sum = SHA256Sum()
        sum.add([1, 2])
        let first = sum.value
        sum.add([3])
        #expect(first == Digest.sha256([1, 2]))
        #expect(sum.value == Digest.sha256([1, 2, 3]))
    }
}

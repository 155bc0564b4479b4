import LatticeCore
import Testing

@testable import LatticeCrypto

/// What two people read to each other.
struct SafetyNumberTests {
    /// The vector of Signal's own tests (libsignal, `NumericFingerprintGeneratorTest`, version 1).
    @Test func aFingerprintIsTheOneThatSignalPublished() throws {
        let alice = "0506863bc66d02b40d27b8d49ca7c09e9239236f9d7d25d6fcca5ce13c7064d868"
        let bob = "05f781b6fb32fed9ba1cf2de978d4d5da28dc34046ae814402b5c0dbd96fda907b"
        let groups = try [(alice, "+14152222222"), (bob, "+14153333333")].flatMap { key, number in
            let key = try #require(Hex.bytes(key))
            return SafetyNumber.groups(of: SafetyNumber.fingerprint(of: key, identifier: Array(number.utf8)))
        }
        #expect(groups.joined() == "300354477692869396892869876765458257569162576843440918079131")
    }

    /// For the keys of RFC 8032 section 7.1, tests 1 and 2; computed by another program with another SHA-512.
    @Test func bothSidesSeeTheSameDigitsAndWords() throws {
        let one = try #require(
            PeerID(hex: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
        let other = try #require(
            PeerID(hex: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        let number = SafetyNumber(one, other)
        #expect(number == SafetyNumber(other, one))
        #expect(
            number.groups.joined(separator: " ")
                == "26259 36931 33337 83261 43905 58413 47855 53173 07995 83075 46371 12827")
        #expect(
            number.words.joined(separator: " ")
                == "divide what boring chat picnic disorder first distance muscle owner hire angle")
    }

    @Test func anotherKeyChangesItsHalfAlone() throws {
        let keys = try ["01", "7f", "fe"].map { try #require(PeerID(hex: String(repeating: $0, count: 32))) }
        let (one, other) = (SafetyNumber(keys[0], keys[1]), SafetyNumber(keys[0], keys[2]))
        #expect(one.groups.prefix(6) == other.groups.prefix(6))
        #expect(one.words.prefix(6) == other.words.prefix(6))
        #expect(zip(one.groups.suffix(6), other.groups.suffix(6)).allSatisfy { $0 != $1 })
    }

    @Test func eachOfTheWordsIsToldApartByFourLetters() {
        #expect(SafetyWords.all.count == 2_048)
        #expect(Set(SafetyWords.all.map { $0.prefix(4) }).count == 2_048)
        #expect(SafetyWords.all == SafetyWords.all.sorted())
    }
}

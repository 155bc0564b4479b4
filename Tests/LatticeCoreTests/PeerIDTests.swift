import LatticeCore
import Testing

struct PeerIDTests {
    private func peer(_ bytes: [UInt8]) throws -> PeerID {
        PeerID(try #require(Bytes32(bytes)))
    }

    @Test func theShortFormIsFourLettersOfTheFirstTwentyBits() throws {
        #expect(try peer(Array(0..<32)).short == "yyyo")
        #expect(try peer([UInt8](repeating: 255, count: 32)).short == "9999")
        let rfc = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        #expect(PeerID(hex: rfc)?.short == "47pj")
    }

    @Test func theTwentyFirstBitDoesNotChangeTheShortForm() throws {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[2] = 0x0F
        #expect(try peer(bytes).short == "yyyy")
        bytes[2] = 0x10
        #expect(try peer(bytes).short == "yyyb")
    }

    @Test func thePrefixIsTheFirstSixteenDigits() throws {
        let peer = try peer(Array(0..<32))
        #expect(peer.prefix.description == "0001020304050607")
        #expect(PeerPrefix(hex: String(peer.hex.prefix(16))) == peer.prefix)
        #expect(PeerPrefix(0).description == "0000000000000000")
    }

    @Test(arguments: ["", "00", "00010203040506", "000102030405060708", "000102030405060g"])
    func aPrefixOfAnotherLengthIsRefused(text: String) {
        #expect(PeerPrefix(hex: text) == nil)
    }

    @Test func hexGoesBothWays() throws {
        let peer = try peer(Array(1...32))
        #expect(PeerID(hex: peer.hex) == peer)
        #expect(peer.description == peer.hex)
        #expect(PeerID(hex: String(peer.hex.dropLast(2))) == nil)
    }

    @Test func peersPrefixesAndRecordsAreOrderedByTheirBytes() throws {
        var high = [UInt8](repeating: 0, count: 32)
        high[0] = 128
        let (small, great) = (try peer([UInt8](repeating: 1, count: 32)), try peer(high))
        #expect(small < great && !(great < small) && !(small < small))
        #expect(small.prefix < great.prefix)
        #expect(RecordID(small.key) < RecordID(great.key))
        #expect(RecordID(small.key).description == small.hex)
    }
}

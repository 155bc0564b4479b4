import Foundation
import LatticeCore
import LatticeWire
import Testing

struct VectorTests {
    @Test func aRecordIsTheBytesItAlwaysWas() throws {
        let bytes = try Samples.bytes(Samples.recordHex)
        #expect(try Samples.signed().bytes == bytes)
        #expect(try SignedRecord(decoding: bytes[...]) == Samples.signed())
        #expect(try Samples.signed().signedBytes == Array("lattice record v1".utf8) + bytes.dropLast(64))
    }

    @Test func everyFrameIsTheBytesItAlwaysWas() throws {
        for (frame, hex) in try Samples.frames() {
            #expect(Hex.string(frame.bytes) == hex)
            #expect(try Frame.decode(message: Samples.bytes(hex)[...]) == [frame])
        }
    }

    @Test func framesStandBehindOneAnother() throws {
        let samples = try Samples.frames()
        let message = try Samples.bytes(samples.map(\.hex).joined())
        #expect(try Frame.decode(message: message[...]) == samples.map(\.frame))
    }

    @Test func everyTypeOfFrameHasASample() throws {
        #expect(try Set(Samples.frames().map { $0.frame.bytes[0] }) == Set(1...21))
    }

    @Test func anIntroductionIsTheBytesItAlwaysWas() throws {
        let bytes = try Samples.bytes(Samples.introductionHex)
        #expect(try Samples.introduction().bytes == bytes)
        #expect(try Introduction(decoding: bytes[...]) == Samples.introduction())
    }

    @Test func bodiesAreTheBytesTheyAlwaysWere() throws {
        let line = ChatLine(style: .acts, name: try PeerName("bob"), text: "waves")
        #expect(Hex.string(line.body) == "01" + "03626f62" + "057761766573")
        let presence = Presence(isHere: true, name: try PeerName("bob"), rooms: [try RoomName("#a")])
        #expect(Hex.string(presence.body) == "01" + "03626f62" + "01" + "022361")
        #expect([RecordKind.chat, .presence].map(\.rawValue) == [1, 2])
    }

    /// The page and the code cannot drift apart.
    @Test func thePageOfTheProtocolShowsTheseVectors() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8).filter { !$0.isWhitespace }
        for (_, hex) in try Samples.frames() { #expect(text.contains(hex)) }
        #expect(text.contains(Samples.recordHex))
        #expect(text.contains(Samples.introductionHex))
        for sample in try WallSamples.all() { #expect(text.contains(sample.hex)) }
        for hex in [WallSamples.postRecordHex, WallSamples.deletionRecordHex, WallSamples.postRecordID] {
            #expect(text.contains(hex))
        }
        var bundle = BundleWriter()
        bundle.append([1, 2])
        bundle.append([3])
        #expect(text.contains(Hex.string(bundle.take())))
    }
}

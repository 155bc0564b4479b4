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
        #expect(
            try Set(Samples.frames().map { $0.frame.bytes[0] })
                == Set(Frame.TypeNumber.allCases.map { UInt8($0.rawValue) }))
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

    /// What each kind is called on the page, and its body there. What is sealed or signed in them is judged where the keys are.
    private static func bodies() throws -> [(kind: UInt64, name: String, hex: String)] {
        let line = ChatLine(style: .says, name: try PeerName("bob"), text: "hi")
        let presence = Presence(isHere: true, name: try PeerName("bob"), rooms: [try RoomName("#a")])
        let holds = Statement(holds: true).body
        let bodies: [(String, [UInt8])] = [
            ("chat", line.body), ("presence", presence.body), ("profile", try PostSamples.profile().body),
            ("post", try PostSamples.post().body), ("comment", try PostSamples.comment().body), ("like", holds),
            ("follow", holds), ("event", try PostSamples.picnic().body), ("attendance", holds),
            ("edit", try PostSamples.post().body), ("deletion", []),
        ]
        return bodies.enumerated().map { (UInt64($0.offset + 1), $0.element.0, Hex.string($0.element.1)) }
    }

    @Test func thePageShowsABodyOfEachKind() throws {
        let text = try Self.page()
        for (kind, name, hex) in try Self.bodies() { #expect(text.contains("\(kind)\(name)\(hex)")) }
        #expect(text.contains("19card\(MeshCardTests.hex)"))
        #expect(text.contains("20crossing\(CrossingTests.hex)"))
        for kind in [
            "12sealed38ab664b", "13prekeys0000000000000007", "14residence8a382004", "15reaction01", "16manifest0101",
            "17place03626f62074b69746368656e", "18pin03626f6202",
        ] {
            #expect(text.contains(kind))
        }
        // Whatever kind the table tells of later has its body, too.
        let lines = try Self.rawPage().split(separator: "\n")
        let head = try #require(lines.firstIndex { $0.hasPrefix("| kind | name | topic | body |") })
        let rows = lines[(head + 2)...].prefix { $0.hasPrefix("|") }
        #expect(rows.count >= 14)
        let vectors = try #require(text.range(of: "##Bytevectors")).upperBound
        for row in rows {
            let name = row.split(separator: "|").prefix(2).joined().filter { !$0.isWhitespace }
            #expect(text[vectors...].contains(name))
        }
    }

    private static func page() throws -> String { try rawPage().filter { !$0.isWhitespace } }

    private static func rawPage() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    /// The page and the code cannot drift apart.
    @Test func thePageOfTheProtocolShowsTheseVectors() throws {
        let text = try Self.page()
        for (_, hex) in try Samples.frames() { #expect(text.contains(hex)) }
        #expect(text.contains(Samples.recordHex))
        #expect(text.contains(Samples.introductionHex))
        for sample in try PostSamples.all() { #expect(text.contains(sample.hex)) }
        for hex in [PostSamples.postRecordHex, PostSamples.deletionRecordHex, PostSamples.postRecordID] {
            #expect(text.contains(hex))
        }
        var bundle = BundleWriter()
        bundle.append([1, 2])
        bundle.append([3])
        #expect(text.contains(Hex.string(bundle.take())))
    }
}

import Foundation
import LatticeCore
import LatticeWire
import Testing

struct BodyPhotoTests {
    private static let ones = Bytes32(words: (one, one, one, one))
    private static let one: UInt64 = 0x0101_0101_0101_0101
    private static let root = String(repeating: "01", count: 32)
    private static let thumbnail = "0103ffd8ff"
    private static let value = root + "fbf702" + "b004" + "a403"
    private static let alt = "070f" + "412062726f6b656e20627269646765"

    private static func photo() throws -> BodyPhoto {
        let blob = try #require(BlobName(root: Self.ones, size: 48_123))
        return BodyPhoto(blob, width: 560, height: 420, thumbnail: [0xFF, 0xD8, 0xFF], alt: "A broken bridge")
    }

    /// Bodies that may have a photo, and how it is read.
    private static func bodies() throws -> [(hex: String, read: ([UInt8]) throws(WireError) -> BodyPhoto?)] {
        let samples = try PostSamples.all().filter { [.profile, .post, .event].contains($0.kind) }
        return samples.map { sample in
            let kind = sample.kind
            return (
                sample.hex,
                { (body) throws(WireError) in
                    let written = try sample.reread(body)
                    #expect(written == body, "a body has one form")
                    switch kind {
                    case .profile: return try ProfileBody(decoding: body).photo
                    case .post: return try PostBody(decoding: body).photo
                    default: return try EventBody(decoding: body).photo
                    }
                }
            )
        }
    }

    @Test func aPhotoIsFieldsOneTwoAndSeven() throws {
        let (photo, tail) = (try Self.photo(), Self.thumbnail + "0227" + Self.value + Self.alt)
        let bodies = try Self.bodies()
        #expect(bodies.count == 3)
        for (hex, read) in bodies { #expect(try read(Samples.bytes(hex + tail)) == photo) }
        let (profile, post, event) = (try PostSamples.profile(), try PostSamples.post(), try PostSamples.picnic())
        let written = [
            ProfileBody(name: profile.name, about: profile.about, colour: profile.colour, photo: photo).body,
            PostBody(
                name: post.name, place: post.place, text: post.text, placeName: post.placeName, photo: photo
            ).body,
            EventBody(
                author: event.author, name: event.name, place: event.place, starts: event.starts, ends: event.ends,
                address: event.address, text: event.text, photo: photo
            ).body,
        ]
        #expect(written.map { Hex.string($0) } == bodies.map { $0.hex + tail })
        #expect(Hex.string(photo.bytes) == Self.value)
    }

    @Test func anUrgentPostMayHaveAPhoto() throws {
        let post = try PostSamples.post()
        let urgent = PostBody(
            name: post.name, place: post.place, text: post.text, placeName: post.placeName, isUrgent: true,
            photo: try Self.photo())
        let expected = PostSamples.postHex + Self.thumbnail + "0227" + Self.value + "0300" + Self.alt
        #expect(Hex.string(urgent.body) == expected)
        let read = try PostBody(decoding: urgent.body)
        #expect(read == urgent && read.isUrgent)
    }

    @Test func thumbnailAndWordsMayBeMissing() throws {
        let plain = BodyPhoto(try Self.photo().blob, width: 560, height: 420)
        for (hex, read) in try Self.bodies() {
            #expect(try read(Samples.bytes(hex + "0227" + Self.value)) == plain)
            #expect(try read(Samples.bytes(hex)) == nil)
        }
    }

    @Test(arguments: ["0103ffd8ff", "0100", "070141", "0700", "0701ff", "0103ffd8ff070141"])
    func withoutAPhotoThumbnailAndWordsMeanNothing(tail: String) throws {
        for (hex, read) in try Self.bodies() { #expect(try read(Samples.bytes(hex + tail)) == nil) }
    }

    @Test(arguments: [
        ("root too short", "0220" + root), ("no height", "0225" + root + "fbf702" + "b004"),
        ("a byte more", "0228" + value + "00"), ("empty", "0200"),
        ("no width", "0226" + root + "fbf702" + "00" + "a403"),
        ("no height", "0226" + root + "fbf702" + "b004" + "00"),
        ("too wide", "0228" + root + "fbf702" + "818001" + "a403"),
        ("too high", "0228" + root + "fbf702" + "b004" + "818001"),
        ("too large", "022a" + root + "818080808001" + "b004" + "a403"),
        ("width not in its shortest form", "0228" + root + "fbf702" + "b08400" + "a403"),
        ("empty thumbnail", "0100" + "0227" + value), ("no words", "0227" + value + "0700"),
        ("words that are no UTF-8", "0227" + value + "0701ff"),
    ])
    func aPhotoOfAnotherFormIsAFault(what: String, tail: String) throws {
        for (hex, read) in try Self.bodies() {
            let body = try Samples.bytes(hex + tail)
            #expect(wireError { () throws(WireError) in try read(body) } != nil, "\(what)")
        }
    }

    @Test(arguments: [(8_192, 1_000, 16_384, false), (8_193, 1, 1, true), (1, 1_001, 1, true), (1, 1, 16_385, true)])
    func limitsAreInclusive(thumbnail: Int, alt: Int, side: UInt64, isFault: Bool) throws {
        let photo = Samples.written {
            $0.fixed(Self.ones)
            $0.varint(1 << 35)
            $0.varint(side)
            $0.varint(side)
        }
        let tail = Samples.written {
            BodyFields([
                (1, [UInt8](repeating: 7, count: thumbnail)), (2, photo), (7, [UInt8](repeating: 65, count: alt)),
            ]).append(to: &$0)
        }
        for (hex, read) in try Self.bodies() {
            let body = try Samples.bytes(hex) + tail
            let error = wireError { () throws(WireError) in
                let read = try read(body)
                #expect(read?.thumbnail?.count == thumbnail && read?.alt?.utf8.count == alt)
                return read
            }
            #expect((error != nil) == isFault)
        }
    }

    @Test func thePageOfTheProtocolShowsPhotos() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let names = ["profile", "post", "event"]
        for (name, body) in zip(names, try Self.bodies()) {
            for word in ["photo", "without", "faulty"] {
                let shown = lines.filter { $0.hasPrefix("\(word) \(name) ") }
                try #require(shown.count == 1, "\(word) \(name)")
                let hex = shown[0].dropFirst(word.count + name.count + 2).filter { $0 != " " }
                #expect(hex.hasPrefix(body.hex))
                let bytes = try Samples.bytes(String(hex))
                switch word {
                case "photo": #expect(try body.read(bytes) == Self.photo())
                case "without": #expect(try body.read(bytes) == nil)
                default: #expect(wireError { () throws(WireError) in try body.read(bytes) } != nil)
                }
            }
        }
    }
}

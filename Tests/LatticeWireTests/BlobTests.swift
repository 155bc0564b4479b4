import LatticeCore
import LatticeGeo
import Testing

@testable import LatticeWire

/// Names of blobs, sets of pieces, and manifests.
@Suite struct BlobTests {
    private static let root = Bytes32(words: (1, 2, 3, 4))

    @Test func aBlobIsNamedByItsRootAndItsSize() throws {
        let name = try #require(BlobName(root: Self.root, size: 32_769))
        var writer = ByteWriter()
        writer.blobName(name)
        #expect(writer.bytes == Self.root.bytes + [0x81, 0x80, 0x02])
        var reader = ByteReader(writer.bytes)
        #expect(try reader.blobName("blob") == name && reader.remaining == 0)
        #expect(BlobName(root: Self.root, size: -1) == nil)
        #expect(BlobName(root: Self.root, size: BlobName.sizeMax + 1) == nil)
        var tooLarge = ByteReader(Self.root.bytes + [0x81, 0x80, 0x80, 0x80, 0x80, 0x01])
        #expect(throws: WireError.outOfRange(field: "blob")) { _ = try tooLarge.blobName("blob") }
    }

    /// Against the parents of all pieces, at heights 0, 1 and 2.
    @Test(arguments: [0, 32_768, 32_769, 33_554_432, 33_554_433, 80_000_000] as [Int64])
    func siblingsEndWhereTheNextNodeBegins(size: Int64) {
        let shape = BlobShape(size: size)
        let parents = (0..<shape.pieceCount).map { shape.parent(of: $0)?.number }
        for number in 0..<shape.pieceCount {
            let last = parents.lastIndex(of: parents[number]) ?? number
            // The children of the top are apart: all pieces are below it.
            let end = parents[number] == 0 || parents[number] == nil ? shape.pieceCount : last + 1
            #expect(shape.end(ofSiblings: number) == end, "piece \(number)")
        }
    }

    // MARK: - Sets of pieces

    @Test func aSetOfPiecesIsAsASetOfNumbers() {
        var generator = SeededGenerator(seed: 32)
        for count in [1, 63, 64, 65, 1_000] {
            var (set, model) = (PieceSet(of: count), Set<Int>())
            for _ in 0..<200 {
                let number = Int.random(in: 0..<count, using: &generator)
                let range = number..<Int.random(in: number...count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    let isNew = set.insert(number)
                    #expect(isNew == model.insert(number).inserted)
                case 1:
                    let wasThere = set.remove(number)
                    #expect(wasThere == (model.remove(number) != nil))
                case 2:
                    set.insert(range)
                    model.formUnion(range)
                default:
                    set.remove(range)
                    model.subtract(range)
                }
                #expect(set.count == model.count && set.isComplete == (model.count == count))
                #expect(set.ranges.flatMap { Array($0) } == model.sorted())
                #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                #expect(set.firstMissing() == (0..<count).first { !model.contains($0) })
                #expect(PieceSet(of: count, set.bytes) == set)
            }
        }
    }

    @Test func bytesOfAnotherSetAreRefused() {
        var set = PieceSet(of: 9)
        set.insert(8)
        #expect(set.bytes == [0, 1])
        for bytes: [UInt8] in [[0], [0, 1, 0], [0, 2], []] { #expect(PieceSet(of: 9, bytes) == nil) }
        #expect(PieceSet(of: 64, [UInt8](repeating: 0xFF, count: 8))?.isComplete == true)
    }

    // MARK: - Names and types of files

    @Test(arguments: [
        "map.pdf", "a", ".profile", "Straße 3 – Plan.pdf", "...x", String(repeating: "a", count: 255),
        "\u{1F469}\u{200D}\u{1F692}.jpg",
    ]) func aFileMayHaveThisName(_ name: String) { #expect(FileName(name)?.text == name) }

    @Test(arguments: [
        "", ".", "..", "a/b", "/etc/passwd", "..\\x", "x.", " x", "x ", "a\u{0}b", "a\nb", "\u{202E}gpj.exe",
        "a\u{200B}b",
        String(repeating: "a", count: 256),
    ]) func noFileHasThisName(_ name: String) { #expect(FileName(name) == nil) }

    @Test func aMediaTypeHasTwoPartsAndNoParameters() {
        for text in ["image/jpeg", "application/vnd.lattice.folder", "image/svg+xml", "a/b"] {
            #expect(MediaType(text)?.text == text)
        }
        for text in ["", "image", "image/", "/jpeg", "image/JPEG", "text/html; charset=utf-8", "a/b/c", "a /b"] {
            #expect(MediaType(text) == nil)
        }
        #expect(MediaType("a/" + String(repeating: "b", count: 126)) == nil)
    }

    // MARK: - Manifests

    private func manifest(preview: [UInt8]? = nil) throws -> ManifestBody {
        ManifestBody(
            try #require(BlobName(root: Self.root, size: 5)), name: try #require(FileName("map.pdf")),
            type: try #require(MediaType("a/b")), preview: preview)
    }

    @Test func aManifestSaysWhichBlobAFileIs() throws {
        let form = Self.root.bytes + [5] + Array("\u{7}map.pdf\u{3}a/b".utf8)
        let plain = try manifest()
        #expect(plain.body == form)
        #expect(try ManifestBody(decoding: form) == plain)
        let shown = try manifest(preview: [0xFF, 0xD8])
        #expect(shown.body == form + [1, 2, 0xFF, 0xD8])
        #expect(try ManifestBody(decoding: shown.body).preview == [0xFF, 0xD8])
        let bounds = try #require(MapBounds(westE7: -1, southE7: 2, eastE7: 256, northE7: 3))
        let map = ManifestBody(plain.blob, name: plain.name, type: plain.type, bounds: bounds)
        let sides: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 3]
        #expect(map.body == form + [2, 16] + sides)
        #expect(try ManifestBody(decoding: map.body) == map)
        // Fields of later versions stay.
        #expect(try ManifestBody(decoding: form + [9, 1, 7]).body == form + [9, 1, 7])
    }

    @Test func malformedManifestsAreRefused() throws {
        let (root, rest) = (Self.root.bytes, Array("\u{3}a/b".utf8))
        #expect(throws: WireError.outOfRange(field: "file name")) {
            try ManifestBody(decoding: root + [5] + Array("\u{3}a/b".utf8) + rest)
        }
        #expect(throws: WireError.outOfRange(field: "media type")) {
            try ManifestBody(decoding: root + [5] + Array("\u{1}a\u{1}b".utf8))
        }
        #expect(throws: WireError.outOfRange(field: "preview")) {
            try ManifestBody(decoding: root + [5, 1, 0x61] + rest + [1, 0])
        }
        #expect(throws: WireError.outOfRange(field: "preview")) {
            let preview = [UInt8](repeating: 0, count: 8_193)
            return try ManifestBody(decoding: root + [5, 1, 0x61] + rest + [1, 0x81, 0x40] + preview)
        }
        let form = root + [5, 1, 0x61] + rest
        // West is east of east.
        #expect(throws: WireError.outOfRange(field: "bounds")) {
            try ManifestBody(decoding: form + [2, 16, 0, 0, 0, 9] + [UInt8](repeating: 0, count: 12))
        }
        #expect(throws: WireError.self) {
            try ManifestBody(decoding: form + [2, 15] + [UInt8](repeating: 0, count: 15))
        }
        #expect(throws: WireError.self) {
            try ManifestBody(decoding: form + [2, 17] + [UInt8](repeating: 0, count: 17))
        }
        #expect(throws: WireError.truncated(field: "blob")) { try ManifestBody(decoding: Array(root.dropLast())) }
    }
}

import Foundation
import LatticeCore
import Testing

@testable import LatticeWire

/// Sizes and the form of encrypted files.
@Suite struct SealedFileTests {
    /// The file on the page: two bytes called a.bin.
    private static let hex =
        "eae390670f51f024ac04355e67913b83bc68de2e660a60f2e4f187b60a5178c512000102030405060708090a0b0c0d0e0f101112"
        + "131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f0205612e62696e186170706c69636174696f6e2f6f6374"
        + "65742d73747265616d00"

    private func file(preview: [UInt8]? = nil) throws -> SealedFile {
        let root = try #require(Bytes32(hex: Self.hex.prefix(64)))
        return SealedFile(
            try #require(BlobName(root: root, size: 18)), key: try #require(Bytes32(Array(0..<32))),
            prefix: Array(32..<48), plainBytes: 2, name: try #require(FileName("a.bin")), type: .unknown,
            preview: preview)
    }

    private func error(_ value: [UInt8]) -> WireError? {
        wireError { () throws(WireError) in try SealedFile(decoding: value[...]) }
    }

    private func wireError(_ body: () throws(WireError) -> SealedFile) -> WireError? {
        do throws(WireError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Sizes

    /// Made by another program.
    @Test(
        arguments: [
            (0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (7, 7), (8, 8), (9, 10), (15, 16), (16, 16), (17, 18),
            (31, 32),
            (32, 32), (33, 36), (100, 104), (255, 256), (256, 256), (257, 272), (1_000, 1_024), (1_025, 1_088),
            (32_751, 32_768), (32_752, 32_768), (32_753, 32_768), (65_535, 65_536), (65_536, 65_536), (65_537, 67_584),
            (1_048_583, 1_081_344), (34_091_302_911, 34_091_302_912), (34_091_302_912, 34_091_302_912),
        ] as [(Int64, Int64)]) func aSizeIsRoundedUpAsPadmeDoes(size: Int64, padded: Int64) throws
    {
        let shape = try #require(SealedShape(plainBytes: size))
        #expect(shape.paddedBytes == padded)
        #expect(SealedShape.paddedBytes(padded) == padded)
        let name = try #require(BlobName(root: .zero, size: shape.blobBytes))
        #expect(shape.leafCount == BlobShape(name).leafCount)
        #expect(shape.paddedRange(ofLeaf: shape.leafCount - 1).upperBound == padded)
    }

    @Test func aFileThatNoBlobHoldsHasNoShape() {
        #expect(SealedShape(plainBytes: -1) == nil)
        #expect(SealedShape(plainBytes: SealedShape.plainBytesMax + 1) == nil)
        let next = SealedShape.paddedBytes(SealedShape.plainBytesMax + 1)
        #expect(next + next / Int64(SealedShape.partBytes) * 16 > BlobName.sizeMax)
    }

    @Test func aRangeIsInTheseLeaves() throws {
        let shape = try #require(SealedShape(plainBytes: 100_000))
        #expect(shape.paddedBytes == 100_352 && shape.leafCount == 4)
        #expect(shape.leaves(holding: 0..<1) == 0..<1)
        #expect(shape.leaves(holding: 32_751..<32_753) == 0..<2)
        #expect(shape.leaves(holding: 65_504..<98_256) == 2..<3)
        #expect(shape.leaves(holding: 99_999..<1_000_000) == 3..<4)
        #expect(shape.leaves(holding: 100_000..<100_352).isEmpty && shape.leaves(holding: 5..<5).isEmpty)
        #expect(shape.plainRange(ofLeaf: 3) == 98_256..<100_000)
        // A leaf of padding only.
        let padded = try #require(SealedShape(plainBytes: 1_048_583))
        #expect(padded.leafCount == 34 && padded.plainRange(ofLeaf: 33).isEmpty)
    }

    // MARK: - The form

    @Test func aFileIsTheBytesItAlwaysWas() throws {
        let bytes = try Samples.bytes(Self.hex)
        #expect(try file().bytes == bytes)
        #expect(try SealedFile(decoding: bytes[...]) == file())
        let shown = try file(preview: [0xFF, 0xD8])
        #expect(shown.bytes == bytes.dropLast() + [2, 0xFF, 0xD8])
        #expect(try SealedFile(decoding: shown.bytes[...]) == shown)
    }

    @Test(arguments: [0, 1, 3, 6, 1_000, 1 << 40] as [UInt64]) func sizesThatDoNotAgreeAreRefused(plain: UInt64) throws
    {
        var writer = ByteWriter()
        writer.fixed(try Samples.bytes(Self.hex).prefix(32 + 1 + 32 + 16))
        writer.varint(plain)
        writer.fixed(try Samples.bytes(Self.hex).dropFirst(32 + 1 + 32 + 16 + 1))
        #expect(error(writer.bytes) == .outOfRange(field: "file size"))
    }

    @Test func malformedFilesAreRefused() throws {
        let bytes = try Samples.bytes(Self.hex)
        let (front, back) = (Array(bytes.prefix(82)), Array("\u{5}a.bin\u{3}a/b".utf8) + [0])
        #expect(error(front + back) == nil)
        #expect(error(front + Array("\u{2}..\u{3}a/b".utf8) + [0]) == .outOfRange(field: "file name"))
        #expect(error(front + Array("\u{5}a.bin\u{3}A/b".utf8) + [0]) == .outOfRange(field: "media type"))
        #expect(error(front + back + [0]) == .trailing(field: "file", bytes: 1))
        #expect(error(Array(bytes.prefix(40))) == .truncated(field: "file key"))
        #expect(error(Array(bytes.prefix(70))) == .truncated(field: "file prefix"))
        #expect(error(Array(bytes.dropLast())) == .truncated(field: "file preview"))
        let tooLong = back.dropLast() + [0x81, 0x40] + [UInt8](repeating: 0, count: 8_193)
        #expect(
            error(front + tooLong) == .tooLong(field: "file preview", bytes: 8_193, bytesMax: 8_192))
    }

    // MARK: - In a line

    @Test func aSealedLineCarriesAFileAsFieldNine() throws {
        let name = try PeerName("bob")
        let line = ChatLine(style: .says, name: name, text: "hi", sealedFile: try file())
        #expect(Hex.string(line.body) == "0003626f620268690972" + Self.hex)
        for text: SealedText in [
            .line(line), .again(RecordID(.zero), line), .act(SealedAct(RecordID(.zero), .edit(line))),
        ] { #expect(try SealedText(decoding: text.bytes) == text) }
        #expect(try line.sealedFile() == file())
        #expect(try ChatLine(style: .says, name: name, text: "hi").sealedFile() == nil)
    }

    @Test func aSealedLineWithAMalformedFileIsRefusedAndAnOpenOneIsNot() throws {
        let body = try Samples.bytes("0003626f62026869" + "090101")
        let line = try ChatLine(decoding: body)
        for text: SealedText in [
            .line(line), .again(RecordID(.zero), line), .act(SealedAct(RecordID(.zero), .edit(line))),
        ] {
            #expect(throws: WireError.truncated(field: "file blob")) { try SealedText(decoding: text.bytes) }
        }
    }

    @Test func theLongestLineHasSpaceForTheLargestFile() throws {
        let name = try PeerName(String(repeating: "b", count: PeerName.bytesMax))
        let preview = [UInt8](repeating: 7, count: SealedFile.previewBytesMax)
        let small = try file()
        let large = SealedFile(
            small.blob, key: small.key, prefix: small.prefix, plainBytes: 2,
            name: try #require(FileName(String(repeating: "a", count: 255))),
            type: try #require(MediaType("a/" + String(repeating: "b", count: 125))), preview: preview)
        let line = ChatLine(
            style: .says, name: name, text: String(repeating: "x", count: ChatLine.textBytesMax),
            replyTo: RecordID(.zero), isNotice: true, isUrgent: true, sealedFile: large)
        let text = SealedText.again(RecordID(.zero), line)
        #expect(text.bytes.count == 16_384)
        #expect(try SealedText(decoding: text.bytes) == text)
    }

    @Test func thePageOfTheProtocolShowsTheFile() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8).filter { !$0.isWhitespace }
        #expect(text.contains("0003626f620268690972" + Self.hex))
    }
}

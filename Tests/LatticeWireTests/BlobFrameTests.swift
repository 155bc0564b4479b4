import LatticeCore
import Testing

@testable import LatticeWire

/// Frames about blobs: which are refused, and how long the longest are.
@Suite struct BlobFrameTests {
    private static func blob(_ size: Int64 = 100_000) throws -> BlobName {
        try #require(BlobName(root: Bytes32(words: (1, 2, 3, 4)), size: size))
    }

    private static func decode(_ type: Frame.TypeNumber, _ body: [UInt8]) throws(WireError) -> [Frame] {
        var writer = ByteWriter()
        writer.varint(type.rawValue)
        writer.bytes(body)
        return try Frame.decode(message: writer.bytes[...])
    }

    private static func open(_ name: BlobName, hops: UInt8, ranges: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.varint(1)
        writer.byte(0)
        writer.blobName(name)
        writer.byte(hops)
        writer.fixed(ranges)
        return writer.bytes
    }

    @Test func rangesAreAscendingAndApart() {
        #expect(PieceRanges([0..<1, 2..<5])?.pieceCount == 4)
        for ranges in [[0..<1, 1..<2], [3..<4, 0..<1], [2..<2], [0..<PieceRanges.endMax + 1]] {
            #expect(PieceRanges(ranges) == nil, "\(ranges)")
        }
        #expect(PieceRanges((0...512).map { 2 * $0..<2 * $0 + 1 }) == nil)
    }

    @Test func aQuestionNamesAsManyPiecesAsFit() {
        #expect(PieceRanges(asking: [0, 1, 2, 7, 9, 10]).ranges == [0..<3, 7..<8, 9..<11])
        #expect(PieceRanges(asking: 0..<1_000).ranges == [0..<256])
        #expect(PieceRanges(asking: (0..<100).map { 2 * $0 }).ranges.count == 64)
    }

    @Test func manyRangesAreToldInSeveralFrames() {
        var set = PieceSet(of: 100_000)
        #expect(PieceRanges.frames(of: set) == [.none])
        for start in 0..<1_300 { set.insert(6 * start..<6 * start + start % 2 + 1) }
        let told = PieceRanges.frames(of: set)
        #expect(told.map(\.ranges.count) == [512, 512, 276])
        #expect(told.flatMap(\.ranges) == set.ranges)
        #expect(told.allSatisfy { PieceRanges($0.ranges) != nil })
        for start in 1_300..<30_000 { set.insert(3 * start) }
        #expect(PieceRanges.frames(of: set).count == 32)
    }

    @Test func whatIsOutsideTheBlobIsRefused() throws {
        // 100,000 bytes are four leaves and a node.
        #expect(try Self.decode(.want, Self.open(Self.blob(), hops: 0, ranges: [1, 0, 5])).count == 1)
        let bodies = [
            try Self.open(Self.blob(), hops: 0, ranges: [1, 0, 6]), try Self.open(Self.blob(), hops: 3, ranges: [0]),
            try Self.open(Self.blob(), hops: 1, ranges: [1, 0, 1]),
            try Self.open(Self.blob(), hops: 0, ranges: [1, 0, 0]),
            try Self.open(Self.blob(), hops: 0, ranges: [2, 0, 1, 0, 1]),
            [1, 1, 0], [0, 2, 0], [1, 4, 0], [1, 3, 0x80, 0x80, 0x80, 0x01],
            [1, 1, 1, 0, 0x81, 0x02],
        ]
        for body in bodies { #expect(throws: WireError.self, "\(body)") { _ = try Self.decode(.want, body) } }
        for body: [UInt8] in [[0, 1, 3, 1, 0], [0, 1, 0, 2, 0], [0, 1, 0, 1, 1, 0, 1], [2], [0, 0, 0, 1, 0]] {
            #expect(throws: WireError.self, "\(body)") { _ = try Self.decode(.holds, body) }
        }
        #expect(throws: WireError.self) { _ = try Self.decode(.absent, [1, 0, 0x91, 0x1C, 0]) }
        #expect(try Self.decode(.absent, [1, 99, 0, 0]) == [.absent(Absent(ask: 1, .unknown))])
    }

    @Test func aPieceIsAtMostALeaf() throws {
        let octets = [UInt8](repeating: 7, count: 32_768)
        #expect(try Self.decode(.piece, [1, 0] + octets) == [.piece(PieceFrame(ask: 1, number: 0, octets: octets))])
        #expect(throws: WireError.tooLong(field: "piece", bytes: 32_769, bytesMax: 32_768)) {
            _ = try Self.decode(.piece, [1, 0] + octets + [7])
        }
    }

    @Test func theLongestFramesAreShort() throws {
        let name = try Self.blob(BlobName.sizeMax)
        let asked = try #require(PieceRanges((0..<64).map { 16_000 * $0 + 15_000..<16_000 * $0 + 15_004 }))
        let held = try #require(PieceRanges((0..<512).map { 2_048 * $0 + 1_000..<2_048 * $0 + 1_900 }))
        #expect(Frame.want(Want(ask: .max, .open(name, hops: 0, asked))).byteCount <= 370)
        #expect(Frame.holds(.have(ask: .max, away: 2, pieces: held)).byteCount <= 3_130)
        let piece = PieceFrame(ask: .max, number: 1_000_000, octets: [UInt8](repeating: 0, count: 32_768))
        #expect(Frame.piece(piece).byteCount <= 32_780)
    }
}

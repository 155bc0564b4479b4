import Foundation
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

@testable import LatticeStore

/// Pieces that arrive, and uploads.
@Suite struct BlobFilesTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: [0, 1, 32_767, 32_768, 32_769, 3 << 20 + 1, 33 << 20])
    func aBlobOfAnySizeComesInAnyOrderAndGoesAgain(size: Int) async throws {
        let blob = SampleBlob(size: size)
        let files = try folder.blobs()
        var dice = SeededGenerator(seed: UInt64(size))
        #expect(try await files.begin(blob.name).isEmpty)
        await #expect(throws: BlobFault.incomplete(missing: blob.pieces.count)) { try await files.finish(blob.name) }
        try await files.write(blob.numbers.shuffled(using: &dice), of: blob)
        #expect(try await files.begin(blob.name).isComplete)
        #expect(try await files.pieces(of: blob) == blob.numbers.map { blob.piece($0) })
        try await files.finish(blob.name)
        try await files.forgetMap(of: blob.name)
        #expect(try await files.begin(blob.name).isComplete)
        #expect(try await files.pieces(of: blob) == blob.numbers.map { blob.piece($0) })
        for number in Set([0, blob.pieces.count / 2, blob.pieces.count - 1]) {
            #expect(try await files.verifyPiece(number, of: blob.name) == .right)
        }
        #expect(try folder.blobNames().count == (blob.shape.height == 0 ? 1 : 2))
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: folder.blobPath(blob.name)))) == blob.bytes)
        #expect(try await files.heldBytes(of: blob.name) >= blob.bytes.count)
        try await files.remove(blob.name)
        #expect(try folder.blobNames().isEmpty)
        await #expect(throws: BlobFault.notHere) { try await files.read([0], of: blob.name) }
    }

    @Test func aFalsePieceIsNeitherStoredNorGiven() async throws {
        let blob = SampleBlob(size: 3 << 20)
        let files = try folder.blobs()
        await #expect(throws: BlobFault.notHere) { try await files.write([blob.piece(0)], of: blob.name) }
        _ = try await files.begin(blob.name)
        var false0 = blob.pieces[0]
        false0[40] ^= 1
        var false1 = blob.pieces[1]
        false1[0] ^= 1
        let verdicts = try await files.write(
            [
                blob.piece(1), BlobPiece(0, false0), blob.piece(0), BlobPiece(1, false1), BlobPiece(2, blob.pieces[3]),
                BlobPiece(3, blob.pieces[3] + [0]), BlobPiece(4, []), BlobPiece(97, blob.pieces[1]),
            ], of: blob.name)
        #expect(verdicts == [.noParent, .wrong, .kept, .wrong, .wrong, .wrong, .wrong, .wrong])
        #expect(try await files.write([BlobPiece(-1, [])], of: blob.name) == [.wrong])
        #expect(try await files.begin(blob.name) == blob.set([0]))
        #expect(try await files.read([0, 1, 2, 3, 4], of: blob.name) == [blob.piece(0)])
        #expect(try await files.verifyPiece(1, of: blob.name) == .notHere)
        // A piece that is here may come again, and is judged again.
        #expect(
            try await files.write([blob.piece(0), BlobPiece(0, false0), blob.piece(1)], of: blob.name) == [
                .kept, .wrong, .kept,
            ])
        await files.close()
        let later = try folder.blobs()
        #expect(try await later.begin(blob.name) == blob.set([0, 1]))
    }

    @Test func whatIsHereAfterARestartIsNotFetchedAgain() async throws {
        let blob = SampleBlob(size: 5 << 20)
        var dice = SeededGenerator(seed: 3)
        var here: Set<Int> = [0]
        var first = try folder.blobs()
        _ = try await first.begin(blob.name)
        try await first.write([0], of: blob)
        for _ in 0..<3 {
            let some = blob.numbers.filter { _ in Bool.random(using: &dice) }
            try await first.write(some, of: blob)
            here.formUnion(some)
            await first.close()
            first = try folder.blobs()
            #expect(try await first.recover([blob.name]).first != .nothing)
            #expect(try await first.begin(blob.name) == blob.set(here))
        }
        try await first.take(blob)
        #expect(try await first.pieces(of: blob).map(\.bytes) == blob.pieces)
    }

    @Test func manyBlobsAreTakenAtOnce() async throws {
        let blobs = (0..<40).map { SampleBlob(size: 40_000 + $0, seed: UInt64($0)) }
        let files = try folder.blobs()
        for blob in blobs { _ = try await files.begin(blob.name) }
        for number in 0..<3 {
            for blob in blobs { try await files.write([number], of: blob) }
        }
        for blob in blobs { try await files.finish(blob.name) }
        for blob in blobs { #expect(try await files.pieces(of: blob).map(\.bytes) == blob.pieces) }
    }

    @Test func oneProcessHasTheFolder() async throws {
        let files = try folder.blobs()
        #expect(throws: BlobFault.inUse(path: folder.blobsPath)) { try folder.blobs() }
        await files.close()
        await #expect(throws: BlobFault.closed) { try await files.begin(SampleBlob(size: 1).name) }
        _ = try folder.blobs()
    }

    // MARK: - Full disk

    @Test(.enabled(if: SmallDisk.canBeMounted)) func onAFullDiskAPieceIsNotStored() async throws {
        let disk = try SmallDisk(kilobytes: 1_024)
        defer { disk.unmount() }
        let blob = SampleBlob(size: 2 << 20)
        let files = try BlobFiles(beside: disk.path("lattice.sqlite"), boot: .first)
        _ = try await files.begin(blob.name)
        var verdicts: [PieceVerdict] = []
        for number in blob.numbers { verdicts += try await files.write([blob.piece(number)], of: blob.name) }
        #expect(verdicts.first == .kept && verdicts.last == .notStored)
        #expect(Set(verdicts) == [.kept, .notStored])
        let here = blob.set(blob.numbers.filter { verdicts[$0] == .kept })
        #expect(try await files.begin(blob.name) == here)
        let upload = try await files.add()
        await #expect(throws: (any Error).self) { for leaf in blob.pieces { try await upload.append(leaf) } }
        await #expect(throws: (any Error).self) { try await upload.finish() }
        await files.close()
        let later = try BlobFiles(beside: disk.path("lattice.sqlite"), boot: .first)
        #expect(try await later.begin(blob.name) == here)
        #expect(try await later.pieces(of: blob) == here.ranges.flatMap { $0 }.map { blob.piece($0) })
        await later.close()
    }

    // MARK: - Uploads

    @Test(arguments: [0, 1, 32_768, 32_769, 3 << 20 + 1, 32 << 20, 33 << 20])
    func anUploadIsABlobWhenItsLastByteIsHere(size: Int) async throws {
        let blob = SampleBlob(size: size)
        let files = try folder.blobs()
        let upload = try await files.add()
        for start in stride(from: 0, to: size, by: 100_000) {
            try await upload.append(Array(blob.bytes[start..<min(start + 100_000, size)]))
        }
        #expect(try await upload.finish() == blob.name)
        #expect(try await upload.finish() == blob.name)
        await #expect(throws: BlobFault.closed) { try await upload.append([1]) }
        await #expect(throws: BlobFault.notHere) { try await files.read([0], of: blob.name) }
        try await upload.place()
        upload.cancel()
        #expect(try await files.pieces(of: blob).map(\.bytes) == blob.pieces)
        #expect(try await files.verifyPiece(blob.pieces.count - 1, of: blob.name) == .right)
        #expect(try folder.blobNames().count == (blob.shape.height == 0 ? 1 : 2))
    }

    @Test func anUploadTakesThePlaceOfAPartAndOfACopy() async throws {
        let blob = SampleBlob(size: 100_000)
        let files = try folder.blobs()
        _ = try await files.begin(blob.name)
        try await files.write([0, 1], of: blob)
        for _ in 0..<2 {
            let upload = try await files.add()
            try await upload.append(blob.bytes)
            _ = try await upload.finish()
            try await upload.place()
            #expect(try await files.begin(blob.name).isComplete)
            #expect(try folder.blobNames().count == 2)
            // Also if the copy went bad.
            try damage(folder.blobPath(blob.name), at: 50_000)
        }
    }

    @Test func nothingStaysOfAnUploadThatEnds() async throws {
        let files = try folder.blobs()
        let upload = try await files.add(bytesMax: 100_000)
        try await upload.append([UInt8](repeating: 1, count: 90_000))
        await #expect(throws: BlobFault.tooLarge(bytesMax: 100_000)) {
            try await upload.append([UInt8](repeating: 1, count: 10_001))
        }
        await #expect(throws: BlobFault.tooLarge(bytesMax: 100_000)) { try await upload.finish() }
        upload.cancel()
        await #expect(throws: BlobFault.closed) { try await upload.append([1]) }
        do {
            let released = try await files.add()
            try await released.append([1])
        }
        // Waits for what was asked before.
        #expect(try await files.recover([]).isEmpty)
        #expect(try folder.blobNames().isEmpty)
        let last = try await files.add()
        try await last.append([UInt8](repeating: 1, count: 40 << 20 / 32))
        let killed = try folder.afterKill()
        #expect(try killed.blobNames().count == 1)
        let later = try killed.blobs()
        #expect(try await later.recover([]).isEmpty)
        #expect(try killed.blobNames().isEmpty)
        last.cancel()
    }
}

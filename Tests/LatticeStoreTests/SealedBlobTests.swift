import Foundation
import Glibc
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Files that are encrypted on their way to the disk, and opened on their way to a person.
@Suite struct SealedBlobTests {
    private static let marker = Array("a marker that stands in no other file".utf8)

    private let folder: Folder
    private let files: BlobFiles
    private let target: String

    init() throws {
        folder = try Folder()
        files = try folder.blobs()
        target = folder.url.appending(path: "downloads").path
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: target).sorted() }

    private static func bytes(_ count: Int) -> [UInt8] {
        var dice = SeededGenerator(seed: UInt64(count))
        let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
        return Array((marker + noise).prefix(count))
    }

    private func seal(_ bytes: [UInt8], by portion: Int = 100_000) async throws -> SealedFile {
        let new = try await files.addSealed()
        for start in stride(from: 0, to: bytes.count, by: portion) {
            try await new.append(Array(bytes[start..<min(bytes.count, start + portion)]))
        }
        let file = try await new.finishSealed(as: try #require(FileName("a.bin")), type: .unknown, preview: [1, 2])
        try await new.place()
        return file
    }

    private func with(
        _ file: SealedFile, key: Bytes32? = nil, prefix: [UInt8]? = nil, plainBytes: Int64? = nil
    ) -> SealedFile {
        SealedFile(
            file.blob, key: key ?? file.key, prefix: prefix ?? file.prefix, plainBytes: plainBytes ?? file.plainBytes,
            name: file.name, type: file.type)
    }

    @Test(arguments: [0, 1, 32_751, 32_752, 32_753, 1 << 20 + 7, 3 << 20])
    func whatIsSealedAndOpenedIsTheFile(count: Int) async throws {
        let bytes = Self.bytes(count)
        let file = try await seal(bytes)
        #expect(file.plainBytes == Int64(count) && file.shape.blobBytes == file.blob.size)
        #expect(file.name.text == "a.bin" && file.preview == [1, 2])
        let path = try await files.export(file, into: target)
        #expect(path == "\(target)/a.bin")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        // For peers that give it, it is an ordinary blob.
        #expect(try await files.begin(file.blob).isComplete)
        #expect(try await files.verifyPiece(0, of: file.blob) == .right)
    }

    @Test func nothingOfThePlaintextIsOnTheDisk() async throws {
        let bytes = Self.bytes(200_000)
        let new = try await files.addSealed()
        try await new.append(bytes)
        func hold() throws {
            for name in try folder.blobNames() {
                let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.blobsPath)/\(name)"))
                #expect(data.range(of: Data(Self.marker)) == nil && data.range(of: Data(bytes[5_000..<5_016])) == nil)
            }
        }
        #expect(try folder.blobNames().count == 1)
        try hold()
        let file = try await new.finishSealed(as: try #require(FileName("a.bin")), type: .unknown)
        try await new.place()
        #expect(try folder.blobNames().count == 2)
        try hold()
        // The check finds what is there.
        let plain = try await files.add()
        try await plain.append(bytes)
        let found = try folder.blobNames().contains { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder.blobsPath)/\(name)"))
            return data.range(of: Data(Self.marker)) != nil
        }
        #expect(found && file.plainBytes == 200_000)
    }

    @Test func twoSealingsOfOneFileHaveTwoRoots() async throws {
        let (one, other) = (try await seal(Self.bytes(1_000)), try await seal(Self.bytes(1_000)))
        #expect(one.blob != other.blob && one.blob.size == other.blob.size && one.key != other.key)
    }

    @Test func aWrongKeyOpensNothingAndLeavesNothing() async throws {
        let file = try await seal(Self.bytes(100_000))
        let other = try await seal(Self.bytes(100_000))
        for wrong in [with(file, key: other.key), with(file, prefix: other.prefix)] {
            await #expect(throws: BlobFault.notOpened(piece: 1)) { try await files.export(wrong, into: target) }
        }
        // Bytes in the padding.
        await #expect(throws: BlobFault.notOpened(piece: 4)) {
            try await files.export(with(file, plainBytes: 99_000), into: target)
        }
        #expect(try names().isEmpty)
    }

    @Test func ofADamagedFileThereIsNoCopy() async throws {
        let file = try await seal(Self.bytes(3 << 20))
        try damage(folder.blobPath(file.blob), at: 90 * 32_768)
        await #expect(throws: BlobFault.damaged(piece: 91)) { try await files.export(file, into: target) }
        let short = try await seal(Self.bytes(100_000))
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.blobPath(short.blob)))
        try handle.truncate(atOffset: 70_000)
        try handle.close()
        await #expect(throws: BlobFault.damaged(piece: 3)) { try await files.export(short, into: target) }
        #expect(try names().isEmpty)
    }

    @Test func theLimitCountsWhatAPersonAdds() async throws {
        let new = try await files.addSealed(bytesMax: 100)
        try await new.append([UInt8](repeating: 1, count: 100))
        await #expect(throws: BlobFault.tooLarge(bytesMax: 100)) { try await new.append([1]) }
        await #expect(throws: BlobFault.tooLarge(bytesMax: 100)) {
            try await new.finishSealed(as: try #require(FileName("a")), type: .unknown)
        }
        new.cancel()
        let exact = try await files.addSealed(bytesMax: 100)
        try await exact.append([UInt8](repeating: 1, count: 100))
        let file = try await exact.finishSealed(as: try #require(FileName("a")), type: .unknown)
        #expect(file.plainBytes == 100 && file.blob.size == 120)
        await #expect(throws: BlobFault.closed) { try await exact.append([1]) }
    }
}

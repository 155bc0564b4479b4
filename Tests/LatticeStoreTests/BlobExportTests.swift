import Foundation
import Glibc
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Copies for a person.
@Suite struct BlobExportTests {
    private let folder: Folder
    private let files: BlobFiles
    private let target: String

    init() throws {
        folder = try Folder()
        files = try folder.blobs()
        target = folder.url.appending(path: "downloads").path
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    }

    private func fileName(_ text: String) throws -> FileName { try #require(FileName(text)) }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: target).sorted() }

    private func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    @Test(arguments: [0, 1, 32_769, 3 << 20 + 1]) func aCopyHasTheBytes(size: Int) async throws {
        let blob = SampleBlob(size: size)
        try await files.take(blob)
        let path = try await files.export(blob.name, into: target, as: fileName("a.bin"))
        #expect(path == "\(target)/a.bin")
        #expect(try bytes(path) == blob.bytes)
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(try await files.begin(blob.name).isComplete)
    }

    @Test func noFileIsEverReplaced() async throws {
        let blob = SampleBlob(size: 10)
        try await files.take(blob)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(target)/a.txt"))
        try FileManager.default.createSymbolicLink(
            atPath: "\(target)/a (2).txt", withDestinationPath: "\(folder.url.path)/elsewhere")
        for expected in ["a (3).txt", "a (4).txt"] {
            let path = try await files.export(blob.name, into: target, as: fileName("a.txt"))
            #expect(path == "\(target)/\(expected)")
            #expect(try bytes(path) == blob.bytes)
        }
        #expect(try String(contentsOfFile: "\(target)/a.txt", encoding: .utf8) == "mine")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.url.path)/elsewhere"))
        let hidden = try await files.export(blob.name, into: target, as: fileName(".bashrc"))
        #expect(hidden == "\(target)/_bashrc")
        #expect(try names() == ["_bashrc", "a (2).txt", "a (3).txt", "a (4).txt", "a.txt"])
    }

    @Test func namesStayShortAndKeepTheirEnding() {
        #expect(ExportFile.candidate("a", 2) == "a (2)")
        #expect(ExportFile.candidate("a.b.jpeg", 12) == "a.b (12).jpeg")
        #expect(ExportFile.candidate(".profile", 2) == "_profile (2)")
        #expect(ExportFile.candidate("a.not an ending at all", 2) == "a.not an ending at all (2)")
        let long = String(repeating: "ä", count: 125) + ".jpeg"
        #expect(ExportFile.candidate(long, 1) == long)
        #expect(ExportFile.candidate(long, 2) == String(repeating: "ä", count: 123) + " (2).jpeg")
    }

    @Test func ofADamagedBlobThereIsNoCopy() async throws {
        let blob = SampleBlob(size: 3 << 20)
        try await files.take(blob)
        try damage(folder.blobPath(blob.name), at: 90 * 32_768)
        await #expect(throws: BlobFault.damaged(piece: 91)) {
            try await files.export(blob.name, into: target, as: fileName("a.bin"))
        }
        let other = SampleBlob(size: 3 << 20, seed: 2)
        try await files.take(other)
        try damage(folder.blobPath(other.name) + ".tree", at: 10)
        await #expect(throws: BlobFault.damaged(piece: 0)) {
            try await files.export(other.name, into: target, as: fileName("a.bin"))
        }
        #expect(try names() == [])
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let blob = SampleBlob(size: 40_000)
        await #expect(throws: BlobFault.notHere) {
            try await files.export(blob.name, into: target, as: fileName("a.bin"))
        }
        try await files.take(blob)
        await #expect(throws: BlobFault.ioFailed(path: "\(target)/none", code: ENOENT)) {
            try await files.export(blob.name, into: "\(target)/none", as: fileName("a.bin"))
        }
        #expect(try names() == [])
    }

    /// On file systems where every file has a name.
    @Test(arguments: [true, false]) func anUnfinishedFileIsGone(mayHaveNoName: Bool) throws {
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(target)/a.txt"))
        do {
            let file = try ExportFile(in: target, number: 1, mayHaveNoName: mayHaveNoName)
            try file.append([1, 2])
            #expect(try names().count == (mayHaveNoName ? 1 : 2))
        }
        #expect(try names() == ["a.txt"])
        do {
            let file = try ExportFile(in: target, number: 2, mayHaveNoName: mayHaveNoName)
            try file.append([1])
            try file.append([2])
            #expect(try file.publish(as: fileName("a.txt")) == "\(target)/a (2).txt")
        }
        #expect(try names() == ["a (2).txt", "a.txt"])
        #expect(try bytes("\(target)/a (2).txt") == [1, 2])
        #expect(try String(contentsOfFile: "\(target)/a.txt", encoding: .utf8) == "mine")
    }
}

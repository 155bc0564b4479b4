import Foundation
import Glibc
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Blobs that are folders, unpacked for a person.
@Suite struct FolderExportTests {
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

    private func add(_ bytes: [UInt8]) async throws -> BlobName {
        let new = try await files.add()
        try await new.append(bytes)
        let name = try await new.finish()
        try await new.place()
        return name
    }

    private func blob(_ contents: [(path: String, text: String)]) throws -> [UInt8] {
        let entries = try contents.map {
            try #require(FolderEntry(path: $0.path, size: Int64($0.text.utf8.count)))
        }
        return try FolderList(entries).bytes + contents.flatMap { Array($0.text.utf8) }
    }

    private let nested: [(path: String, text: String)] = [
        (".hidden/.x", "one"), ("a/b/c/d.txt", "deep"), ("a/b/empty", ""), ("a/b.txt", "two"), ("z", ""),
        ("large", String(repeating: "0123456789", count: 20_000)), ("ä ö.txt", "three"), ("last", ""),
    ]

    private func expected(_ contents: [(path: String, text: String)]) -> [String: Data] {
        Dictionary(uniqueKeysWithValues: contents.map { ($0.path, Data($0.text.utf8)) })
    }

    @Test func aFolderIsUnpackedWithAllItsFiles() async throws {
        let name = try await add(try blob(nested))
        let path = try await files.exportFolder(name, into: target, as: fileName("photos.2026"))
        #expect(path == "\(target)/photos.2026")
        #expect(try SampleFolder.contents(path) == expected(nested))
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o700)
        #expect(try names() == ["photos.2026"])
    }

    @Test func aSealedFolderIsUnpackedToo() async throws {
        let new = try await files.addSealed()
        try await new.append(try blob(nested))
        let type = try #require(MediaType(FolderList.mediaTypeText))
        let file = try await new.finishSealed(as: fileName("secret"), type: type)
        try await new.place()
        let path = try await files.exportFolder(file, into: target)
        #expect(try SampleFolder.contents(path) == expected(nested))
        let wrong = SealedFile(
            file.blob, key: .zero, prefix: file.prefix, plainBytes: file.plainBytes, name: file.name, type: file.type)
        await #expect(throws: BlobFault.notOpened(piece: 1)) { try await files.exportFolder(wrong, into: target) }
        #expect(try names() == ["secret"])
    }

    @Test func whatWasPackedIsUnpacked() async throws {
        let source = try SampleFolder(folder.url.appending(path: "source").path)
        for (path, text) in nested { try source.write(text, to: path) }
        let name = try await source.pack(into: files)
        let path = try await files.exportFolder(name, into: target, as: fileName("copy"))
        #expect(try SampleFolder.contents(path) == expected(nested))
        let again = try await SampleFolder(path).pack(into: files)
        #expect(again == name)
    }

    @Test func anEmptyListIsAnEmptyFolder() async throws {
        let path = try await files.exportFolder(add(blob([])), into: target, as: fileName("empty"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test func nothingIsEverReplaced() async throws {
        let name = try await add(try blob([("a", "x")]))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(target)/f.d"))
        try FileManager.default.createDirectory(atPath: "\(target)/f.d (2)", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(target)/f.d (3)", withDestinationPath: "\(folder.url.path)/elsewhere")
        for expected in ["f.d (4)", "f.d (5)"] {
            let path = try await files.exportFolder(name, into: target, as: fileName("f.d"))
            #expect(path == "\(target)/\(expected)")
        }
        #expect(try String(contentsOfFile: "\(target)/f.d", encoding: .utf8) == "mine")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(target)/f.d (2)").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.url.path)/elsewhere"))
        for hidden in [".ssh", ".\u{308}ssh"] {
            let path = try await files.exportFolder(name, into: target, as: fileName(hidden))
            #expect(path == "\(target)/_\(String(String.UnicodeScalarView(hidden.unicodeScalars.dropFirst())))")
        }
        #expect(try names().allSatisfy { !$0.hasPrefix(".") })
    }

    /// Only folders with exactly such a name that no process holds.
    @Test func whatAKilledProcessLeftIsRemovedAndNothingElse() async throws {
        let manager = FileManager.default
        func makeFolder(_ name: String) throws {
            try manager.createDirectory(atPath: "\(target)/\(name)/a/b", withIntermediateDirectories: true)
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(target)/\(name)/a/b/c"))
        }
        let outside = folder.url.appending(path: "outside").path
        try manager.createDirectory(atPath: outside, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(outside)/mine"))
        let left = ".lattice-0123456789abcdef"
        try makeFolder(left)
        try manager.createSymbolicLink(atPath: "\(target)/\(left)/link", withDestinationPath: outside)
        let held = ".lattice-cccccccccccccccc"
        try makeFolder(held)
        let lock = open("\(target)/\(held)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let others = [
            ".lattice-0123456789abcdeg", ".lattice-0123456789ABCDEF", ".lattice-0123456789abcde", ".lattice-",
            ".lattice-0123456789abcdef0", "lattice-0123456789abcdef", ".lattice-123-4",
        ]
        for name in others { try makeFolder(name) }
        let (file, link) = (".lattice-aaaaaaaaaaaaaaaa", ".lattice-bbbbbbbbbbbbbbbb")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(target)/\(file)"))
        try manager.createSymbolicLink(atPath: "\(target)/\(link)", withDestinationPath: outside)

        _ = try await files.exportFolder(add(blob([("a", "x")])), into: target, as: fileName("f"))
        #expect(try Set(names()) == Set(others + [held, file, link, "f"]))
        #expect(try manager.contentsOfDirectory(atPath: outside) == ["mine"])
        #expect(manager.fileExists(atPath: "\(target)/\(held)/a/b/c"))
        #expect(flock(lock, LOCK_UN) == 0)
        _ = try await files.exportFolder(add(blob([("a", "y")])), into: target, as: fileName("f"))
        #expect(try Set(names()) == Set(others + [file, link, "f", "f (2)"]))
    }

    /// Nobody takes a folder that is being unpacked for one that was left.
    @Test func twoAreUnpackedIntoOneFolderAtATime() throws {
        let first = try ExportFolder(in: target)
        let second = try ExportFolder(in: target)
        #expect(try names().count == 2)
        #expect(try first.publish(as: fileName("f")) == "\(target)/f")
        #expect(try second.publish(as: fileName("f")) == "\(target)/f (2)")
        #expect(try names() == ["f", "f (2)"])
    }

    /// No path in a list leaves the new folder, and of a list that breaks a rule nothing stays.
    @Test(arguments: [
        "..", "../a", "a/../../b", "/tmp/lattice-hostile", "a\\..\\b", "a\u{0}b", "a//b",
        String(repeating: "a/", count: 39) + "a",
    ]) func aHostilePathWritesNothing(path: String) async throws {
        var writer = ByteWriter()
        writer.fixed(FolderList.mark)
        writer.varint(2)
        for path in ["good", path] {
            writer.text(path)
            writer.varint(1)
        }
        let name = try await add(writer.bytes + [1, 2])
        await #expect(throws: BlobFault.notAFolder(.outOfRange(field: "folder path"))) {
            try await files.exportFolder(name, into: target, as: fileName("f"))
        }
        await files.close()
        #expect(try names().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/lattice-hostile"))
    }

    @Test func whatIsNoFolderIsRefused() async throws {
        let good = try blob([("a", "12345"), ("b", "67890")])
        for (bytes, error) in [
            (Array("hello".utf8), WireError.outOfRange(field: "folder mark")), ([], .truncated(field: "folder mark")),
            (Array(good.prefix(21)), .truncated(field: "folder size")),
            (good + [0], .outOfRange(field: "folder sizes")),
            (Array(good.dropLast()), .outOfRange(field: "folder size")),
        ] as [([UInt8], WireError)] {
            let name = try await add(bytes)
            await #expect(throws: BlobFault.notAFolder(error)) {
                try await files.exportFolder(name, into: target, as: fileName("f"))
            }
        }
        await files.close()
        #expect(try names().isEmpty)
    }

    @Test func ofADamagedFolderNothingStays() async throws {
        let contents = (0..<500).map { (path: "\($0 % 9)/\($0)", text: String(repeating: "\($0 % 10)", count: 8_000)) }
        let name = try await add(try blob(contents))
        try damage(folder.blobPath(name), at: 100 * 32_768)
        await #expect(throws: BlobFault.damaged(piece: 101)) {
            try await files.exportFolder(name, into: target, as: fileName("f"))
        }
        await files.close()
        #expect(try names().isEmpty)
    }

    @Test func ofACancelledExportNothingStays() async throws {
        let contents = (0..<4_000).map { (path: "\($0 % 9)/\($0)", text: "") }
        let name = try await add(try blob(contents))
        let name2 = try fileName("f")
        let export = Task { [files, target] in try await files.exportFolder(name, into: target, as: name2) }
        export.cancel()
        await #expect(throws: BlobFault.cancelled) { try await export.value }
        await files.close()
        #expect(try names().isEmpty)
    }

    @Test func manySmallFilesAreUnpacked() async throws {
        let contents = (0..<3_000).map { (path: "d\($0 / 100)/\($0)", text: "\($0)") }
        let name = try await add(try blob(contents))
        let path = try await files.exportFolder(name, into: target, as: fileName("many"))
        #expect(try SampleFolder.contents(path) == expected(contents))
    }

    /// The folder exists before anything is in it.
    @Test func anUnfinishedFolderIsGone() throws {
        do {
            let unfinished = try ExportFolder(in: target)
            let entry = try #require(FolderEntry(path: "a/b/c", size: 1))
            let file = try unfinished.file(entry)
            try file.write([1], at: 0)
            #expect(try names().count == 1)
            // A link is removed without following it.
            let hidden = try #require(try names().first)
            try FileManager.default.createSymbolicLink(
                atPath: "\(target)/\(hidden)/link", withDestinationPath: folder.url.path)
            #expect(throws: BlobFault.self) { try unfinished.file(try #require(FolderEntry(path: "link/x", size: 1))) }
        }
        #expect(try names().isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder.blobsPath))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.url.path)/x"))
    }
}

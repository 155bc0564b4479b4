import Foundation
import Glibc
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// Folders on disk that become blobs.
@Suite struct FolderSourceTests {
    private let folder: Folder
    private let files: BlobFiles
    private let source: SampleFolder

    init() throws {
        folder = try Folder()
        files = try folder.blobs()
        source = try SampleFolder(folder.url.appending(path: "source").path)
    }

    private func walk() async throws -> FolderSource { try await FolderSource.walk(source.path) }

    private func pack() async throws -> BlobName { try await source.pack(into: files) }

    private func fault(_ body: () async throws -> Void) async -> FolderSourceFault? {
        do {
            try await body()
            return nil
        } catch {
            return error as? FolderSourceFault
        }
    }

    @Test func theBlobIsTheListAndTheContents() async throws {
        try source.write("hi", to: ".a")
        try source.write("", to: "b/c")
        try source.write("there", to: "b/d.txt")
        let name = try await pack()
        #expect(name.size == 44)
        #expect(name.root.hex == "84bc5bcb00cf9579abe7aea6eef17e68637ee581329c1468f2a9824f02cf6f5c")
        let list = try await walk().list
        #expect(list.entries.map(\.path) == [".a", "b/c", "b/d.txt"] && list.blobBytes == 44)
    }

    @Test func theSameFolderGivesTheSameBlob() async throws {
        let paths =
            (0..<40).map { "\($0 % 3)/\($0 % 7)/file \($0)" } + ["0.txt", "0-", "1 /x".replacing(" ", with: "_")]
        for path in paths { try source.write(path, to: path) }
        let other = try SampleFolder(folder.url.appending(path: "other").path)
        for path in paths.reversed() { try other.write(path, to: path) }
        let (one, two) = (try await pack(), try await other.pack(into: files))
        #expect(one == two)
        let list = try await walk().list.entries.map(\.path)
        #expect(zip(list, list.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func anEmptyFolderIsAnEmptyList() async throws {
        #expect(try await pack().root.hex == "6c681ceab2e9399ecd18dc95c95333c608676d64921b4b43b4a53deaf0d0abf7")
    }

    @Test func onlyFilesAreTakenAndTheRestIsCounted() async throws {
        try source.write("hi", to: "a")
        let other = folder.url.appending(path: "elsewhere").path
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(fileURLWithPath: "\(other)/secret"))
        for (link, goal) in [("file", "\(other)/secret"), ("folder", other), ("nowhere", "/none")] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(source.path)/\(link)", withDestinationPath: goal)
        }
        #expect(mkfifo("\(source.path)/pipe", 0o600) == 0)
        try FileManager.default.createDirectory(atPath: "\(source.path)/empty", withIntermediateDirectories: true)
        let found = try await walk()
        #expect(found.list.entries.map(\.path) == ["a"] && found.skippedCount == 4)
    }

    @Test func whatCannotBeReadIsNamed() async throws {
        let missing = "\(source.path)/none"
        #expect(
            await fault { _ = try await FolderSource.walk(missing) }
                == .unreadable(path: missing, code: ENOENT))
        try source.write("x", to: "a")
        #expect(
            await fault { _ = try await FolderSource.walk("\(source.path)/a") }
                == .unreadable(path: "\(source.path)/a", code: ENOTDIR))
        guard geteuid() != 0 else { return }
        chmod("\(source.path)/a", 0)
        let found = try await walk()
        let new = try await files.add()
        #expect(
            await fault { try await found.write(to: new) } == .unreadable(path: "\(source.path)/a", code: EACCES))
    }

    @Test(arguments: ["longer", "shorter", "other", "gone", "link", "pipe", "folder"])
    func aFileThatChangesIsAnError(how: String) async throws {
        try source.write("hello", to: "b/a")
        let found = try await walk()
        let path = "\(source.path)/b/a"
        switch how {
        case "longer": try source.write("hello!", to: "b/a")
        case "shorter": try source.write("hell", to: "b/a")
        case "other":
            try FileManager.default.removeItem(atPath: path)
            try source.write("HELLO", to: "b/a")
        case "gone": try FileManager.default.removeItem(atPath: path)
        case "pipe":
            try FileManager.default.removeItem(atPath: path)
            #expect(mkfifo(path, 0o600) == 0)
        case "link":
            try FileManager.default.moveItem(atPath: path, toPath: "\(source.path)/x")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "../x")
        default:
            try FileManager.default.moveItem(atPath: "\(source.path)/b", toPath: "\(source.path)/x")
            try FileManager.default.createSymbolicLink(atPath: "\(source.path)/b", withDestinationPath: "x")
        }
        let new = try await files.add()
        #expect(await fault { try await found.write(to: new) } == .changed(path: path))
        new.cancel()
    }

    @Test func namesThatNoFolderMayHaveAreNamed() async throws {
        try source.write("x", to: "b/a\\b")
        #expect(await fault { _ = try await walk() } == .badPath("b/a\\b"))
        try FileManager.default.removeItem(atPath: "\(source.path)/b")
        try source.write("x", to: "a ")
        #expect(await fault { _ = try await walk() } == .badPath("a "))
        try FileManager.default.removeItem(atPath: "\(source.path)/a ")
        #expect(creat("\(source.path)/\u{1}", 0o600) >= 0)
        #expect(await fault { _ = try await walk() } == .badPath("\u{1}"))
        try FileManager.default.removeItem(atPath: "\(source.path)/\u{1}")
        let broken = Array("\(source.path)/".utf8).map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
        #expect(creat(broken, 0o600) >= 0)
        #expect(await fault { _ = try await walk() } == .badPath("\u{FFFD}"))
        #expect(unlink(broken) == 0)
        let deep = Array(repeating: "d", count: 32).joined(separator: "/")
        try source.write("x", to: deep + "/f")
        #expect(await fault { _ = try await walk() } == .badPath(deep))
    }

    @Test func namesThatAreOneOnSomeDisksAreNamed() async throws {
        try source.write("x", to: "a/Read")
        try source.write("x", to: "a/read")
        #expect(await fault { _ = try await walk() } == .list(.conflict("a/Read", "a/read")))
    }

    @Test func whatIsPackedIsReadInOnePassWhateverItsSize() async throws {
        try source.write(String(repeating: "x", count: 300_000), to: "large")
        for number in 0..<20 { try source.write(String(repeating: "y", count: 40_000 + number), to: "s/\(number)") }
        let found = try await walk()
        #expect(try await pack().size == found.list.blobBytes)
    }
}

/// A folder of a test.
struct SampleFolder {
    let path: String

    init(_ path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func pack(into files: BlobFiles) async throws -> BlobName {
        let new = try await files.add()
        try await FolderSource.walk(path).write(to: new)
        let name = try await new.finish()
        try await new.place()
        return name
    }

    /// Of all files below a folder, the path and the content.
    static func contents(_ path: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var facts = stat()
            #expect(lstat("\(path)/\(name)", &facts) == 0)
            if facts.st_mode & S_IFMT == S_IFDIR {
                #expect(facts.st_mode & 0o777 == 0o700)
            } else {
                #expect(facts.st_mode & S_IFMT == S_IFREG && facts.st_mode & 0o777 == 0o600)
                contents[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
            }
        }
        return contents
    }
}

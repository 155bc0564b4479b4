import Foundation
import LatticeCore
import Testing

@testable import LatticeWire

/// The lists of folders, read and written.
@Suite struct FolderListTests {
    /// The list on the page.
    private static let hex = "6c61747469636520666f6c6465722076310a03022e610203622f630007622f642e74787405"

    private static func list(_ entries: [(path: [UInt8], size: UInt64)], count: UInt64? = nil) -> [UInt8] {
        var writer = ByteWriter()
        writer.fixed(FolderList.mark)
        writer.varint(count ?? UInt64(entries.count))
        for entry in entries {
            writer.bytes(entry.path)
            writer.varint(entry.size)
        }
        return writer.bytes
    }

    private static func list(_ paths: String...) -> [UInt8] { list(paths.map { (Array($0.utf8), 1) }) }

    /// - Parameter blobBytes: right by default.
    private func read(_ bytes: [UInt8], blobBytes: Int64, by count: Int = .max) throws(WireError) -> (FolderList, Int) {
        var reader = FolderListReader(blobBytes: blobBytes)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + min(count, bytes.count))
            var chunk = bytes[start..<end]
            if let list = try reader.take(&chunk) {
                try reader.end()
                return (list, end - chunk.count)
            }
            start = end
        }
        try reader.end()
        throw .truncated(field: "nothing")
    }

    private func error(_ bytes: [UInt8], contents: Int64) -> WireError? {
        do throws(WireError) {
            _ = try read(bytes, blobBytes: Int64(bytes.count) + contents)
            return nil
        } catch {
            return error
        }
    }

    private func entry(_ path: String, _ size: Int64 = 1) throws -> FolderEntry {
        try #require(FolderEntry(path: path, size: size))
    }

    // MARK: - The form

    @Test(arguments: [1, 2, 3, 7, 1_000]) func aListIsReadInPiecesOfAnySize(count: Int) throws {
        let bytes = try Samples.bytes(Self.hex)
        let entries = [try entry(".a", 2), try entry("b/c", 0), try entry("b/d.txt", 5)]
        let (list, end) = try read(bytes + Array("hithere".utf8), blobBytes: 44, by: count)
        #expect(list.entries == entries && end == bytes.count)
        #expect(list.bytes == bytes && list.listBytes == 37 && list.contentBytes == 7 && list.blobBytes == 44)
        #expect(try FolderList(entries) == list)
    }

    @Test func aFolderMayBeEmpty() throws {
        let empty = try FolderList([])
        #expect(empty.bytes == FolderList.mark + [0])
        #expect(try read(empty.bytes, blobBytes: 19) == (empty, 19))
    }

    @Test func thePageOfTheProtocolShowsTheList() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Sources/LatticeWire/LatticeWire.docc/LatticeWire.md")
        let text = try String(contentsOf: page, encoding: .utf8).filter { !$0.isWhitespace }
        #expect(text.contains(Self.hex))
    }

    // MARK: - Hostile lists

    private static let badPaths = [
        "..", ".", "../a", "a/../b", "a/..", "/a", "a/", "a//b", "a\\b", "..\\a", "a\u{0}b", "a\nb", "a/b.", " a",
        "a /b", "\u{202E}a", "a/\u{308}/../b", "C:\\a", String(repeating: "a/", count: 39) + "a",
        String(repeating: "a/", count: 32) + "a", String(repeating: "a", count: 256),
    ]

    @Test(arguments: badPaths) func noFileHasThisPath(path: String) {
        #expect(FolderEntry(path: path, size: 1) == nil)
        #expect(error(Self.list(path), contents: 1) == .outOfRange(field: "folder path"))
    }

    @Test func whatIsAllowedIsRead() throws {
        for path in [
            "a", ".git/config", "a/\u{308}b", "ä ö/ü", String(repeating: "a/", count: 31) + "a",
            Array(repeating: String(repeating: "a", count: 204), count: 5).joined(separator: "/"),
        ] { #expect(error(Self.list(path), contents: 1) == nil) }
    }

    @Test func pathsAreTextOfLimitedLength() {
        let long = Array(repeating: String(repeating: "a", count: 204), count: 5).joined(separator: "/") + "a"
        #expect(
            error(Self.list(long), contents: 1) == .tooLong(field: "folder path", bytes: 1_025, bytesMax: 1_024))
        #expect(error(Self.list(""), contents: 1) == .outOfRange(field: "folder path"))
        #expect(error(Self.list([([0x61, 0xFF], 1)]), contents: 1) == .notUTF8(field: "folder path"))
    }

    @Test(arguments: [
        ["a", "a"], ["a", "A"], ["straße", "STRASSE"], ["\u{E9}", "e\u{301}"], ["\u{C9}/x", "e\u{301}/X"],
        ["a", "a/b"], ["a/b", "a"], ["A", "a/b/c"], ["a/b/c", "x", "a/B"], ["a", "a b", "a!", "a/b"],
        ["\u{3A3}", "\u{3C2}"],
    ]) func pathsThatCannotBeInOneFolderAreRefused(paths: [String]) throws {
        let bytes = Self.list(paths.map { (Array($0.utf8), 1) })
        #expect(error(bytes, contents: Int64(paths.count)) == .outOfRange(field: "folder paths"))
        let entries = try paths.map { try entry($0) }
        #expect {
            try FolderList(entries)
        } throws: { error in
            guard case .conflict = error as? FolderListFault else { return false }
            return true
        }
    }

    @Test(arguments: [
        ["a", "b"], ["a", "a b", "a!"], ["a/b", "a/c", "ab"], ["a/b", "A/c"], ["e", "\u{E9}"], ["ab", "a/b"],
    ]) func pathsThatAreOnlyAlikeAreRead(paths: [String]) {
        let bytes = Self.list(paths.map { (Array($0.utf8), 1) })
        #expect(error(bytes, contents: Int64(paths.count)) == nil)
    }

    @Test func sizesAddUpExactly() {
        let a = Array("a".utf8)
        let bytes = Self.list([(a, 5), (Array("b".utf8), 7)])
        #expect(error(bytes, contents: 12) == nil)
        #expect(error(bytes, contents: 13) == .outOfRange(field: "folder sizes"))
        #expect(error(bytes, contents: 11) == .outOfRange(field: "folder size"))
        for size: UInt64 in [1 << 35 + 1, 1 << 62, 1 << 63, .max] {
            #expect(
                error(Self.list([(a, 5), (Array("b".utf8), size)]), contents: 5) == .outOfRange(field: "folder size"))
        }
    }

    @Test func countsAndNumbersHaveLimits() {
        let mark = FolderList.mark
        #expect(error(Self.list([], count: 65_537), contents: 0) == .outOfRange(field: "folder count"))
        #expect(error(Self.list([], count: 70_000), contents: 0) == .outOfRange(field: "folder count"))
        #expect(error(Self.list([], count: .max), contents: 0) == .outOfRange(field: "folder count"))
        #expect(error(Self.list([], count: 1), contents: 0) == .truncated(field: "folder path"))
        #expect(error(mark + [0x80, 0], contents: 0) == .notShortest(field: "folder count"))
        #expect(error(mark + [UInt8](repeating: 0xFF, count: 10), contents: 0) == .outOfRange(field: "folder count"))
        #expect(error(Array("lattice folder v2\n".utf8) + [0], contents: 0) == .outOfRange(field: "folder mark"))
        #expect(error(Array(mark.prefix(5)), contents: 0) == .truncated(field: "folder mark"))
        #expect(error([], contents: 0) == .truncated(field: "folder mark"))
    }

    @Test func aListIsAtMostEightMebibytes() throws {
        // 65,536 paths of 140 bytes are more than 8 MiB.
        let paths = (0..<65_536).map { number in
            (Array((String(repeating: "a", count: 134) + String(100_000 + number)).utf8), UInt64(0))
        }
        let bytes = Self.list(paths)
        #expect(bytes.count > FolderList.bytesMax)
        guard case .tooLong("folder list", _, 8_388_608) = error(bytes, contents: 0) else {
            Issue.record("a list of more than 8 MiB was read")
            return
        }
        #expect(throws: FolderListFault.listTooLong(bytesMax: 8 << 20)) {
            try FolderList(paths.map { try entry(String(decoding: $0.0, as: UTF8.self), 0) })
        }
    }

    @Test func aFolderHasAtMost65536Files() throws {
        let entries = try (0...65_536).map { try entry("a/\($0)", 0) }
        let list = try FolderList(Array(entries.dropLast()))
        #expect(try read(list.bytes, blobBytes: list.blobBytes, by: 10_000).0 == list)
        #expect(throws: FolderListFault.tooManyFiles(filesMax: 65_536)) { try FolderList(entries) }
        let half = BlobName.sizeMax / 2
        #expect(throws: FolderListFault.tooLarge(bytesMax: BlobName.sizeMax)) {
            try FolderList([try entry("a", half), try entry("b", half)])
        }
    }
}

import Foundation
import LatticeCore
import LatticeCrypto
import Testing

@testable import LatticeNode

struct WipeTests {
    private let path = NSTemporaryDirectory() + "lattice-wipe-\(UUID().uuidString)"

    private func directory() throws -> DataDirectory {
        try DataDirectory(name: try PeerName("alice"), directory: path)
    }

    private func put(_ names: String...) throws {
        for name in names { try Data("12345".utf8).write(to: URL(filePath: "\(path)/\(name)")) }
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    @Test func everythingThatLatticeMadeGoesAndTheFolderWithIt() throws {
        let directory = try directory()
        _ = try directory.identityFile.loadOrCreate()
        try directory.claim()
        try put(
            "history", "history.77.new", "contacts", "name.12", "lattice.sqlite", "lattice.sqlite-wal",
            "lattice.sqlite-shm", "a%2Fb.sqlite.damaged-1", "a%2Fb.sqlite.damaged-1-wal", "x.sqlite.salvaged",
            "identity.3k2.new", "identity.change.new")
        let wiped = try directory.wipe()
        #expect(wiped.removed.count == 15)
        // The secret first, should the power fail on the way, and the lock last.
        #expect(wiped.removed.prefix(3).allSatisfy { $0.name.hasPrefix("identity") })
        #expect(wiped.removed.last?.name == "lock")
        #expect(wiped.removed.contains(.init(name: "lattice.sqlite-wal", bytes: 5)))
        #expect(wiped.left == [] && wiped.failed == [] && wiped.isFolderGone)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func whatItDoesNotKnowStaysAndIsNamed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try directory()
        let strangers = [
            "notes.txt", ".sqlite", "identity.bak", "history.old", "names", "lattice.sqlite.damaged-", "x.sqlite-copy",
            "lattice.sqlite.gz", "name.", "name.new",
        ]
        for name in strangers { try put(name) }
        try put("name")
        try FileManager.default.createDirectory(atPath: "\(path)/old.sqlite", withIntermediateDirectories: false)
        let wiped = try directory.wipe()
        #expect(wiped.removed.map(\.name) == ["name"])
        #expect(wiped.left == (strangers + ["old.sqlite"]).sorted())
        #expect(try names == wiped.left)
        #expect(!wiped.isFolderGone)
    }

    @Test func aLinkGoesAndWhatItLeadsToStays() throws {
        let outside = path + "-outside"
        defer { try? FileManager.default.removeItem(atPath: outside) }
        let directory = try directory()
        try Data("mine".utf8).write(to: URL(filePath: outside))
        for name in ["identity", "lattice.sqlite"] {
            try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: outside)
        }
        #expect(try directory.wipe().removed.map(\.name) == ["identity", "lattice.sqlite"])
        #expect(try Data(contentsOf: URL(filePath: outside)) == Data("mine".utf8))
    }

    @Test func aFolderThatIsALinkIsLeftAlone() throws {
        let link = path + "-link"
        defer {
            try? FileManager.default.removeItem(atPath: link)
            try? FileManager.default.removeItem(atPath: path)
        }
        _ = try directory()
        try put("history")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let linked = try DataDirectory(name: try PeerName("alice"), directory: link)
        #expect(throws: DataDirectoryError.self) { try linked.wipe() }
        #expect(try names == ["history"])
    }

    @Test func wipingAnEmptyFolderIsFine() throws {
        let wiped = try directory().wipe()
        #expect(wiped == WipedFolder(isFolderGone: true))
    }
}

import Foundation
import LatticeCore
import LatticeCrypto
import LatticeStore
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

    private func putStore(_ name: String) throws {
        try Store(path: "\(path)/\(name)", owner: Identity.generate().peer).close()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    @Test func everythingThatLatticeMadeGoesAndTheFolderWithIt() throws {
        let directory = try directory()
        _ = try directory.identityFile.loadOrCreate()
        try directory.claim()
        try putStore("lattice.sqlite")
        for end in ["-wal", "-shm"] { unlink("\(path)/lattice.sqlite\(end)") }
        try put(
            "history", "history.77.new", "contacts", "name.12", "lattice.sqlite-wal",
            "lattice.sqlite-shm", "a%2Fb.sqlite.damaged-1", "a%2Fb.sqlite.damaged-1-wal", "x.sqlite.salvaged",
            "identity.3k2.new", "identity.change.new", "http-token", "http-users", "http-visitors", "http-visitors.9",
            "http-visitors.damaged", "http-tls.pem", "accounts", "account-keys", "account-keys.41")
        let wiped = try directory.wipe()
        #expect(wiped.removed.count == 24)
        // The secret first, should the power fail on the way, and the lock last.
        let secrets = wiped.removed.prefix(5).map(\.name).sorted()
        #expect(secrets == ["account-keys", "http-tls.pem", "identity", "identity.3k2.new", "identity.change.new"])
        #expect(wiped.removed.last?.name == "lock")
        #expect(wiped.removed.contains(.init(name: "lattice.sqlite-wal", bytes: 5)))
        #expect(wiped.left == [] && wiped.failed == [] && wiped.isFolderGone)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func sharedFilesGoToo() async throws {
        let directory = try directory()
        try directory.claim()
        let files = try BlobFiles(beside: "\(path)/lattice.sqlite")
        let new = try await files.add()
        try await new.append([UInt8](repeating: 7, count: 100_000))
        _ = try await new.finish()
        await files.close()
        // Not ours, though it has such a name.
        try FileManager.default.createDirectory(atPath: "\(path)/my.blobs", withIntermediateDirectories: false)
        let wiped = try directory.wipe()
        #expect(wiped.removed.map(\.name) == ["lattice.blobs", "name", "lock"])
        #expect(wiped.removed[0].bytes >= 100_000)
        #expect(wiped.left == ["my.blobs"])
        try FileManager.default.removeItem(atPath: path)
    }

    @Test func howFarABridgeHasComeIsWipedToo() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try directory()
        let state = directory.bridgeStatePath(engine: "nats", tag: "0123456789abcdef").split(separator: "/").last.map(
            String.init)
        try put(
            "name", try #require(state), "bridge-nats-0123456789abcdef.state-journal",
            "bridge-nats-0123456789abcdef.state-wal", "bridge-nats.state")
        let wiped = try directory.wipe()
        #expect(wiped.left == ["bridge-nats.state"])
        try FileManager.default.removeItem(atPath: path)
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

    /// As in a folder that somebody named by mistake, or that other programs use, too.
    @Test func databasesOfOtherProgramsStay() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try directory()
        try put("photos.sqlite", "photos.sqlite-wal", "gone.sqlite-journal")
        var foreign = Data("SQLite format 3\0".utf8)
        foreign.append(Data(count: 4_080))
        try foreign.write(to: URL(filePath: "\(path)/music.sqlite"))
        try putStore("lattice.sqlite")
        try Data().write(to: URL(filePath: "\(path)/begun.sqlite"))
        let strangers = ["gone.sqlite-journal", "music.sqlite", "photos.sqlite", "photos.sqlite-wal"]
        let wiped = try directory.wipe()
        #expect(wiped.left == strangers)
        #expect(try names == strangers)
        #expect(wiped.removed.map(\.name).prefix(2) == ["begun.sqlite", "lattice.sqlite"])
    }

    /// A power cut leaves all of a young store in the log, and damage its head.
    @Test func aStoreIsKnownWithoutItsHeadAndFromItsLogAlone() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        _ = try directory()
        try putStore("camp.sqlite")
        var bytes = try Data(contentsOf: URL(filePath: "\(path)/camp.sqlite"))
        try bytes.write(to: URL(filePath: "\(path)/young.sqlite-wal"))
        try put("young.sqlite")
        bytes.replaceSubrange(..<100, with: Data(repeating: 0x55, count: 100))
        try (Data(repeating: 7, count: (1 << 20) - 3_000) + bytes).write(to: URL(filePath: "\(path)/camp.sqlite"))
        #expect(DatabaseFile.isStore("\(path)/camp.sqlite") && DatabaseFile.isStore("\(path)/young.sqlite"))
        try put("other.sqlite")
        #expect(!DatabaseFile.isStore("\(path)/other.sqlite") && !DatabaseFile.isStore("\(path)/none.sqlite"))
    }

    @Test func aLinkIsNamedAndNothingGoes() throws {
        let outside = path + "-outside"
        defer {
            try? FileManager.default.removeItem(atPath: outside)
            try? FileManager.default.removeItem(atPath: path)
        }
        let directory = try directory()
        try Data("mine".utf8).write(to: URL(filePath: outside))
        try put("history")
        for name in ["identity", "lattice.sqlite"] {
            let link = "\(path)/\(name)"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
            #expect(throws: DataDirectoryError.linked(path: link, target: outside)) { try directory.wipe() }
            #expect(try names == ["history", name])
            unlink(link)
        }
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
        #expect(throws: DataDirectoryError.linkedFolder(path: link, target: path)) { try linked.wipe() }
        #expect(try names == ["history"])
    }

    @Test func whoeverTakesTheFolderTidiesUpWhatWasLeftOfTheIdentity() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try directory()
        try put("identity.change.new")
        directory.tidy()
        // Without an identity somebody may be making one.
        #expect(try names == ["identity.change.new"])
        let (identity, _) = try directory.identityFile.loadOrCreate()
        // Killed between two steps of making it, its file has two names.
        #expect(link(directory.identityFile.path, "\(path)/identity.2a.new") == 0)
        directory.tidy()
        #expect(try names == ["identity", "lock"])
        try put("identity.change.new")
        try directory.claim(isRemembered: false)
        #expect(try names == ["identity", "lock"])
        #expect(try directory.identityFile.load().peer == identity.peer)
    }

    @Test func wipingAnEmptyFolderIsFine() throws {
        let wiped = try directory().wipe()
        #expect(wiped == WipedFolder(isFolderGone: true))
    }
}

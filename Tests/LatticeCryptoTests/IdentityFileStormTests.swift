import Foundation
import Glibc
import LatticeCore
import LatticeCrypto
import Synchronization
import Testing

/// Races and full disks.
struct IdentityFileStormTests {
    @Test func creatorsThatRaceEndWithOneIdentity() throws {
        for _ in 0..<50 {
            let folder = try KeyFolder()
            let file = folder.file
            let found = Mutex<[(PeerID, isNew: Bool)]>([])
            let failures = Mutex<[IdentityFileError]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do throws(IdentityFileError) {
                    let (identity, isNew) = try file.loadOrCreate()
                    found.withLock { $0.append((identity.peer, isNew)) }
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
            let results = found.withLock { $0 }
            #expect(failures.withLock { $0 }.isEmpty)
            #expect(results.count == 4)
            #expect(Set(results.map(\.0)).count == 1)
            #expect(results.filter(\.isNew).count == 1)
            #expect(try file.load().peer == results[0].0)
            #expect(try folder.names == ["identity"])
        }
    }

    /// A file system of one page, mounted for one test.
    private struct TinyDisk: ~Copyable {
        let folder: KeyFolder

        init?() throws {
            folder = try KeyFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=4096,nr_inodes=16") == 0 else { return nil }
        }

        deinit {
            umount(folder.path)
        }
    }

    static let canMount: Bool = {
        do {
            return try TinyDisk() != nil
        } catch {
            return false
        }
    }()

    @Test(.enabled(if: canMount, "mounting a tiny file system needs root"))
    func aFullDiskIsNamedAndNothingIsLeftBehind() throws {
        guard let disk = try TinyDisk() else {
            Issue.record("a file system that could be mounted before cannot be mounted now")
            return
        }
        let folder = disk.folder
        let filling = URL(filePath: folder.path + "/filling")
        try Data(repeating: 0, count: 4_096).write(to: filling)
        let failure = error { () throws(IdentityFileError) in _ = try folder.file.loadOrCreate() }
        #expect(failure == .cannotCreate(path: folder.file.path, reason: "No space left on device"))
        #expect(try folder.names == ["filling"])
        try FileManager.default.removeItem(at: filling)
        #expect(try folder.file.loadOrCreate().isNew)
    }
}

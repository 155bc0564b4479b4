import Foundation
import GRDB
import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@Suite struct OpeningTests {
    private let folder: Folder
    private let anna: Author

    init() throws {
        folder = try Folder()
        anna = try Author(1)
    }

    private func fault(_ path: String) -> StoreError? {
        do {
            _ = try Store(path: path, owner: anna.peer)
            return nil
        } catch {
            return error
        }
    }

    @Test func aFolderThatIsNotThereIsNamed() {
        let path = folder.url.appending(path: "nowhere/lattice.sqlite").path
        guard case .cannotOpen(path, let reason) = fault(path) else {
            Issue.record("it opened")
            return
        }
        #expect(reason.contains("nowhere"))
    }

    @Test func whatIsNoStoreIsNotTakenForOne() throws {
        try Data(repeating: 65, count: 10_000).write(to: URL(fileURLWithPath: folder.path))
        guard case .damaged = fault(folder.path) else {
            Issue.record("it opened")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)).count == 10_000)
    }

    @Test func anotherProgramsDatabaseIsLeftAsItIs() async throws {
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE bookmark (page TEXT)") }
        #expect(fault(folder.path) == .cannotOpen(path: folder.path, reason: "it is the database of another program"))
        let tables = try await queue.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema") }
        #expect(tables == ["bookmark"])
    }

    @Test func aNameThatLooksLikeAURIIsAName() throws {
        let name = "file:\(UUID().uuidString)?mode=memory"
        defer {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: "./\(name)\(suffix)") }
        }
        #expect(fault(name) == nil)
        #expect(FileManager.default.fileExists(atPath: "./\(name)"))
    }

    @Test func anEmptyFileBecomesAStore() throws {
        try Data().write(to: URL(fileURLWithPath: folder.path))
        #expect(fault(folder.path) == nil)
    }

    @Test func aFolderIsNoStore() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        #expect(fault(folder.path) != nil)
    }

    @Test func theVersionThatIsToldIsThatOfTheTables() async throws {
        try folder.store(of: anna).close()
        let made = try await DatabaseQueue(path: folder.path).read {
            try Int.fetchOne($0, sql: "PRAGMA user_version")
        }
        #expect(Store.version == made)
    }

    @Test func aStoreOfALaterVersionIsLeftAlone() async throws {
        try folder.store(of: anna).close()
        try await DatabaseQueue(path: folder.path).write {
            try $0.execute(sql: "PRAGMA user_version = 99")
        }
        #expect(fault(folder.path) == .tooNew(path: folder.path))
    }

    @Test func manyMayMakeOneFileAtTheSameMoment() async throws {
        let (path, peer) = (folder.path, anna.peer)
        for round in 0..<10 {
            let outcomes = await withTaskGroup { group in
                for writer in 0..<4 as Range<UInt8> {
                    group.addTask {
                        do {
                            let author = try Author(10 + writer)
                            let store = try Store(path: "\(path)-\(round)", owner: peer)
                            return try await store.insert([author.post("hello")], at: Morning.arrival)
                        } catch {
                            return [.refused("\(error)")]
                        }
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(outcomes == [.added, .added, .added, .added])
        }
    }

    @Test func whileAnotherWritesForLongAStoreOpensAndReads() async throws {
        let store = try folder.store(of: anna)
        _ = try await store.insert([anna.post("here")], at: Morning.arrival)
        let other = try DatabaseQueue(path: folder.path)
        let opened = try await other.write { [path = folder.path, peer = anna.peer] database in
            try database.execute(sql: "INSERT INTO setting VALUES ('half', 'written')")
            return try Store(path: path, owner: peer)
        }
        #expect(!opened.isReadOnly)
        #expect(try await opened.upkeep.stats(at: Morning.arrival).records == 1)
    }

    @Test func twoThatWriteAtOnceSeeEachOthersRecords() async throws {
        let stores = [try folder.store(of: anna), try folder.store(of: anna)]
        try await withThrowingTaskGroup { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    let author = try Author(20 + UInt8(index))
                    for number in 0..<50 {
                        let outcome = try await store.insert([author.post("\(number)")], at: Morning.arrival)
                        #expect(outcome == [.added])
                    }
                }
            }
            try await group.waitForAll()
        }
        for store in stores { #expect(try await store.upkeep.stats(at: Morning.arrival).records == 100) }
        #expect(try await stores[0].upkeep.check(verify: verified).faults == [])
    }
}

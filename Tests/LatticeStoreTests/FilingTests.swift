import Foundation
import GRDB
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeStore

/// The indexes by which records leave, and what is counted, follow behind; nobody notices.
@Suite struct FilingTests {
    private func file(_ store: Store) async throws {
        try await store.access.file.writer.commit { try $0.file() }
    }

    private func unfiled(_ folder: Folder) throws -> Int {
        try DatabaseQueue(path: folder.path).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM record WHERE filed = 0") ?? -1
        }
    }

    /// Everything that depends on what is filed.
    private func answers(_ store: Store, at wallTime: WallTime) async throws -> [String] {
        let stats = try await store.upkeep.stats(at: wallTime)
        let totals = try await store.upkeep.totals()
        return [
            "\(stats.kinds) \(stats.records) \(stats.bytes) \(stats.peers) \(stats.overdue) \(stats.expired) \(stats.evicted)",
            "\(String(describing: stats.oldest)) \(String(describing: stats.newest))",
            "\(totals.kinds) \(totals.expired) \(totals.evicted)",
            "\(try await store.reconciling.groupCounts())",
            "\(String(describing: try await store.upkeep.nextExpiry()))",
            "\(try await store.ownClock())", "\(try await store.people.all(at: wallTime, limit: 100).map(\.peer))",
            "\(try await store.people.matching("author 2", at: wallTime, limit: 100).map(\.peer))",
            "\(try await store.reconciling.keeping(at: wallTime))",
            "\(try await KeySet.all(store).0.map(\.id).sorted())",
        ]
    }

    @Test(arguments: 0..<12) func filingAtAnyMomentGivesTheSameAnswers(seed: UInt64) async throws {
        var story = try Story(seed: seed)
        var dice = SeededGenerator(seed: seed)
        let quota = seed % 2 == 0 ? StoreQuota() : StoreQuota(bytes: 25_000, authorBytes: 9_000)
        let folders = try (0..<3).map { _ in try Folder() }
        let stores = try folders.map { try $0.store(of: story.authors[0], quota: quota) }
        let rule = StoredRetention(days: 1)
        for portion in story.shuffled().portions(of: Int.random(in: 1...5, using: &dice)) {
            let outcomes = [
                try await stores[0].insert(portion, at: Morning.arrival),
                try await stores[1].insert(portion, at: Morning.arrival),
                try await stores[2].insert(portion, at: Morning.arrival),
            ]
            #expect(outcomes[1] == outcomes[0] && outcomes[2] == outcomes[0])
            try await file(stores[1])
            if Bool.random(using: &dice) { try await file(stores[2]) }
        }
        for wallTime in [Morning.arrival, Morning.after(seconds: 3_700), Morning.after(seconds: 90_000)] {
            let expected = try await answers(stores[1], at: wallTime)
            for (index, store) in stores.enumerated() {
                #expect(try await answers(store, at: wallTime) == expected)
                #expect(difference(try dump(folders[index].path), try dump(folders[1].path)) == [])
            }
            let removed = [
                try await stores[0].upkeep.expire(at: wallTime), try await stores[1].upkeep.expire(at: wallTime),
                try await stores[2].upkeep.expire(at: wallTime),
            ]
            #expect(removed == Array(repeating: removed[1], count: 3))
            for store in stores { try await store.upkeep.setRetention(rule) }
        }
        for store in stores { #expect(try await store.upkeep.check(verify: verified).faults == []) }
    }

    @Test func whatWasNotFiledIsCountedByWhoeverOpensTheFileNext() async throws {
        let folder = try Folder()
        let (anna, bert) = (try Author(1), try Author(2))
        let quota = StoreQuota(bytes: 1 << 20, authorBytes: 3_000)
        let store = try folder.store(of: anna, quota: quota)
        for number in 0..<5 { _ = try await store.insert([bert.chat("\(number)")], at: Morning.arrival) }
        // As after a kill: the file stands as it is now, with its log.
        let copy = try Folder()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.path + suffix, toPath: copy.path + suffix)
        }
        let other = try copy.store(of: anna, quota: quota)
        #expect(try await other.upkeep.totals().kinds.map(\.records) == [5])
        #expect(try await other.ownClock() == store.ownClock())
        for number in 5..<20 {
            for one in [store, other] { _ = try await one.insert([bert.chat("\(number)")], at: Morning.arrival) }
        }
        let stats = try await other.upkeep.stats(at: Morning.arrival)
        #expect(stats.bytes <= 3_000 && stats.evicted > 0)
        #expect(try await stats.kinds == store.upkeep.stats(at: Morning.arrival).kinds)
        for one in [store, other] { #expect(try await one.upkeep.check(verify: verified).faults == []) }
    }

    @Test func twoProcessesFileWhatEitherWrote() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let stores = [try folder.store(of: anna), try folder.store(of: anna)]
        for number in 0..<600 {
            _ = try await stores[number % 2].insert([anna.chat("\(number)")], at: Morning.arrival)
        }
        #expect(try unfiled(folder) < 256)
        for store in stores { #expect(try await store.upkeep.totals().kinds.map(\.records) == [600]) }
        for store in stores { try store.close() }
        #expect(try unfiled(folder) == 0)
        #expect(try await folder.store(of: anna).upkeep.check(verify: verified).faults == [])
    }

    @Test func aStoreThatIsClosedIsFiled() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        _ = try await store.insert([anna.chat("one"), anna.chat("two")], at: Morning.arrival)
        try store.close()
        #expect(try unfiled(folder) == 0)
    }

    @Test func noNumberIsGivenTwice() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        _ = try await store.insert([anna.chat("stays")], at: Morning.arrival)
        let short = anna.post("goes", lifetimeSeconds: 600)
        _ = try await store.insert([short], at: Morning.arrival)
        let before = try await KeySet.all(store).1
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 700)) == 1)
        try store.close()
        let next = try folder.store(of: anna)
        #expect(try await KeySet.all(next).1.seq == before.seq)
        _ = try await next.insert([anna.chat("comes")], at: Morning.arrival)
        #expect(try await KeySet.all(next).1.seq == before.seq + 1)
        #expect(try await next.catalogue.changes(after: before, limit: 10).added.count == 1)
    }

    /// The row and two indexes; the rest follows for many lines at a time.
    @Test func aLineChangesFewPages() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        for number in 0..<300 { _ = try await store.insert([anna.chat("\(number)")], at: Morning.arrival) }
        func frames() throws -> Int {
            let size = try FileManager.default.attributesOfItem(atPath: folder.path + "-wal")[.size] as? Int ?? 0
            return (size - 32) / (4_096 + 24)
        }
        let before = try frames()
        for number in 300..<800 { _ = try await store.insert([anna.chat("\(number)")], at: Morning.arrival) }
        #expect(try frames() - before < 500 * 6)
    }

    @Test func manyRecordsAreFiledAsTheyAreInserted() async throws {
        let folders = [try Folder(), try Folder()]
        let (anna, bert) = (try Author(1), try Author(2))
        let stores = try folders.map { try $0.store(of: anna) }
        let first = (0..<10).map { bert.chat("\($0)") }
        let many = (0..<300).map { bert.chat("many \($0)") } + (0..<20).map { anna.post("post \($0)") } + first
        for store in stores { _ = try await store.insert(first, at: Morning.arrival) }
        let outcomes = try await stores[0].insert(many, at: Morning.arrival)
        #expect(outcomes == Array(repeating: .added, count: 320) + Array(repeating: .known, count: 10))
        #expect(try unfiled(folders[0]) == 0)
        for portion in many.portions(of: 7) { _ = try await stores[1].insert(portion, at: Morning.arrival) }
        let last = bert.chat("last")
        for store in stores { _ = try await store.insert([last], at: Morning.arrival) }
        #expect(try unfiled(folders[0]) == 1)
        let expected = try await answers(stores[1], at: Morning.arrival)
        #expect(try await answers(stores[0], at: Morning.arrival) == expected)
        // Most of them are known: what is added is filed all the same.
        _ = try await stores[0].insert(many + [bert.chat("one more")], at: Morning.arrival)
        #expect(try unfiled(folders[0]) == 0)
        #expect(try await stores[0].upkeep.stats(at: Morning.after(seconds: 1 << 40)).overdue == 332)
        for store in stores { #expect(try await store.upkeep.check(verify: verified).faults == []) }
    }

    /// It has more than 4,096 pages, four or five a line, and fewer than SQLite merges by itself.
    @Test(.timeLimit(.minutes(10))) func aLongLogIsMergedWhenNothingWaits() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        func fileBytes() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: folder.path)[.size] as? Int ?? 0
        }
        let before = try fileBytes()
        for number in 0..<1_600 { _ = try await store.insert([anna.chat("\(number)")], at: Morning.arrival) }
        while try fileBytes() == before { await Task.yield() }
    }
}

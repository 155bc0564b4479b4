import Foundation
import GRDB
import LatticeCore
import LatticeCrypto
import LatticeSalvage
import LatticeStore
import LatticeWire
import Testing

@Suite struct CatalogueTests {
    /// Two processes write by turns, with little room, and things expire: a copy that follows either is what either loads.
    @Test(arguments: 0..<30) func whatFollowsTheFileIsWhatIsLoadedAnew(seed: UInt64) async throws {
        var story = try Story(seed: seed)
        let folder = try Folder()
        let quota = StoreQuota(bytes: seed % 3 == 0 ? 12_000 : 1 << 30, authorBytes: seed % 3 == 1 ? 6_000 : 128 << 20)
        let stores = [
            try folder.store(of: story.authors[0], quota: quota), try folder.store(of: story.authors[0], quota: quota),
        ]
        var copies = [try await KeySet(stores[0]), try await KeySet(stores[1])]
        let limits = [1, 3, 1_000]
        let records = story.shuffled()
        // Told twice over: what left comes again, if it may.
        for (index, portion) in (records + records).portions(of: Int(seed % 11) + 1).enumerated() {
            let seconds = Int64(index) * 60
            _ = try await stores[index % 2].insert(portion, at: Morning.after(seconds: seconds))
            if index % 7 == 0 { _ = try await stores[0].upkeep.expire(at: Morning.after(seconds: seconds)) }
            for which in 0..<2 where (index + which) % 3 != 0 {
                try await copies[which].follow(stores[which], limit: limits[(index + which) % 3])
                #expect(try await copies[which].keys == KeySet.all(stores[1 - which]).0)
            }
        }
        #expect(copies.map(\.loads) == [1, 1])
    }

    @Test func keysAreToldInTheOrderOfTheirIds() async throws {
        let folder = try Folder()
        let (anna, bert) = (try Author(1), try Author(2))
        let store = try folder.store(of: anna)
        // More than a portion, some of one date, one of a date whose top bit is set.
        let late = HybridTime(rawValue: 1 << 63 | 5)
        var records = (0..<5_000).map { bert.post("\($0)", at: Morning.milliseconds - Int64($0 / 3)) }
        records.append(
            bert.identity.sign(
                Record(
                    kind: RecordKind(rawValue: 400), author: bert.peer, created: late, lifetimeSeconds: 600, topic: [],
                    body: [])))
        let outcomes = try await store.insert(records, at: Morning.arrival)
        #expect(outcomes.allSatisfy { $0 == .added })
        let (keys, _) = try await KeySet.list(store)
        let wanted = records.map { StoredKey(created: $0.record.created, id: $0.id, group: group(of: $0)) }
        #expect(keys == wanted.sorted { $0.id < $1.id })
        #expect(keys.filter { $0.group == .other }.map(\.created) == [late])
    }

    private func group(of record: VerifiedRecord) -> SyncScope.Group {
        SyncScope.Group(of: record.kind) ?? .other
    }

    @Test func whatIsTakenBackLeavesTheKeysThoughItsPlaceIsKept() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        let (post, other) = (anna.post("oops"), anna.post("never"))
        _ = try await store.insert([post], at: Morning.arrival)
        let mark = try await KeySet.all(store).1
        let deletions = [anna.delete(post.id), anna.delete(other.id)]
        #expect(try await store.insert(deletions + [other], at: Morning.arrival) == [.added, .added, .erased])
        let changes = try await store.catalogue.changes(after: mark, limit: 10)
        #expect(changes.removed.map(\.id) == [post.id])
        #expect(changes.added.map(\.id) == deletions.map(\.id))
        #expect(try await store.catalogue.known([post.id, other.id]).count == 2)
    }

    @Test func whoIsFarBehindLoadsAnew() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        _ = try await store.insert([anna.like(anna.post("x").id)], at: Morning.arrival)
        var copy = try await KeySet(store)
        let queue = try DatabaseQueue(path: folder.path)
        // As if very many had left; with one less, every change is listed.
        func leave(_ count: Int) async throws {
            try await queue.write { database in
                for _ in 0..<count {
                    try database.execute(
                        sql: "INSERT INTO removal (created, id, kind) SELECT created, id, 400 FROM record LIMIT 1")
                }
            }
        }
        try await leave(50_000)
        try await copy.follow(store, limit: 20_000)
        #expect(copy.loads == 1)
        try await leave(50_001)
        try await copy.follow(store, limit: 20_000)
        #expect(copy.loads == 2)
        #expect(try await copy.keys == KeySet.all(store).0)
    }

    @Test func numbersOfAnotherFileMeanNothing() async throws {
        let (one, other) = (try Folder(), try Folder())
        let anna = try Author(1)
        let stores = [try one.store(of: anna), try other.store(of: anna)]
        let mark = try await KeySet.all(stores[0]).1
        #expect(try await stores[0].catalogue.changes(after: mark, limit: 1).isReset == false)
        #expect(try await stores[1].catalogue.changes(after: mark, limit: 1).isReset)
    }

    @Test func whatIsSavedOfADamagedFileIsAnotherFile() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        _ = try await store.insert([anna.post("here")], at: Morning.arrival)
        let mark = try await KeySet.all(store).1
        try store.close()
        _ = try await Salvage.run(path: folder.path, owner: anna.peer, at: Morning.arrival) { verified($0) }
        let saved = try folder.store(of: anna)
        #expect(try await saved.catalogue.changes(after: mark, limit: 1).isReset)
    }

    @Test func anOlderCopyOfTheFileIsNotTakenForALaterOne() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        let before = try await KeySet.all(store).1
        _ = try await store.insert([anna.post("here")], at: Morning.arrival)
        let after = try await KeySet.all(store).1
        try store.close()
        try await DatabaseQueue(path: folder.path).write {
            try $0.execute(sql: "DELETE FROM item; DELETE FROM spot; DELETE FROM record; DELETE FROM removal")
            try $0.execute(sql: "UPDATE ledger SET filed = 0, top = 0")
        }
        let older = try folder.store(of: anna)
        #expect(try await older.catalogue.changes(after: before, limit: 1).isReset == false)
        #expect(try await older.catalogue.changes(after: after, limit: 1).isReset)
    }

    @Test func keysOfARoomAreThoseOfItsLinesFromADateOn() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        let lines = (0..<20).map {
            anna.say(.chat, topic: Array("#a".utf8), body: [0, 1, 97, 1, 98], at: Morning.milliseconds + $0)
        }
        let other = anna.say(.chat, topic: Array("#b".utf8), body: [0, 1, 97, 1, 98])
        _ = try await store.insert(lines.reversed() + [other, anna.delete(lines[19].id)], at: Morning.arrival)
        let since = lines[5].record.created
        let keys = try await store.catalogue.keys(ofRoom: Array("#a".utf8), since: since)
        #expect(keys.map(\.id) == lines[5..<19].map(\.id))
        #expect(keys.allSatisfy { $0.group == .chat })
        #expect(try await store.catalogue.keys(ofRoom: [3], since: since).isEmpty)
    }
}

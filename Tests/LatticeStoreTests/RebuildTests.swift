import GRDB
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// As a node verifies, without its tasks.
func verified(_ records: [SignedRecord]) -> [VerifiedRecord?] {
    records.map { try? RecordVerifier.verify($0) }
}

@Suite struct RebuildTests {
    @Test(arguments: 0..<20) func whatIsMadeAnewIsWhatWasThere(seed: UInt64) async throws {
        var story = try Story(seed: seed)
        let folder = try Folder()
        let store = try folder.store(of: story.authors[0])
        for portion in story.shuffled().portions(of: 7) { _ = try await store.insert(portion, at: Morning.arrival) }
        let before = try dump(folder.path)
        let stats = try await store.upkeep.stats(at: Morning.arrival)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        #expect(try await store.upkeep.rebuild(at: Morning.arrival) == stats.records)
        #expect(difference(before, try dump(folder.path)) == [])
        // What expires takes with it what followed from it, and only that.
        while try await store.upkeep.expire(at: Morning.after(seconds: 5_000)) > 0 {}
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func aCheckNamesWhatIsNotWhatItShouldBe() async throws {
        let folder = try Folder()
        let (anna, bert) = (try Author(1), try Author(2))
        let store = try folder.store(of: anna)
        let post = anna.post("hello")
        _ = try await store.insert([post, bert.comment("hi", on: post.id), bert.post("there")], at: Morning.arrival)
        let queue = try DatabaseQueue(path: folder.path)
        try await queue.write { try $0.execute(sql: "UPDATE item SET comments = 7 WHERE kind = 4") }
        let found = try await store.upkeep.check(verify: verified)
        #expect(found.records == 3)
        #expect(found.faults.count == 1 && found.faults[0].contains("the table item"))
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        try await queue.write {
            try $0.execute(
                sql:
                    "UPDATE record SET bytes = CAST(substr(bytes, 1, length(bytes) - 1) || x'00' AS BLOB) WHERE kind = 5"
            )
        }
        let forged = try await store.upkeep.check(verify: verified)
        #expect(forged.faults.count == 1 && forged.faults[0].contains("has an invalid signature"))
    }

    @Test func aCheckChangesNothing() async throws {
        var story = try Story(seed: 77)
        let folder = try Folder()
        let store = try folder.store(of: story.authors[0])
        _ = try await store.insert(story.shuffled(), at: Morning.arrival)
        let before = try dump(folder.path)
        _ = try await store.upkeep.check(verify: verified)
        #expect(difference(before, try dump(folder.path)) == [])
        #expect(try await store.insert([story.authors[1].post("and on")], at: Morning.arrival) == [.added])
    }

    @Test func whatIsFreeGoesBackToTheDisk() async throws {
        let folder = try Folder()
        let anna = try Author(1)
        let store = try folder.store(of: anna)
        let posts = (0..<400).map { anna.post(String(repeating: "word \($0) ", count: 100), lifetimeSeconds: 600) }
        _ = try await store.insert(posts, at: Morning.arrival)
        while try await store.upkeep.expire(at: Morning.after(seconds: 700)) > 0 {}
        let (before, after) = try await store.upkeep.vacuum()
        #expect(after < before / 2)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }
}

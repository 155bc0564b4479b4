import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@Suite struct AgeTests {
    private let folder = Result { try Folder() }
    private let anna = Result { try Author(1) }
    private static let year: Int64 = 365 * 86_400

    private func store() throws -> Store {
        try folder.get().store(of: try anna.get())
    }

    @Test func whatIsDatedAheadEndsWhereverItGoesAtAboutTheSameTime() async throws {
        let bert = try Author(2)
        let ahead = bert.post("soon", at: Morning.after(seconds: Self.year).milliseconds, lifetimeSeconds: 3_600)
        let folders = try (0..<4).map { _ in try Folder() }
        var age: UInt32 = 0
        for (index, folder) in folders.enumerated() {
            let store = try folder.store(of: try anna.get())
            let now = Morning.after(seconds: 800 * Int64(index))
            #expect(try await store.insert([IncomingRecord(ahead, ageSeconds: age)], at: now) == [.added])
            let later = Morning.after(seconds: 800 * Int64(index + 1))
            age = try #require(try await store.catalogue.served([ahead.id], at: later).first).ageSeconds
            #expect(age == 800 * UInt32(index + 1))
        }
        for folder in folders {
            let store = try folder.store(of: try anna.get())
            #expect(try await store.upkeep.expire(at: Morning.after(seconds: 3_599)) == 0)
            #expect(try await store.upkeep.expire(at: Morning.after(seconds: 3_600)) == 1)
        }
        let store = try folders[0].store(of: try anna.get())
        let outcome = try await store.insert(
            [IncomingRecord(ahead, ageSeconds: 3_600)], at: Morning.after(seconds: 3_600))
        #expect(outcome == [.expiredByAge])
    }

    @Test func ofWhatIsNotDatedAheadNobodysWordCounts() async throws {
        let bert = try Author(2)
        let (post, old) = (
            bert.post("now"), bert.post("old", at: Morning.milliseconds - 4_000_000, lifetimeSeconds: 60)
        )
        let store = try store()
        let outcomes = try await store.insert(
            [IncomingRecord(post, ageSeconds: .max), IncomingRecord(old, ageSeconds: .max)], at: Morning.arrival)
        #expect(outcomes == [.added, .expired])
        #expect(try await store.catalogue.served([post.id], at: Morning.after(seconds: 90)).map(\.ageSeconds) == [30])
        // A clock that was put back since.
        #expect(try await store.catalogue.served([post.id], at: Morning.after(seconds: 0)).map(\.ageSeconds) == [0])
    }

    @Test func everyKindThatIsOverByItsGiversWordSaysSo() async throws {
        let bert = try Author(2)
        let ahead = Morning.after(seconds: Self.year).milliseconds
        let store = try store()
        let post = bert.post("x")
        let records = [
            bert.say(.profile, body: bert.profile("x").record.body, at: ahead),
            bert.say(.like, topic: post.id.hash.bytes, body: Statement(holds: true).body, at: ahead),
            bert.say(.deletion, topic: post.id.hash.bytes, body: [], at: ahead),
            bert.say(.edit, topic: post.id.hash.bytes, body: bert.postBody("y"), at: ahead),
            bert.say(RecordKind(rawValue: 400), body: [], at: ahead), bert.post("soon", at: ahead),
        ]
        let outcomes = try await store.insert(records.map { IncomingRecord($0, ageSeconds: .max) }, at: Morning.arrival)
        #expect(outcomes == Array(repeating: .expiredByAge, count: 6))
        #expect(try await store.insert(records, at: Morning.arrival) == Array(repeating: .added, count: 6))
    }

    @Test func whatEndsSoonestIsSuppliedFirst() async throws {
        let bert = try Author(2)
        let store = try store()
        let posts = [900, 300, 600, 60].map { bert.post("\($0)", lifetimeSeconds: UInt32($0)) }
        let oops = bert.post("oops")
        _ = try await store.insert(posts + [oops, bert.delete(oops.id)], at: Morning.milliseconds.wallTime)
        let ids = posts.map(\.id) + [oops.id, bert.post("never told").id]
        let served = try await store.catalogue.served(ids, at: Morning.arrival)
        #expect(served.map(\.record) == [posts[1], posts[2], posts[0]].map(\.signed))
        #expect(served.map(\.ageSeconds) == [60, 60, 60])
    }
}

extension Int64 {
    fileprivate var wallTime: WallTime { WallTime(milliseconds: self) }
}

import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@Suite struct QuotaTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let carl: Author

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        carl = try Author(3)
    }

    private func texts() throws -> [String] {
        try dump(folder.path).filter { $0.hasPrefix("item") }.map {
            String($0.split(separator: "|")[9].dropFirst().dropLast())
        }
        .sorted()
    }

    @Test func strangersGoBeforeThoseOneFollowsAndOneself() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 6_000))
        let old = Morning.milliseconds - 1_000_000
        _ = try await store.insert(
            [anna.follow(bert.peer), anna.post("own", at: old), bert.post("friend", at: old + 1)], at: Morning.arrival)
        for number in 0..<40 {
            _ = try await store.insert([carl.post("stranger \(number)")], at: Morning.arrival)
        }
        let kept = try texts()
        #expect(kept.contains("own") && kept.contains("friend") && kept.contains("stranger 39"))
        #expect(!kept.contains("stranger 0"))
        let stats = try await store.upkeep.stats(at: Morning.arrival)
        #expect(stats.bytes <= 6_000 && stats.bytes > 4_500)
        #expect(stats.evicted == 42 - stats.records + 1)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func oneAuthorCannotHaveItAll() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 1_000_000, authorBytes: 2_000))
        _ = try await store.insert((0..<20).map { carl.post("loud \($0)") } + [bert.post("quiet")], at: Morning.arrival)
        let kept = try texts()
        #expect(kept.contains("quiet") && kept.contains("loud 19") && !kept.contains("loud 0"))
        #expect(kept.count < 8)
    }

    @Test func aFloodOfWhatIsNoWritingPushesOutItself() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 40_000))
        let old = Morning.milliseconds - 1_000_000
        let written = (0..<40).map { bert.post("written \($0)", at: old + Int64($0)) }
        _ = try await store.insert(written, at: Morning.arrival)
        for number in 0..<30 {
            let nothing = carl.post("never told \(number)").id
            let flood = (0..<10).flatMap { count in
                [
                    carl.delete(carl.post("\(number) \(count)").id), carl.like(carl.post("\(count)").id),
                    carl.say(RecordKind(rawValue: 77 + UInt64(count)), topic: nothing.hash.bytes, body: [1]),
                ]
            }
            _ = try await store.insert(flood, at: Morning.arrival)
        }
        #expect(try texts().count == 40)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func aDateInTheFutureMakesNothingYounger() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 4_000))
        let future = Morning.milliseconds + 10_000_000_000
        _ = try await store.insert([carl.post("from the future", at: future)], at: Morning.arrival)
        for number in 0..<20 {
            _ = try await store.insert(
                [bert.post("now \(number)", at: Morning.milliseconds + 3_600_000)], at: Morning.after(seconds: 3_600))
        }
        #expect(try texts().contains("from the future") == false)
    }

    @Test func strangersWhoComeAndGoLeaveNothingBehind() async throws {
        let store = try folder.store(of: anna)
        for number in 10..<30 as Range<UInt8> {
            let stranger = try Author(number)
            _ = try await store.insert([stranger.post("short", lifetimeSeconds: 600)], at: Morning.arrival)
        }
        _ = try await store.insert([bert.post("long")], at: Morning.arrival)
        #expect(try await store.upkeep.stats(at: Morning.arrival).peers == 22)
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 700)) == 20)
        // The owner and bert.
        #expect(try await store.upkeep.stats(at: Morning.arrival).peers == 2)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        #expect(
            try await store.insert([anna.post("own"), carl.post("again")], at: Morning.arrival) == [.added, .added])
    }

    @Test func whatFindsNoRoomIsToldSo() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 2_000))
        let old = Morning.milliseconds - 1_000_000
        _ = try await store.insert((0..<4).map { anna.post("own \($0)") }, at: Morning.arrival)
        let outcomes = try await store.insert([carl.post("old", at: old), anna.post("own")], at: Morning.arrival)
        #expect(outcomes == [.evicted, .added])
    }
}

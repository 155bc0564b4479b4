import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@Suite struct FloorTests {
    /// What is kept when there is not room for half of it.
    @Test(arguments: 0..<15) func whatIsKeptDoesNotDependOnTheOrderOfComing(seed: UInt64) async throws {
        var crowd = try Crowd(seed: seed)
        let owner = crowd.authors[0]
        let follow = owner.follow(crowd.authors[1].peer)
        var first: Set<StoredKey>?
        for _ in 0..<5 {
            let folder = try Folder()
            let store = try folder.store(of: owner, quota: StoreQuota(bytes: 50_000))
            _ = try await store.insert([follow], at: Morning.arrival)
            for portion in crowd.portions(of: crowd.shuffled()) {
                _ = try await store.insert(portion, at: Morning.arrival)
            }
            let keys = try await KeySet.all(store).0
            #expect(try await store.upkeep.stats(at: Morning.arrival).evicted > 0)
            if let first { #expect(keys == first) } else { first = keys }
        }
    }

    @Test(arguments: 0..<10) func storesOfDifferentRoomNeitherPurgeNorFetchAgain(seed: UInt64) async throws {
        var crowd = try Crowd(seed: seed)
        let folders = [try Folder(), try Folder()]
        let quotas = [40_000, seed % 2 == 0 ? 1 << 30 : 70_000]
        var exchange = Exchange(
            try (0..<2).map { try folders[$0].store(of: crowd.authors[$0], quota: StoreQuota(bytes: quotas[$0])) })
        let follow = crowd.authors[0].follow(crowd.authors[1].peer)
        _ = try await exchange.insert([follow], into: 0, at: Morning.arrival)
        for portion in crowd.portions(of: crowd.shuffled()) {
            let sides = crowd.isChance(1, of: 3) ? [0, 1] : crowd.isChance(1, of: 2) ? [0] : [1]
            for side in sides { _ = try await exchange.insert(portion, into: side, at: Morning.arrival) }
            if crowd.isChance(1, of: 3) { _ = try await exchange.round(at: Morning.arrival) }
        }
        try await exchange.untilStable(at: Morning.arrival)
        let evicted = try await exchange.stores[0].upkeep.stats(at: Morning.arrival).evicted
        #expect(evicted > 0)
        // As if a minute had passed each time, with nothing new.
        for minute in 1...3 as ClosedRange<Int64> {
            #expect(try await exchange.round(at: Morning.after(seconds: 60 + minute * 60)) == 0)
        }
        #expect(try await exchange.stores[0].upkeep.stats(at: Morning.arrival).evicted == evicted)
        #expect(exchange.comebacks == 0)
        // And life goes on.
        let news = (0..<60).map { _ in crowd.next(within: -60_000..<0) }
        _ = try await exchange.insert(news, into: Int(seed % 2), at: Morning.after(seconds: 120))
        try await exchange.untilStable(at: Morning.after(seconds: 180))
        #expect(exchange.comebacks == 0)
        for store in exchange.stores { #expect(try await store.upkeep.check(verify: verified).faults == []) }
    }

    @Test func whatIsAsOldAsWhatHadToGoIsDeclined() async throws {
        let (anna, bert, carl) = (try Author(1), try Author(2), try Author(3))
        let folder = try Folder()
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 3_000))
        let posts = (0..<20).map { carl.post("\($0)", at: Morning.milliseconds + Int64($0)) }
        _ = try await store.insert([anna.follow(bert.peer)] + posts, at: Morning.arrival)
        let kept = try await store.catalogue.known(posts.map(\.id))
        let newest = try #require(posts.last { !kept.contains($0.id) })
        let floor = newest.record.created.wallTime.milliseconds
        let more = [
            carl.chat("as old"), carl.post("older", at: floor - 1), carl.post("of that moment", at: floor),
            carl.like(posts[0].id), carl.edit(posts[0].id, carl.postBody("new")), bert.post("friend", at: floor - 1),
            anna.post("own", at: floor - 1),
        ]
        #expect(
            try await store.insert(more, at: Morning.arrival) == [
                .evicted, .evicted, .evicted, .evicted, .evicted, .added, .added,
            ])
        let keeping = try await store.reconciling.keeping(at: Morning.arrival)
        let raised = try #require(keeping.since(.posts)).wallTime.milliseconds
        // The owner's and the friend's records left still less space for others.
        #expect(raised > floor && keeping.entries.allSatisfy { $0.since.wallTime.milliseconds == raised })
        #expect(keeping.rooms == nil && keeping.entries.count == 5)
    }

    @Test func whenMuchIsFreeAgainWhatHadToGoMayComeBack() async throws {
        let (anna, carl) = (try Author(1), try Author(3))
        let folder = try Folder()
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 6_000))
        let old = carl.post("old", at: Morning.milliseconds - 1)
        let posts = (0..<20).map { carl.post("\($0)", at: Morning.milliseconds + Int64($0), lifetimeSeconds: 600) }
        _ = try await store.insert([old] + posts, at: Morning.arrival)
        #expect(try await store.insert([old], at: Morning.arrival) == [.evicted])
        _ = try await store.upkeep.expire(at: Morning.after(seconds: 900))
        #expect(try await store.insert([old], at: Morning.after(seconds: 900)) == [.added])
        #expect(try await store.reconciling.keeping(at: Morning.arrival) == .everything)
    }

    @Test func anAuthorsFloorIsTheirsAlone() async throws {
        let (anna, bert, carl) = (try Author(1), try Author(2), try Author(3))
        let folder = try Folder()
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 1_000_000, authorBytes: 2_000))
        let posts = (0..<10).map { carl.post("\($0)", at: Morning.milliseconds + Int64($0)) }
        _ = try await store.insert(posts, at: Morning.arrival)
        let (his, another) = (
            carl.post("late", at: Morning.milliseconds), bert.post("quiet", at: Morning.milliseconds)
        )
        #expect(try await store.insert([his, another], at: Morning.arrival) == [.evicted, .added])
        #expect(try await store.reconciling.keeping(at: Morning.arrival) == .everything)
    }

    @Test func aClockThatWasAheadRaisesNoFloorForEver() async throws {
        let (anna, carl) = (try Author(1), try Author(3))
        let folder = try Folder()
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 3_000))
        let year = Morning.after(seconds: 365 * 86_400)
        let wrong = (0..<20).map { carl.post("\($0)", at: year.milliseconds - Int64($0)) }
        _ = try await store.insert(wrong, at: year)
        #expect(try await store.insert([carl.post("now")], at: Morning.arrival) == [.evicted])
        #expect(try await store.insert([anna.post("own")], at: Morning.arrival) == [.added])
        // The next floor is raised by a right clock, and there is room for what is said now.
        _ = try await store.insert((0..<20).map { anna.post("\($0)") }, at: Morning.arrival)
        let keeping = try await store.reconciling.keeping(at: Morning.arrival)
        #expect(
            try #require(keeping.since(.posts)).wallTime <= WallTime(milliseconds: Morning.arrival.milliseconds + 1))
    }

    @Test func whomOneFollowsNoMoreGoesWithTheStrangersHoweverOld() async throws {
        let (anna, bert, carl) = (try Author(1), try Author(2), try Author(3))
        let folder = try Folder()
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 5_000))
        let friend = bert.post("friend", at: Morning.milliseconds - 1_000_000)
        _ = try await store.insert([anna.follow(bert.peer), friend], at: Morning.arrival)
        _ = try await store.insert((0..<30).map { carl.post("\($0)") }, at: Morning.arrival)
        #expect(try await store.catalogue.known([friend.id]).count == 1)
        _ = try await store.insert([anna.follow(bert.peer, holds: false)], at: Morning.arrival)
        _ = try await store.insert([carl.post("one more", at: Morning.milliseconds + 1)], at: Morning.arrival)
        #expect(try await store.catalogue.known([friend.id]).isEmpty)
    }
}

/// Two stores that give each other what either lacks of what both keep.
private struct Exchange {
    let stores: [Store]
    private var here: [Set<RecordID>] = [[], []]
    private var gone: [Set<RecordID>] = [[], []]
    /// How often something was put in that had been there before.
    private(set) var comebacks = 0

    init(_ stores: [Store]) {
        self.stores = stores
    }

    mutating func insert(_ records: [VerifiedRecord], into side: Int, at now: WallTime) async throws -> Int {
        try await insert(records.map { IncomingRecord($0) }, into: side, at: now)
    }

    private mutating func insert(_ records: [IncomingRecord], into side: Int, at now: WallTime) async throws -> Int {
        let outcomes = try await stores[side].insert(records, at: now)
        let added = zip(records, outcomes).filter { $1 == .added }.map(\.0.record.id)
        comebacks += added.count { gone[side].contains($0) }
        here[side].formUnion(added)
        let left = try await here[side].subtracting(KeySet.all(stores[side]).0.map(\.id))
        gone[side].formUnion(left)
        here[side].subtract(left)
        return added.count
    }

    /// - Returns: how many records were put in.
    mutating func round(at now: WallTime) async throws -> Int {
        var added = 0
        let keepings = [
            try await stores[0].reconciling.keeping(at: now), try await stores[1].reconciling.keeping(at: now),
        ]
        for (scope, since) in keepings[0].overlap(with: keepings[1]) {
            var keys: [Set<RecordID>] = []
            for store in stores {
                let all = try await KeySet.all(store).0
                keys.append(Set(all.filter { $0.group == scope.group && $0.created >= since }.map(\.id)))
            }
            for side in 0..<2 {
                let wanted = keys[1 - side].subtracting(keys[side]).sorted()
                let served = try await stores[1 - side].catalogue.served(wanted, at: now)
                let records = zip(verified(served.map(\.record)), served).compactMap { record, serve in
                    record.map { IncomingRecord($0, ageSeconds: serve.ageSeconds) }
                }
                added += try await insert(records, into: side, at: now)
            }
        }
        return added
    }

    /// And both are the same in what both keep.
    mutating func untilStable(at now: WallTime) async throws {
        var rounds = 0
        while try await round(at: now) > 0 {
            rounds += 1
            // Each round brings a floor nearer to the other's.
            guard rounds < 20 else {
                Issue.record("it does not end")
                return
            }
        }
        let keepings = [
            try await stores[0].reconciling.keeping(at: now), try await stores[1].reconciling.keeping(at: now),
        ]
        let all = [try await KeySet.all(stores[0]).0, try await KeySet.all(stores[1]).0]
        for (scope, since) in keepings[0].overlap(with: keepings[1]) {
            let kept = all.map { $0.filter { $0.group == scope.group && $0.created >= since } }
            #expect(kept[0] == kept[1])
        }
    }
}

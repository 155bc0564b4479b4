import LatticeCore
import LatticeStore
import LatticeWire
import Testing

@Suite struct RetentionTests {
    private let folder: Folder
    private let anna: Author
    private let bert: Author
    private let carl: Author
    private let store: Store
    private static let day: Int64 = 86_400

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        bert = try Author(2)
        carl = try Author(3)
        store = try folder.store(of: anna)
    }

    private func line(_ room: [UInt8], by author: Author) -> VerifiedRecord {
        author.say(.chat, topic: room, body: ChatLine(style: .says, name: author.name, text: "hello").body)
    }

    private func post(by author: Author, daysAgo days: Int64) -> VerifiedRecord {
        author.post(
            "\(days) days", at: Morning.milliseconds - days * Self.day * 1_000,
            lifetimeSeconds: UInt32(365 * Self.day))
    }

    @Test(arguments: [
        StoredRetention.everything, StoredRetention(groups: []), StoredRetention(groups: [.chat, .other]),
        StoredRetention(rooms: []),
        StoredRetention(rooms: [[]]),
        StoredRetention(groups: [.posts], rooms: [[0, 255], Array("#park;,-".utf8)], days: 365),
        StoredRetention(days: 1),
    ]) func aRuleStays(rule: StoredRetention) async throws {
        #expect(try await store.upkeep.retention() == .everything)
        try await store.upkeep.setRetention(rule)
        #expect(try await folder.store(of: anna).upkeep.retention() == rule)
        try await store.upkeep.setRetention(.everything)
        #expect(try await store.upkeep.retention() == .everything)
    }

    @Test func whatIsOutsideIsNotTakenUnlessItIsOnesOwn() async throws {
        try await store.upkeep.setRetention(
            StoredRetention(groups: [.chat, .posts], rooms: [Array("#1".utf8)], days: 30))
        let records = [
            line(Array("#1".utf8), by: bert), line(Array("#2".utf8), by: bert), line(Array("#2".utf8), by: anna),
            bert.profile("me"), anna.follow(bert.peer),
            post(by: bert, daysAgo: 40), post(by: carl, daysAgo: 40), post(by: carl, daysAgo: 29),
        ]
        #expect(
            try await store.insert(records, at: Morning.arrival) == [
                .added, .ignored, .added, .ignored, .added, .added, .ignored, .added,
            ])
    }

    @Test func othersAreToldWhatIsKept() async throws {
        try await store.upkeep.setRetention(
            StoredRetention(groups: [.chat, .people], rooms: [Array("#2".utf8), Array("#1".utf8)], days: 30))
        let keeping = try await store.reconciling.keeping(at: Morning.arrival)
        #expect(
            keeping.entries.map(\.group) == [.chat, .people] && keeping.rooms == [Array("#1".utf8), Array("#2".utf8)])
        let since = Morning.arrival.milliseconds - 30 * Self.day * 1_000
        let told = try #require(keeping.since(.chat)).wallTime.milliseconds
        // A full hour, not before what is kept.
        #expect(told >= since && told < since + 3_600_000 && told % 3_600_000 == 0)
    }

    @Test func whatWasHereBeforeTheRuleGoesWithWhatExpires() async throws {
        let wanted = [
            line(Array("#1".utf8), by: bert), line(Array("#3".utf8), by: anna), anna.follow(bert.peer),
            post(by: bert, daysAgo: 40),
        ]
        let unwanted = [line(Array("#2".utf8), by: bert), post(by: carl, daysAgo: 40), bert.like(wanted[0].id)]
        _ = try await store.insert(wanted + unwanted, at: Morning.arrival)
        try await store.upkeep.setRetention(
            StoredRetention(groups: [.chat, .posts], rooms: [Array("#1".utf8)], days: 30))
        #expect(try await store.catalogue.known(unwanted.map(\.id)).count == 3)
        #expect(try await store.upkeep.expire(at: Morning.arrival) == 3)
        #expect(try await store.upkeep.expire(at: Morning.arrival) == 0)
        #expect(try await store.catalogue.known((wanted + unwanted).map(\.id)) == Set(wanted.map(\.id)))
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        #expect(try await store.upkeep.stats(at: Morning.arrival).expired == 3)
    }

    @Test func strangersGrowTooOldAndSoDoThoseOneFollowsNoMore() async throws {
        let posts = [post(by: carl, daysAgo: 1), post(by: bert, daysAgo: 1), post(by: anna, daysAgo: 1)]
        try await store.upkeep.setRetention(StoredRetention(days: 30))
        let follow = anna.say(
            .follow, topic: bert.peer.key.bytes, body: Statement(holds: true).body,
            lifetimeSeconds: UInt32(365 * Self.day))
        _ = try await store.insert([follow] + posts, at: Morning.arrival)
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 28 * Self.day)) == 0)
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 30 * Self.day)) == 1)
        #expect(try await store.catalogue.known(posts.map(\.id)).contains(posts[0].id) == false)
        let unfollow = anna.say(
            .follow, topic: bert.peer.key.bytes, body: Statement(holds: false).body,
            at: Morning.after(seconds: 30 * Self.day).milliseconds)
        _ = try await store.insert([unfollow], at: Morning.after(seconds: 30 * Self.day))
        #expect(try await store.upkeep.expire(at: Morning.after(seconds: 30 * Self.day)) == 1)
        #expect(try await store.catalogue.known(posts.map(\.id)) == [posts[2].id])
    }

    @Test func muchGoesInPortions() async throws {
        let lines = (0..<2_500).map { _ in line(Array("#2".utf8), by: bert) }
        _ = try await store.insert(lines, at: Morning.arrival)
        try await store.upkeep.setRetention(StoredRetention(rooms: [Array("#1".utf8)]))
        var removed: [Int] = []
        while removed.last != 0 { removed.append(try await store.upkeep.expire(at: Morning.arrival)) }
        #expect(removed == [1_000, 1_000, 500, 0])
    }
}

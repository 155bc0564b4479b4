import Foundation
import GRDB
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire
import Testing

/// Strangers who hold keys, sign what they like and send it in any order.
@Suite struct HostileTests {
    private let folder: Folder
    private let anna: Author
    private let carl: Author

    init() throws {
        folder = try Folder()
        anna = try Author(1)
        carl = try Author(3)
    }

    private func count(_ table: String) throws -> Int {
        try DatabaseQueue(path: folder.path).read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    // MARK: Anything in any order

    /// Whatever comes and goes, what is derived is what follows from the records, and no record makes a batch fail.
    @Test(arguments: 0..<40) func nothingThatIsSignedPutsTheStoreOutOfOrder(seed: UInt64) async throws {
        var malice = try Malice(seed: seed)
        let quota = StoreQuota(
            bytes: [4_000, 20_000, 1 << 30][Int(seed % 3)], authorBytes: [2_000, 1 << 30][Int(seed / 3 % 2)])
        let store = try folder.store(of: malice.authors[0], quota: quota)
        var told: [VerifiedRecord] = []
        for _ in 0..<25 {
            let wallTime = malice.time()
            let news = (0..<12).map { _ in malice.next() }
            told += news
            _ = try await store.insert(
                (news + malice.some(of: told, count: 6)).shuffled(using: &malice.dice), at: wallTime)
            if Bool.random(using: &malice.dice) { _ = try await store.upkeep.expire(at: wallTime) }
            #expect(try await store.upkeep.stats(at: wallTime).bytes <= quota.bytes)
        }
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        let before = try dump(folder.path)
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(difference(before, try dump(folder.path)) == [])
        #expect(!before.contains { $0.contains("orphaned") })
        try await readEverything(store, malice)
    }

    private func readEverything(_ store: Store, _ malice: Malice) async throws {
        for now in malice.times {
            for kind in [RecordKind.post, .event] {
                _ = try await store.items.near(
                    NearSearch(
                        kind: kind, centre: Morning.place.coordinate, reachMetres: 100_000, now: now, limit: 100))
            }
            _ = try await store.timeline.items(at: now, limit: 100)
            _ = try await store.people.all(at: now, limit: 100)
            for one in try await store.notifications.newest(at: now, limit: 100).notifications {
                _ = try await store.items.comments(of: one.item?.id ?? one.record, at: now, limit: 100)
            }
            for words in ["tree", "\"", "*", "NEAR(a b)", "a:b", "-tree", "", "\u{0}", "OR AND", "tree OR"] {
                for isNearest in [true, false] {
                    _ = try await store.items.search(
                        WordSearch(
                            words: words, isNearestFirst: isNearest, position: Morning.place.coordinate,
                            readableMetres: 2_000, now: now))
                }
            }
        }
    }

    @Test func aSearchOfTenThousandWordsIsOne() async throws {
        let store = try folder.store(of: anna)
        _ = try await store.insert([anna.post("tree")], at: Morning.arrival)
        let words = (0..<10_000).map { "tree\($0 % 7)" }.joined(separator: " ")
        let found = try await store.items.search(
            WordSearch(words: words, position: Morning.place.coordinate, readableMetres: 2_000, now: Morning.arrival))
        #expect(found.isEmpty)
    }

    // MARK: Many

    /// Names of people who left nothing take room that no quota counts.
    @Test func whoLeftNothingIsForgotten() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 20_000))
        for round in 0..<20 {
            let strangers = try (0..<10).map { try Author(UInt8(40 + round * 10 + $0)) }
            _ = try await store.insert(strangers.map { $0.post("I was here") }, at: Morning.arrival)
        }
        let records = try count("record")
        #expect(records < 100)
        #expect(try count("peer") <= records + 1)
        while try await store.upkeep.expire(at: Morning.after(seconds: 90_000)) > 0 {}
        #expect(try count("record") == 0)
        #expect(try count("peer") <= 1)
        #expect(try await store.upkeep.check(verify: verified).faults == [])
        #expect(try await store.insert([carl.post("again")], at: Morning.arrival) == [.added])
    }

    @Test func tenThousandPostsAtOneSpotArePagedWhole() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota())
        let posts = (0..<10_000).map { carl.post("\($0)") }
        for portion in posts.portions(of: 1_000) { _ = try await store.insert(portion, at: Morning.arrival) }
        var search = NearSearch(
            kind: .post, centre: Morning.place.coordinate, reachMetres: 100_000, now: Morning.arrival, limit: 100)
        var seen: [Int64] = []
        while true {
            let page = try await store.items.near(search)
            seen += page.map(\.item.seq)
            guard page.count == 100, let last = page.last else { break }
            search.after = last.mark
        }
        #expect(seen.count == 10_000 && Set(seen).count == 10_000)
    }

    @Test(arguments: [(900_000_000, 0), (-900_000_000, -1_800_000_000), (0, 1_799_999_999), (0, -1_800_000_000)])
    func theEndsOfTheMapAreFound(latitude: Int32, longitude: Int32) async throws {
        let store = try folder.store(of: anna)
        let place = Morning.place(latitudeE7: latitude, longitudeE7: longitude)
        let posts = (0..<150).map { carl.say(.post, body: carl.postBody("\($0)", place)) }
        _ = try await store.insert(posts, at: Morning.arrival)
        let other = Morning.place(
            latitudeE7: latitude == 0 ? 10 : latitude, longitudeE7: longitude == 0 ? 1_234_567_890 : -longitude - 1)
        for centre in [place, other] {
            let found = try await store.items.near(
                NearSearch(
                    kind: .post, centre: centre.coordinate, reachMetres: 10, now: Morning.arrival, limit: 1_000))
            #expect(found.count == 150)
        }
    }

    /// A minute is the shortest life: a flood of such records is over before it can push anything out.
    @Test func whatIsOverMakesRoomBeforeWhatIsNot() async throws {
        let store = try folder.store(of: anna, quota: StoreQuota(bytes: 20_000))
        let old = (0..<20).map { carl.post("old \($0)", at: Morning.milliseconds - 1_000_000) }
        _ = try await store.insert(old, at: Morning.arrival)
        for minute in 2..<12 as Range<Int64> {
            let wallTime = Morning.after(seconds: minute * 120)
            let flood = (0..<20).map { carl.post("flood \($0)", at: wallTime.milliseconds, lifetimeSeconds: 60) }
            _ = try await store.insert(flood, at: wallTime)
        }
        let kept = try await store.timelineOf(carl, Morning.after(seconds: 1_320))
        #expect(kept.filter { $0.hasPrefix("old") }.count == 20)
    }

    // MARK: Following

    @Test func whoFollowsSomebodyOfWhomNothingIsHereCanStop() async throws {
        let store = try folder.store(of: anna)
        #expect(try await store.insert([anna.follow(carl.peer)], at: Morning.arrival) == [.added])
        #expect(try await store.people.following() == [carl.peer])
        #expect(try await store.people.person(carl.peer, at: Morning.arrival).isFollowedByOwner)
        _ = try await store.insert([carl.post("hello", lifetimeSeconds: 600)], at: Morning.arrival)
        #expect(try await store.timeline.items(at: Morning.arrival, limit: 10).map(\.text) == ["hello"])
        while try await store.upkeep.expire(at: Morning.after(seconds: 700)) > 0 {}
        #expect(try await store.people.following() == [carl.peer])
        _ = try await store.upkeep.rebuild(at: Morning.arrival)
        #expect(try await store.people.following() == [carl.peer])
        #expect(try await store.upkeep.check(verify: verified).faults == [])
    }

    @Test func whatAnEarlierIdentityWroteHoldsNothingUp() async throws {
        let (old, new) = (carl.post("old"), anna.post("new"))
        let before = try folder.store(of: carl)
        _ = try await before.write(at: Morning.arrival, waits: true) { _ in old }
        try before.close()
        let store = try folder.store(of: anna)
        _ = try await store.write(at: Morning.arrival, waits: true) { _ in new }
        #expect(try await store.outbox.waiting(limit: 10, after: nil).map(\.record.record.author) == [anna.peer])
        #expect(try await store.upkeep.stats(at: Morning.arrival).waiting == 1)
    }

    // MARK: Ends in the middle

    @Test(arguments: [true, false]) func whatWouldBeLostWithItsFileIsNotTakenIn(isReplaced: Bool) async throws {
        let store = try Store(path: folder.path, owner: anna.peer, fileInterval: .zero)
        _ = try await store.insert([anna.post("kept")], at: Morning.arrival)
        for suffix in ["", "-wal", "-shm"] {
            try FileManager.default.moveItem(atPath: folder.path + suffix, toPath: folder.path + ".old" + suffix)
        }
        if isReplaced { try folder.store(of: anna).close() }
        let error = await #expect(throws: StoreError.self) {
            try await store.insert([anna.post("lost")], at: Morning.arrival)
        }
        #expect(error?.description.contains("moved, deleted or replaced") == true)
    }

    /// A writer may be cancelled before its record is stored; the record is stored all the same.
    @Test func whatIsBeingWrittenIsNotLostWithWhoAskedForIt() async throws {
        let store = try folder.store(of: anna)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path, configuration: configuration)
        let post = carl.post("hello")
        try await other.writeWithoutTransaction { database in try database.execute(sql: "BEGIN IMMEDIATE") }
        let insertion = Task { try await store.insert([post], at: Morning.arrival) }
        // The other holds the lock: the insertion has not ended, whether it has begun or not.
        insertion.cancel()
        try await other.writeWithoutTransaction { database in try database.execute(sql: "COMMIT") }
        #expect(try await insertion.value == [.added])
    }
}

extension Store {
    /// What can be read of somebody's posts.
    fileprivate func timelineOf(_ author: Author, _ now: WallTime) async throws -> [String] {
        try await items.near(
            NearSearch(kind: .post, centre: Morning.place.coordinate, reachMetres: 100, now: now, limit: 1_000)
        ).map(\.item).filter { $0.author == author.peer }.map(\.text)
    }
}

/// A random set of records of people who mean harm: at the limits of dates, lifetimes and texts, about anything.
struct Malice {
    let authors: [Author]
    var dice: SeededGenerator
    private var ids: [RecordID] = []

    let times = [0, 60, 3_600, 86_400, 40_000_000, -40_000_000].map { Morning.after(seconds: $0) }
    private let texts = [
        "tree", "\u{0}", "a\u{0}tree", String(repeating: "\u{301}", count: 2_048), "\u{1B}[2J\u{202E}",
        String(repeating: "x", count: 4_096), "\n\r\t", "\u{FFFF}", "tree \" * NEAR( : -",
    ]
    private let places: [Place] =
        [(0, 0), (900_000_000, 0), (-900_000_000, -1_800_000_000), (1, 1_799_999_999)]
        .map { Morning.place(latitudeE7: $0, longitudeE7: $1) } + [Morning.place]

    init(seed: UInt64) throws {
        authors = try (1...5).map { try Author($0) }
        dice = SeededGenerator(seed: seed)
    }

    mutating func time() -> WallTime { times.randomElement(using: &dice) ?? Morning.arrival }

    mutating func some(of records: [VerifiedRecord], count: Int) -> [VerifiedRecord] {
        (0..<count).compactMap { _ in records.randomElement(using: &dice) }
    }

    mutating func next() -> VerifiedRecord {
        let author = authors[Int.random(in: 0..<authors.count, using: &dice)]
        let kinds: [UInt64] = [0, 1, 2, 3, 4, 4, 4, 5, 5, 6, 7, 8, 8, 9, 10, 10, 10, 11, 11, 12, 400, .max, 1 << 63]
        let kind = RecordKind(rawValue: kinds.randomElement(using: &dice) ?? 4)
        let topic = topic()
        let date: UInt64 =
            [
                0, .max, 1 << 63, UInt64(Morning.milliseconds) << 16, UInt64(Morning.milliseconds) << 16 | 0xFFFF,
                UInt64(Morning.milliseconds + 30_000_000) << 16,
            ].randomElement(using: &dice) ?? 0
        let record = author.identity.sign(
            Record(
                kind: kind, author: author.peer,
                created: HybridTime(rawValue: date &+ UInt64.random(in: 0...3, using: &dice)),
                lifetimeSeconds: [60, 3_600, 86_400, 31_536_000].randomElement(using: &dice) ?? 60,
                topic: needsNoTopic(kind) ? [] : topic, body: body(of: kind, by: author)))
        ids.append(record.id)
        return record
    }

    private mutating func needsNoTopic(_ kind: RecordKind) -> Bool {
        [.profile, .post, .event].contains(kind) && Int.random(in: 0..<10, using: &dice) > 0
    }

    private mutating func topic() -> [UInt8] {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: []
        case 1: [UInt8](repeating: 0, count: 256)
        case 2: [UInt8](repeating: 0, count: 32)
        case 3: authors[0].peer.key.bytes
        case 4: authors[Int.random(in: 0..<authors.count, using: &dice)].peer.key.bytes
        default: ids.randomElement(using: &dice)?.hash.bytes ?? []
        }
    }

    private mutating func photo() -> BodyPhoto? {
        let sizes: [Int64] = [0, 1, 48_123, BlobName.sizeMax]
        guard Bool.random(using: &dice), let size = sizes.randomElement(using: &dice) else { return nil }
        let alt = texts.randomElement(using: &dice).flatMap {
            (1...BodyPhoto.altBytesMax).contains($0.utf8.count) ? $0 : nil
        }
        return Morning.photo(UInt64.random(in: 1...3, using: &dice), size: size, alt: alt)
    }

    private mutating func body(of kind: RecordKind, by author: Author) -> [UInt8] {
        let text = texts.randomElement(using: &dice) ?? "x"
        let place = places.randomElement(using: &dice) ?? Morning.place
        let post = PostBody(
            name: author.name, place: place, text: text,
            placeName: String(text.prefix(1)).utf8.count > 256 ? "" : String(text.prefix(1)), photo: photo())
        let starts =
            ([1, Morning.milliseconds, EventBody.dateMillisecondsMax] as [Int64]).randomElement(using: &dice) ?? 1
        let event = EventBody(
            author: author.name, name: text.utf8.count > 256 ? "x" : text, place: place,
            starts: WallTime(milliseconds: starts),
            ends: Bool.random(using: &dice) ? WallTime(milliseconds: EventBody.dateMillisecondsMax) : nil,
            address: text.utf8.count > 512 ? "" : text, text: text, photo: photo())
        let comment = CommentBody(name: author.name, text: text)
        if Int.random(in: 0..<20, using: &dice) == 0 { return (0..<30).map { _ in .random(in: 0...255, using: &dice) } }
        return switch kind {
        case .chat: ChatLine(style: .says, name: author.name, text: text).body
        case .profile:
            ProfileBody(
                name: author.name, about: String(text.prefix(1)).utf8.count > 1_024 ? "" : String(text.prefix(1)),
                colour: nil, photo: photo()
            ).body
        case .post: post.body
        case .event: event.body
        case .comment: comment.body
        case .like, .follow, .attendance: [UInt8.random(in: 0...1, using: &dice)]
        case .edit: [post.body, event.body, comment.body].randomElement(using: &dice) ?? []
        case .deletion: []
        default: [1]
        }
    }
}

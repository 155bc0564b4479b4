import ArgumentParser
import Foundation
import GRDB
import LatticeCore
import LatticeCrypto
import LatticeGeo
import LatticeStore
import LatticeWire

/// What somebody wrote and announced, where they go, and what those write whom one follows; beside the same rows in one bare table
/// with an index for each list.
struct ListsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lists",
        abstract: "Time of the first page of a person's posts and events, and of a timeline, beside bare SQLite.")

    @Option(help: "Number of posts; one event comes on ten posts.")
    var posts = 1_000_000

    @Option(help: "Number of lists of each kind.")
    var lists = 1_000

    @Option(help: "How many people the timeline follows.")
    var followed = 50

    @Option(help: "Seed of the random generator.")
    var seed: UInt64 = 1

    private static let pageSize = 20
    private static let batch = 4_096
    private static let postsToAnEvent = 10
    private static let hour: Int64 = 3_600_000

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lattice-lists-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = Result { try FileManager.default.removeItem(at: folder) } }
        let store = try Store(
            path: folder.appending(path: "lists.sqlite").path, owner: BenchPosts.owner.peer,
            quota: StoreQuota(bytes: posts * 4_096, authorBytes: posts * 4_096))
        let bare = try DatabaseQueue(path: folder.appending(path: "bare.sqlite").path)
        try await bare.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE item (number INTEGER PRIMARY KEY, author INTEGER, kind INTEGER, date INTEGER, bytes BLOB);
                    CREATE TABLE attendance (author INTEGER, date INTEGER, item INTEGER,
                      PRIMARY KEY (author, date, item)) WITHOUT ROWID
                    """)
        }
        let source = try BenchPosts(seed: seed)
        try await fill(store, bare, source)
        try await follow(source, in: store)
        var results: [String: Any] = [
            "bench": "lists", "posts": posts, "events": posts / Self.postsToAnEvent, "lists": lists,
            "followed": followed,
        ]
        try await measure(store, bare, source, &results)
        try store.close()
        try report(results)
    }

    private func measure(
        _ store: Store, _ bare: DatabaseQueue, _ source: BenchPosts, _ results: inout [String: Any]
    ) async throws {
        let (now, page) = (BenchPosts.filled, Self.pageSize)
        var generator = SeededGenerator(seed: seed)
        let people = (0..<lists).map { _ in Int.random(in: 0..<source.identities.count, using: &generator) }
        func peer(_ number: Int) -> PeerID { source.identities[number].peer }
        let rows = "SELECT number, bytes FROM item WHERE author = ?1 AND kind = "
        try await compare(people, "posts", &results) { person in
            try await store.timeline.items(by: peer(person), at: now, limit: page).count
        } bare: { person in
            try await count(bare, rows + "4 ORDER BY date DESC, number DESC LIMIT ?2", [Int64(person), Int64(page)])
        }
        try await compare(people, "events", &results) { person in
            try await store.events.events(of: peer(person), isAttending: false, at: now, limit: page).count
        } bare: { person in
            try await comingAndPast(
                bare, "SELECT number, bytes FROM item WHERE author = ?1 AND kind = 8", "date", person)
        }
        try await compare(people, "attending", &results) { person in
            try await store.events.events(of: peer(person), isAttending: true, at: now, limit: page).count
        } bare: { person in
            let sql = """
                SELECT number, bytes FROM attendance JOIN item ON item.number = attendance.item
                WHERE attendance.author = ?1
                """
            return try await comingAndPast(bare, sql, "attendance.date", person)
        }
        let authors = (0..<followed).map(String.init).joined(separator: ", ")
        try await compare(people, "timeline", &results) { _ in
            try await store.timeline.items(at: now, limit: page).count
        } bare: { _ in
            let sql = """
                SELECT number, bytes FROM item WHERE author IN (\(authors)) AND kind = 4
                ORDER BY date DESC, number DESC LIMIT ?1
                """
            return try await count(bare, sql, [Int64(page)])
        }
    }

    private func compare(
        _ people: [Int], _ name: String, _ results: inout [String: Any], _ stored: (Int) async throws -> Int,
        bare: (Int) async throws -> Int
    ) async throws {
        let (ours, plain) = (try await times(people, stored), try await times(people, bare))
        results["\(name)_found"] = ours.found
        results["\(name)_bare_found"] = plain.found
        for (key, sample) in [(name, ours.times), ("\(name)_bare", plain.times)] {
            results["\(key)_p50_ms"] = rounded(sample.median)
            results["\(key)_p99_ms"] = rounded(sample.percentile(99))
        }
    }

    private func times(
        _ people: [Int], _ list: (Int) async throws -> Int
    ) async throws -> (times: Sample, found: Int) {
        var (times, found): ([Double], Int) = ([], 0)
        for person in people {
            let began = seconds()
            found += try await list(person)
            times.append((seconds() - began) * 1e3)
        }
        return (Sample(times), found)
    }

    /// The next ones first, then those that are past, as our lists have them.
    private func comingAndPast(
        _ bare: DatabaseQueue, _ sql: String, _ date: String, _ person: Int
    ) async throws -> Int {
        let now = BenchPosts.filled.milliseconds
        let coming = try await count(
            bare, "\(sql) AND \(date) > ?2 ORDER BY \(date) LIMIT ?3", [Int64(person), now, Int64(Self.pageSize)])
        guard coming < Self.pageSize else { return coming }
        return coming
            + (try await count(
                bare, "\(sql) AND \(date) <= ?2 ORDER BY \(date) DESC LIMIT ?3",
                [Int64(person), now, Int64(Self.pageSize - coming)]))
    }

    /// The rows with their bytes, as our lists have them.
    private func count(
        _ bare: DatabaseQueue, _ sql: String, _ arguments: [Int64]
    ) async throws -> Int {
        try await bare.read { database in
            let statement = try database.cachedStatement(sql: sql)
            return try Row.fetchAll(statement, arguments: StatementArguments(arguments)).count
        }
    }

    // MARK: - Filling

    private func fill(_ store: Store, _ bare: DatabaseQueue, _ source: BenchPosts) async throws {
        let numbers = Dictionary(uniqueKeysWithValues: source.identities.enumerated().map { ($1.peer, $0) })
        for first in stride(from: 0, to: posts, by: Self.batch) {
            let range = first..<min(first + Self.batch, posts)
            let made = source.records(range, of: posts)
            let events = concurrently(range.lowerBound / Self.postsToAnEvent..<range.upperBound / Self.postsToAnEvent) {
                event($0, source)
            }
            let attendances = events.map { attendance(of: $0, source) }
            _ = try await store.insert(made + events + attendances.map(\.record), at: source.written)
            try await bare.write { database in
                let insert = try database.makeStatement(
                    sql: "INSERT INTO item (author, kind, date, bytes) VALUES (?, ?, ?, ?)")
                let attend = try database.makeStatement(sql: "INSERT INTO attendance VALUES (?, ?, ?)")
                for record in made {
                    let date = record.record.created.wallTime.milliseconds
                    try insert.execute(
                        arguments: [numbers[record.record.author], 4, date, Data(record.signed.bytes)])
                }
                for (event, attendance) in zip(events, attendances) {
                    let starts = try EventBody(decoding: event.record.body).starts.milliseconds
                    try insert.execute(
                        arguments: [numbers[event.record.author], 8, starts, Data(event.signed.bytes)])
                    try attend.execute(arguments: [attendance.person, starts, database.lastInsertedRowID])
                }
            }
        }
        try await bare.write { database in
            try database.execute(sql: "CREATE INDEX item_list ON item (author, kind, date, number)")
        }
    }

    /// It starts within ten days before or after now.
    private func event(_ number: Int, _ source: BenchPosts) -> VerifiedRecord {
        var generator = SeededGenerator(seed: seed &+ 7_000_003 &* UInt64(number + 1))
        let author = source.identities[Int.random(in: 0..<source.identities.count, using: &generator)]
        guard let place = Coordinate(latitude: 40.7, longitude: -74) else { preconditionFailure("a valid place") }
        let starts = source.written.milliseconds + Int64.random(in: -240...240, using: &generator) * Self.hour
        let body = EventBody(
            author: source.names[number % source.names.count], name: "Event \(number)", place: Place(place),
            starts: WallTime(milliseconds: starts), ends: nil, address: "", text: source.words.text(&generator))
        return author.sign(
            Record(
                kind: .event, author: author.peer,
                created: HybridTime(
                    wallTime: WallTime(milliseconds: source.written.milliseconds - 11 * 24 * Self.hour)),
                lifetimeSeconds: 5_184_000, topic: [], body: body.body))
    }

    private func attendance(of event: VerifiedRecord, _ source: BenchPosts) -> (record: VerifiedRecord, person: Int) {
        let person = Int(event.id.hash.bytes[0]) << 8 | Int(event.id.hash.bytes[1])
        let who = source.identities[person % source.identities.count]
        let record = who.sign(
            Record(
                kind: .attendance, author: who.peer,
                created: HybridTime(wallTime: WallTime(milliseconds: source.written.milliseconds - Self.hour)),
                lifetimeSeconds: 5_184_000, topic: event.id.hash.bytes, body: Statement(holds: true).body))
        return (record, person % source.identities.count)
    }

    private func follow(_ source: BenchPosts, in store: Store) async throws {
        let follows = source.identities.prefix(followed).map { one in
            BenchPosts.owner.sign(
                Record(
                    kind: .follow, author: BenchPosts.owner.peer, created: HybridTime(wallTime: source.written),
                    lifetimeSeconds: 31_536_000, topic: one.peer.key.bytes, body: Statement(holds: true).body))
        }
        _ = try await store.insert(follows, at: source.written)
    }
}

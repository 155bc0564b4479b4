import Foundation
import GRDB
import GRDBSQLite
import LatticeCore
import LatticeGeo
import LatticeWire
import Synchronization
import Testing

@testable import LatticeStore

/// What SQLite makes of the tables.
@Suite struct SchemaTests {
    /// To compare a number with a list of three or more SQLite would fill a table for each row that is written.
    @Test(arguments: [
        "record", "item", "reaction", "pin", "room_pin", "activity", "floor", "contact", "muted_room", "visitor_day",
        "read_position",
        "notification",
        "notification_off", "message", "prekey", "visitor",
        "room",
        "room_key",
        "room_member",
        "room_line", "room_offer", "room_errand", "line_act", "blob", "blob_use", "draft",
    ])
    func nothingIsComparedWithAListWhenARowIsWritten(table: String) async throws {
        let folder = try Folder()
        _ = try folder.store(of: Author(1))
        let operations = try await DatabaseQueue(path: folder.path).read { database in
            let columns = try database.columns(in: table).map(\.name).filter { $0 != "turn" }
            let values = columns.map { _ in "0" }.joined(separator: ", ")
            return try Row.fetchAll(
                database,
                sql: "EXPLAIN INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
            ).map { $0["opcode"] as String }
        }
        #expect(operations.contains("Insert") || operations.contains("IdxInsert"))
        #expect(!operations.contains("OpenEphemeral"))
    }

    /// A query that forgets `filed = 1` finds no index.
    @Test func noQueryReadsAllRecords() async throws {
        var story = try Story(seed: 5)
        let folder = try Folder()
        let store = try folder.store(of: story.authors[0], quota: StoreQuota(bytes: 20_000, authorBytes: 8_000))
        for portion in story.shuffled().portions(of: 7) { _ = try await store.insert(portion, at: Morning.arrival) }
        try await ask(store, story)
        var plans: [String: [String]] = [:]
        let readers = try await allReaders(of: store, Self.plans)
        for found in [try await store.access.file.writer.alone(Self.plans)] + readers {
            plans.merge(found) { first, _ in first }
        }
        #expect(plans.count > 60)
        // All keys at the start, in the order of their index.
        let scans = plans.filter { sql, plan in
            !sql.contains("INDEXED BY record_id") && plan.contains { $0.hasPrefix("SCAN record") }
        }
        #expect(scans.isEmpty, "\(scans)")
    }

    /// Each list of posts and events is read from indexes alone, whatever else the table holds.
    @Test func listsOfPostsAndEventsAreReadFromIndexesAlone() async throws {
        let shelf = try Shelf()
        try shelf.put((0..<50).map { Shelf.Thing(kind: $0 % 2 == 0 ? .event : .post, starts: Shelf.now.milliseconds) })
        try shelf.react(.follow, by: 0, to: Shelf.peer(1).key)
        let store = shelf.store
        _ = try await store.timeline.items(at: Shelf.now, limit: 10)
        _ = try await store.timeline.items(by: Shelf.owner, at: Shelf.now, limit: 10)
        for isAttending in [false, true] {
            _ = try await store.events.events(of: Shelf.owner, isAttending: isAttending, at: Shelf.now, limit: 100)
        }
        var plans: [String: [String]] = [:]
        for found in try await allReaders(of: store, Self.plans) { plans.merge(found) { first, _ in first } }
        // What the reader of whole items asks begins with the list of their numbers.
        let lists = plans.filter { $0.key.contains(/FROM item|item i/) && !$0.key.contains("WITH wanted") }
        #expect(lists.count == 6)
        for (sql, plan) in lists {
            let reads = plan.filter { $0.hasPrefix("SEARCH") || $0.contains(/^SCAN (?!.*subquery)/) }
            #expect(!reads.isEmpty && reads.allSatisfy { $0.contains(/^SEARCH .* COVERING INDEX/) }, "\(sql): \(plan)")
        }
    }

    /// A read may begin before the one before it has given its connection back, and then has one of its own.
    private func allReaders<Value: Sendable>(
        of store: Store, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> [Value] {
        let count = StoreOpening.readersMax
        let all = Barrier(count: count)
        return try await withThrowingTaskGroup(of: Value.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await store.access.read { database in
                        all.wait()
                        return try body(database)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Lets nobody on before all are there.
    private final class Barrier: Sendable {
        private let condition = NSCondition()
        private let missing: Mutex<Int>

        init(count: Int) { missing = Mutex(count) }

        func wait() {
            condition.withLock {
                missing.withLock { $0 -= 1 }
                while missing.withLock({ $0 }) > 0 { condition.wait() }
                condition.broadcast()
            }
        }
    }

    /// Everything that reads `record`.
    private func ask(_ store: Store, _ story: Story) async throws {
        let (own, other, now) = (story.authors[0], story.authors[1], Morning.arrival)
        // First: tables that are made anew take the statements along.
        _ = try await store.upkeep.rebuild(at: now)
        let line = own.chat("here")
        let post = other.post("there")
        _ = try await store.write(at: now, waits: true) { _ in line }
        _ = try await store.insert(
            [post, other.edit(post.id, other.postBody("again")), other.delete(post.id)], at: now)
        store.setBlocked([try Author(9).peer, story.authors[3].peer])
        _ = try await store.upkeep.removeBlocked(at: now)
        try await store.upkeep.setRetention(StoredRetention(groups: [.chat, .posts], days: 1))
        while try await store.upkeep.expire(at: Morning.after(seconds: 100_000)) > 0 {}
        _ = try await (
            store.upkeep.stats(at: now), store.upkeep.totals(), store.reconciling.groupCounts(),
            store.upkeep.nextExpiry(), store.ownClock()
        )
        _ = try await store.catalogue.eachKey { _ in }
        _ = try await store.catalogue.changes(after: CatalogueMark(epoch: "", seq: 0, removal: 0), limit: 10)
        _ = try await store.catalogue.keys(ofRoom: Array("#park".utf8), since: HybridTime(rawValue: 0))
        _ = try await store.history.lines(of: Array("#park".utf8), before: line.id, limit: 10, at: now)
        _ = try await (
            store.pins.newest(in: Array("#park".utf8), except: [], at: now),
            store.pins.own(in: Array("#park".utf8), at: now), store.cards.card(by: store.owner, at: now),
            store.crossings.own(at: now)
        )
        _ = try await store.feed.page(
            after: FeedMark(epoch: try await store.feed.top().epoch, seq: 0), countMax: 100, bytesMax: 1 << 20,
            where: FeedFilter(crossing: true), at: now)
        let park = StoredConversation.publicRoom(try RoomName("#park"))
        _ = try await (
            store.reading.mark(park, upTo: nil), store.reading.mark(park, upTo: line.id),
            store.reading.unread([park], except: [], at: now)
        )
        _ = try await store.of(other.peer).history.lines(of: Array("#park".utf8), limit: 10, at: now)
        _ = try await (store.people.all(at: now, limit: 10), store.people.matching("author", at: now, limit: 10))
        _ = try await store.people.ownReplaceable(olderThan: now, limit: 10)
        _ = try await (
            store.catalogue.known([line.id]), store.catalogue.signed([line.id]),
            store.catalogue.served([line.id], at: now)
        )
        _ = try await (
            store.outbox.waiting(limit: 10, after: nil), store.outbox.confirmed([line.id]),
            store.items.parents(of: [line.id])
        )
        _ = try await (store.timeline.items(at: now, limit: 10), store.notifications.newest(at: now, limit: 10))
        _ = try await (
            store.timeline.items(by: other.peer, at: now, limit: 10),
            store.timeline.items(by: other.peer, onlyPhotos: true, at: now, limit: 10)
        )
        for isAttending in [false, true] {
            _ = try await store.events.events(of: other.peer, isAttending: isAttending, at: now, limit: 10)
        }
        _ = try await (store.notifications.markSeen(), store.notifications.off())
        let circle = Circle(centre: Morning.place.coordinate, radius: 1_000)
        _ = try await store.catalogue.records(after: 0, limit: 10, where: RecordSelection(author: other.peer))
        _ = try await store.catalogue.records(after: 0, limit: 10, where: RecordSelection(items: circle))
        _ = try await (
            store.messages.toOpen(limit: 10), store.messages.lastSealedNumber(), store.messages.personsBehind()
        )
        _ = try await store.messages.receiptsOwed(at: now, limit: 10)
        _ = try await store.messages.filesOwed(at: now, limit: 10)
        _ = try await store.prekeys.published(by: other.peer, at: now)
        _ = try await (
            store.people.residences(of: [other.peer], at: now),
            store.people.residence(of: other.peer, at: own.peer, at: now)
        )
    }

    /// Of each statement that a connection has prepared.
    @Sendable private static func plans(_ database: Database) throws -> [String: [String]] {
        var texts: Set<String> = []
        var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
        while let current = statement {
            if let text = sqlite3_sql(current) { texts.insert(String(cString: text)) }
            statement = sqlite3_next_stmt(database.sqliteConnection, current)
        }
        var plans: [String: [String]] = [:]
        for text in texts where text.contains("record") {
            plans[text] = try database.all("EXPLAIN QUERY PLAN \(text)", []) { $0.text(3) }
        }
        return plans
    }
}

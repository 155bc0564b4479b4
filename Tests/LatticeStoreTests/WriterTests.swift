import Dispatch
import GRDB
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Synchronization
import Testing

/// One thread writes, and what waits shares a commit.
@Suite struct WriterTests {
    private let folder: Folder
    private let (anna, bert): (Author, Author)
    private let store: Store
    private let commits: Commits

    init() throws {
        folder = try Folder()
        (anna, bert) = (try Author(1), try Author(2))
        store = try folder.store(of: anna)
        commits = Commits(of: store)
    }

    private func line(
        _ author: Author, _ text: String = "hello", notBefore: HybridTime = HybridTime(rawValue: 0),
        waits: Bool = false,
        after gate: Gate? = nil
    ) -> Draft {
        Draft(author: author.peer, at: Morning.arrival, notBefore: notBefore, waits: waits) {
            [identity = author.identity, body = ChatLine(style: .says, name: author.name, text: text).body] date in
            gate?.pass()
            return identity.sign(
                Record(
                    kind: .chat, author: identity.peer, created: date, lifetimeSeconds: 3_600,
                    topic: Array("#park".utf8), body: body))
        }
    }

    @Test func datesOfManyDraftsGrowInTheOrderOfTheirComing() async throws {
        var dice = SeededGenerator(seed: 1)
        var authors: [UInt64: PeerID] = [:]
        for ticket in 0..<1_000 as Range<UInt64> {
            let author = Bool.random(using: &dice) ? anna : bert
            authors[ticket] = author.peer
            let notBefore = HybridTime(
                wallTime: WallTime(milliseconds: Morning.milliseconds + .random(in: 0...120_000, using: &dice)))
            #expect(store.submit(drafts: [line(author, notBefore: notBefore)], ticket: ticket))
        }
        let published = try await commits.published(1_000)
        #expect(published.map(\.ticket) == Array(0..<1_000))
        #expect(published.allSatisfy { $0.published.outcome == .added && $0.published.number == nil })
        for author in [anna.peer, bert.peer] {
            let dates = published.filter { authors[$0.ticket] == author }.map(\.published.record.record.created)
            #expect(zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(published.allSatisfy { authors[$0.ticket] == $0.published.record.author })
        #expect(try await store.ownClock() == published.map(\.published.record.record.created).max())
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == 1_000)
    }

    @Test func aCommitSaysWhatEnteredTheOutboxByWhateverJob() async throws {
        #expect(store.submit(drafts: [line(anna, "stays"), line(anna, "goes", waits: true)], ticket: 1))
        let other = try await store.publish([line(bert, "goes, too", waits: true)])
        try await commits.wait { $0.flatMap(\.written).count == 2 }
        let written = commits.all.flatMap(\.written)
        #expect(written.map(\.record.author) == [anna.peer, bert.peer])
        #expect(written[1].record == other[0].record)
        #expect(try await store.outbox.waiting(limit: 9, after: nil).map(\.seq) == written.prefix(1).map(\.number))
    }

    @Test func whatComesDuringACommitSharesTheNext() async throws {
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        #expect(store.submit(incoming: [IncomingRecord(bert.post("one"))], at: Morning.arrival, ticket: 7))
        for ticket in 1..<10 as Range<UInt64> { #expect(store.submit(drafts: [line(anna)], ticket: ticket)) }
        gate.open()
        let published = try await commits.published(10)
        #expect(published.map(\.ticket) == Array(0..<10))
        #expect(commits.all.count == 2)
        #expect(commits.all[1].incoming.map(\.0) == [7])
        #expect(try commits.all[1].incoming[0].1.get() == [.added])
    }

    @Test func recordsThatStartNoCommitShareThatOfTheDraftsAfterThem() async throws {
        let post = IncomingRecord(bert.post("one"))
        #expect(store.submit(incoming: [post], at: Morning.arrival, ticket: 7, startsCommit: false))
        #expect(store.submit(drafts: [line(anna)], ticket: 1))
        _ = try await commits.published(1)
        #expect(commits.all.count == 1)
        #expect(commits.all[0].incoming.map(\.0) == [7])
    }

    @Test func draftsGoBeforeWhatOthersSaid() async throws {
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        // More than one commit takes.
        for ticket in 0..<3 as Range<UInt64> {
            let posts = (0..<300).map { IncomingRecord(bert.post("\(ticket) \($0)")) }
            #expect(store.submit(incoming: posts, at: Morning.arrival, ticket: ticket))
        }
        #expect(store.submit(drafts: [line(anna)], ticket: 1))
        gate.open()
        try await commits.wait { $0.flatMap(\.incoming).count == 3 }
        #expect(commits.all.map { $0.published.map(\.0) } == [[0], [1], []])
        #expect(commits.all.map { $0.incoming.map(\.0) } == [[], [0, 1], [2]])
    }

    @Test func aJobThatThrowsSpoilsNoOther() async throws {
        let target = bert.post("never taken in")
        try await placeGarbage(about: target)
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        #expect(store.submit(drafts: [line(anna), line(anna)], ticket: 1))
        #expect(store.submit(incoming: [IncomingRecord(bert.post("one"))], at: Morning.arrival, ticket: 1))
        #expect(store.submit(incoming: [IncomingRecord(target)], at: Morning.arrival, ticket: 2))
        #expect(store.submit(incoming: [IncomingRecord(bert.post("two"))], at: Morning.arrival, ticket: 3))
        gate.open()
        try await commits.wait { $0.flatMap(\.incoming).count == 3 }
        let published = try await commits.published(3)
        #expect(published.map(\.ticket) == [0, 1, 1])
        #expect(Set(published.map(\.published.record.record.created)).count == 3)
        let incoming = commits.all.flatMap(\.incoming)
        #expect(incoming.map(\.0) == [1, 2, 3])
        #expect(try incoming[0].1.get() == [.added] && incoming[2].1.get() == [.added])
        #expect(throws: StoreError.self) { try incoming[1].1.get() }
        #expect(try await store.catalogue.signed([target.id]).isEmpty)
        // Three lines, two posts and the edit.
        #expect(
            try await folder.store(of: anna).catalogue.known(commits.all.flatMap { $0.keys?.added ?? [] }.map(\.id))
                .count == 6)
    }

    /// An edit whose bytes are no record: a reader finds the file damaged.
    private func placeGarbage(about target: VerifiedRecord) async throws {
        let edit = bert.edit(target.id, bert.postBody("edited"))
        #expect(try await store.insert([edit], at: Morning.arrival) == [.added])
        try await DatabaseQueue(path: folder.path).write {
            try $0.execute(sql: "UPDATE record SET bytes = x'00' WHERE kind = 10")
        }
    }

    @Test func aFullLaneTakesNothing() async throws {
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        var taken: UInt64 = 1
        while store.submit(drafts: [line(anna, waits: taken == 1)], ticket: taken), taken < 100_000 { taken += 1 }
        #expect(taken > 1_000 && taken < 100_000)
        #expect(!store.submit(incoming: [IncomingRecord(bert.chat("one"))], at: Morning.arrival, ticket: 0))
        let fault = await #expect(throws: StoreError.self) { try await store.set("here", "there") }
        #expect(fault?.description.contains("too much waits") == true)
        gate.open()
        let published = try await commits.published(Int(taken))
        #expect(published.map(\.ticket) == Array(0..<taken))
        let waiting = try await store.outbox.waiting(limit: 10, after: nil)
        #expect(waiting.map(\.seq) == published.compactMap(\.published.number))
        #expect(store.submit(drafts: [line(anna)], ticket: taken))
    }

    @Test func urgentRecordsOfOthersAreWrittenBeforeTheRest() async throws {
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        let post = bert.post(String(repeating: "word ", count: 200))
        let many = Array(repeating: IncomingRecord(post), count: 50)
        var taken: UInt64 = 0
        while store.submit(incoming: many, at: Morning.arrival, ticket: taken), taken < 1_000 { taken += 1 }
        let urgent = [IncomingRecord(bert.chat("urgent"))]
        #expect(store.submit(incoming: urgent, at: Morning.arrival, ticket: 10_000, isUrgent: true))
        #expect(store.submit(drafts: [line(anna)], ticket: 1))
        gate.open()
        try await commits.wait { $0.flatMap(\.incoming).count == Int(taken) + 1 }
        #expect(commits.all.flatMap(\.incoming).first?.0 == 10_000)
    }

    @Test func whatOthersSaidIsTakenUpToALimit() async throws {
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        let post = bert.post(String(repeating: "word ", count: 200))
        var taken: UInt64 = 0
        let many = Array(repeating: IncomingRecord(post), count: 50)
        while store.submit(incoming: many, at: Morning.arrival, ticket: taken), taken < 1_000 { taken += 1 }
        #expect(taken > 2 && taken < 1_000)
        #expect(store.submit(drafts: [line(anna)], ticket: 1))
        gate.open()
        try await commits.wait { $0.flatMap(\.incoming).count == Int(taken) }
        #expect(try await store.upkeep.stats(at: Morning.arrival).records == 3)
    }

    @Test func whatWaitsWhenTheStoreIsClosedIsWritten() async throws {
        let gate = Gate()
        #expect(store.submit(drafts: [line(anna, after: gate)], ticket: 0))
        await gate.reached()
        for ticket in 1..<100 as Range<UInt64> { #expect(store.submit(drafts: [line(anna)], ticket: ticket)) }
        DedicatedThread.start { gate.open() }
        try store.close()
        #expect(commits.all.flatMap(\.published).count == 100)
        #expect(!store.submit(drafts: [line(anna)], ticket: 100))
        await #expect(throws: StoreError.self) { try await store.set("here", "there") }
        #expect(try await folder.store(of: anna).upkeep.stats(at: Morning.arrival).records == 100)
    }

    @Test func keyChangesOfCommitsFollowOneAnother() async throws {
        var mark = try await store.catalogue.eachKey { _ in }
        var keys: Set<StoredKey> = []
        let post = bert.post("one")
        _ = try await store.insert([post, bert.chat("two"), anna.like(post.id)], at: Morning.arrival)
        _ = try await store.insert([anna.like(post.id, holds: false), bert.delete(post.id)], at: Morning.arrival)
        store.setBlocked([bert.peer])
        _ = try await store.upkeep.removeBlocked(at: Morning.arrival)
        try await commits.wait { $0.count == 3 }
        for changes in commits.all.compactMap(\.keys) {
            #expect(changes.since == mark)
            keys.subtract(changes.removed)
            keys.formUnion(changes.added)
            mark = changes.mark
        }
        #expect(commits.all[2].keys.map { Set($0.removed.map(\.id)) == $0.returning } == true)
        #expect(try await KeySet(store).keys == keys)
        #expect(try await store.catalogue.changes(after: mark, limit: 10).removed.isEmpty)
        // Another process's changes are not among them.
        let other = try folder.store(of: anna)
        _ = try await other.insert([anna.chat("three")], at: Morning.arrival)
        _ = try await store.insert([anna.chat("four")], at: Morning.arrival)
        try await commits.wait { $0.count == 4 }
        #expect(commits.all[3].keys?.since != mark)
        #expect(try await store.catalogue.changes(after: mark, limit: 10).added.count == 2)
    }

    @Test func aStoreThatCannotBeWrittenToSaysSo() async throws {
        try store.close()
        let disk = try Store(path: folder.path, owner: anna.peer, quota: StoreQuota(bytes: 1))
        let full = Commits(of: disk)
        #expect(disk.submit(drafts: [line(anna, waits: true)], ticket: 1))
        let published = try await full.published(1)
        #expect(published[0].published.outcome == .evicted && published[0].published.number == nil)
        #expect(full.all[0].isFull)
    }
}

/// Holds the writer's thread up until it is opened.
private final class Gate: Sendable {
    private let isOpen = DispatchSemaphore(value: 0)
    private let arrival = Signal()

    func pass() {
        arrival.raise()
        isOpen.wait()
        // A job that runs again passes at once.
        isOpen.signal()
    }

    func reached() async {
        await arrival.wait()
    }

    func open() {
        isOpen.signal()
    }
}

/// What the writer has said.
private final class Commits: Sendable {
    private let told = Mutex<[Committed]>([])
    private let signal = Signal()

    init(of store: Store) {
        store.onCommit { committed in
            self.told.withLock { $0.append(committed) }
            self.signal.raise()
        }
    }

    var all: [Committed] { told.withLock { $0 } }

    func wait(until isEnough: ([Committed]) throws -> Bool) async throws {
        while try !isEnough(all) { await signal.wait() }
    }

    func published(_ count: Int) async throws -> [(ticket: UInt64, published: Published)] {
        try await wait { $0.flatMap(\.published).reduce(0) { $0 + (Self.count($1.1)) } >= count }
        return try all.flatMap(\.published).flatMap { ticket, result in try result.get().map { (ticket, $0) } }
    }

    private static func count(_ result: Result<[Published], StoreError>) -> Int {
        switch result {
        case .success(let published): published.count
        case .failure: 1
        }
    }
}

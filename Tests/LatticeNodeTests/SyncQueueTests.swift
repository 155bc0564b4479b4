import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// What waits to be compared, served, kept and written down.
struct SyncQueueTests {
    private func work(_ link: UInt64, _ session: UInt32) -> ComparisonWork {
        ComparisonWork(
            link: LinkID(rawValue: link), side: .answer, session: session, scope: SyncScope(.chat),
            since: HybridTime(rawValue: 0), message: [])
    }

    @Test func everyLinkHasItsTurn() {
        var queue = ComparisonQueue()
        for session: UInt32 in 0..<3 { queue.add(work(1, session)) }
        queue.add(work(2, 9))
        let order = (0..<5).map { _ in queue.next() }
        #expect(order == [.step(work(1, 0)), .step(work(2, 9)), .step(work(1, 1)), .step(work(1, 2)), nil])
    }

    @Test func whatDoesNotFitIsRefusedAndNotForgotten() {
        var queue = ComparisonQueue()
        for session in 0...UInt32(ComparisonQueue.worksPerLinkMax) { queue.add(work(1, session)) }
        #expect(queue.next() == .refusal(work(1, UInt32(ComparisonQueue.worksPerLinkMax))))
        #expect(queue.next() == .step(work(1, 0)))
        queue.closed(LinkID(rawValue: 1))
        #expect(queue.next() == nil)
    }

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    private func ids(_ range: Range<Int>) -> [RecordID] {
        range.map { number in
            RecordID(Bytes32((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }) ?? .zero)
        }
    }

    @Test func aNeighbourIsSuppliedInPortionsThatFollowTheWeight() {
        var queue = ServingQueue()
        #expect(queue.add(ids(0..<ServingQueue.idsMax + 3)) == ids(ServingQueue.idsMax..<ServingQueue.idsMax + 3))
        #expect(queue.next().ids == ids(0..<64))
        queue.sent(64, bytes: 64 * 200)
        #expect(queue.next().ids == ids(64..<320))
        queue.sent(256, bytes: 256 * 60_000)
        #expect(queue.next().ids == ids(320..<328))
        queue.sent(0, bytes: 0)
        #expect(queue.next().ids.count == 8)
        #expect(!queue.isEmpty)
    }

    @Test func urgentRecordsAreServedFirst() {
        var queue = ServingQueue()
        _ = queue.add(ids(0..<200))
        let urgent = Set(ids(205..<207))
        #expect(queue.add(ids(200..<210), isUrgent: urgent.contains, at: at(1)).isEmpty)
        let first = queue.next()
        #expect(first.isUrgent && first.ids == ids(205..<207))
        var rest: [RecordID] = []
        while !queue.isEmpty {
            let next = queue.next()
            #expect(!next.isUrgent)
            rest += next.ids
        }
        #expect(rest == ids(0..<205) + ids(207..<210))
    }

    @Test func eachQueueKnowsSinceWhenItsOldestWaits() {
        var comparisons = ComparisonQueue()
        #expect(comparisons.oldest == nil)
        comparisons.add(work(2, 0), at: at(1))
        comparisons.add(work(1, 0), at: at(2))
        comparisons.add(work(2, 1), at: at(3))
        #expect(comparisons.oldest == at(1))
        _ = comparisons.next()
        #expect(comparisons.oldest == at(2))
        comparisons.closed(LinkID(rawValue: 1))
        #expect(comparisons.oldest == at(3))

        var serve = ServingQueue()
        _ = serve.add(ids(0..<40), at: at(1))
        _ = serve.add(ids(40..<80), at: at(2))
        _ = serve.add([], at: at(3))
        #expect(serve.oldest == at(1))
        #expect(serve.next().ids.count == 64)
        #expect(serve.oldest == at(2))
        #expect(serve.next().ids.count == 16)
        #expect(serve.oldest == nil)

        var keeping = KeepQueue()
        let first = KeepQueue.Entry(record: record("a"), origin: .flood, since: at(1))
        _ = keeping.add(first)
        #expect(keeping.oldest == at(1))
        let batch = keeping.take()
        _ = keeping.add(KeepQueue.Entry(record: record("b"), origin: .flood, since: at(2)))
        #expect(keeping.oldest == at(1), "it is being written")
        keeping.done(batch)
        #expect(keeping.oldest == at(2))
        _ = keeping.putBack(batch)
        #expect(keeping.oldest == at(1))
    }

    // MARK: Keeping

    private let author = Identity.generate()

    private func record(_ text: String, bytes: Int = 0) -> VerifiedRecord {
        let body = Array(text.utf8) + [UInt8](repeating: 0, count: bytes)
        return author.sign(
            Record(
                kind: RecordKind(rawValue: 99), author: author.peer, created: HybridTime(rawValue: 1),
                lifetimeSeconds: 60, topic: [], body: body))
    }

    @Test func whatWaitsTwiceIsWrittenOnce() {
        var queue = KeepQueue()
        let first = KeepQueue.Entry(record: record("a"), origin: .flood)
        #expect(queue.add(first) && queue.add(KeepQueue.Entry(record: record("a"), origin: .serve(ageSeconds: 5))))
        #expect(queue.take() == [first])
        #expect(queue.contains(first.record.id) && !queue.isDone)
        queue.done([first])
        #expect(!queue.contains(first.record.id) && queue.isDone)
    }

    @Test func whatCouldNotBeStoredStaysIfItWasSaidAndGoesIfItWasFetched() {
        var queue = KeepQueue()
        let heard = KeepQueue.Entry(record: record("heard"), origin: .flood)
        let fetched = KeepQueue.Entry(record: record("fetched"), origin: .serve(ageSeconds: 0))
        _ = queue.add(fetched)
        _ = queue.add(heard)
        let batch = queue.take()
        let later = KeepQueue.Entry(record: record("later"), origin: .flood)
        _ = queue.add(later)
        #expect(queue.putBack(batch) == [fetched.record.id])
        #expect(queue.take() == [heard, later])
        #expect(!queue.contains(fetched.record.id))
    }

    private func entry(_ text: String, isUrgent: Bool, bytes: Int = 0, since: Instant = .zero) -> KeepQueue.Entry {
        KeepQueue.Entry(record: record(text, bytes: bytes), origin: .flood, isUrgent: isUrgent, since: since)
    }

    @Test func urgentRecordsAreKeptFirstAndGoBackToTheFront() {
        var queue = KeepQueue()
        let usual = ["a", "b"].map { entry($0, isUrgent: false, since: at(1)) }
        let urgent = ["c", "d"].map { entry($0, isUrgent: true, since: at(2)) }
        for entry in usual + urgent { _ = queue.add(entry) }
        #expect(queue.hasUrgent && queue.oldest == at(1))
        #expect(queue.take() == urgent)
        #expect(!queue.hasUrgent)
        let batch = queue.take()
        #expect(batch == usual)
        _ = queue.putBack(urgent)
        _ = queue.putBack(batch)
        #expect(queue.take() == urgent)
        #expect(queue.take() == usual)
        #expect(queue.isEmpty)
    }

    @Test func anUrgentRecordFitsAFullQueue() {
        var queue = KeepQueue()
        var count = 0
        while queue.add(entry("\(count)", isUrgent: false, bytes: 50_000)), count < 10_000 { count += 1 }
        #expect(count < 10_000)
        let isAdded = queue.add(entry("urgent", isUrgent: true, bytes: 50_000))
        let batch = queue.take()
        #expect(isAdded && batch.count == 1 && batch[0].isUrgent)
    }

    @Test func anUrgentRecordGoesToTheWriterAtOnceHoweverMuchIsUnderWay() {
        var queue = IngestQueue()
        var batches = 0
        repeat {
            for number in 0..<100 { _ = queue.add(entry("\(batches) \(number)", isUrgent: false, since: at(1))) }
            batches += 1
        } while queue.next() != nil && batches < 100
        #expect(batches < 100 && !queue.isDue(at: at(9)))
        _ = queue.add(entry("urgent", isUrgent: true, since: at(9)))
        #expect(queue.isDue(at: at(9)))
        let (urgent, next) = (queue.next()?.batch, queue.next())
        #expect(urgent?.map(\.isUrgent) == [true] && next == nil)
    }

    @Test func newRecordsWaitForOthersToShareTheirCommit() throws {
        var queue = IngestQueue()
        #expect(queue.deadline == nil && !queue.isDue(at: at(1)))
        _ = queue.add(KeepQueue.Entry(record: record("a"), origin: .flood, since: at(1)))
        let deadline = try #require(queue.deadline)
        #expect(deadline > at(1) && deadline < at(2))
        _ = queue.add(KeepQueue.Entry(record: record("b"), origin: .flood, since: deadline))
        #expect(queue.deadline == deadline, "the first record waits no longer for others")
        #expect(!queue.isDue(at: at(1)) && queue.isDue(at: deadline))
        #expect(queue.next()?.batch.count == 2)
        #expect(queue.deadline == nil && !queue.isDue(at: at(9)))
    }

    @Test func aFetchedRecordAndAFullBatchWaitForNothing() {
        var fetching = IngestQueue()
        _ = fetching.add(KeepQueue.Entry(record: record("a"), origin: .flood, since: at(1)))
        _ = fetching.add(KeepQueue.Entry(record: record("b"), origin: .serve(ageSeconds: 0), since: at(1)))
        #expect(fetching.isDue(at: at(1)))
        var heard = IngestQueue()
        var count = 0
        while !heard.isDue(at: at(1)), count < 1_000 {
            _ = heard.add(KeepQueue.Entry(record: record("\(count)"), origin: .flood, since: at(1)))
            count += 1
        }
        #expect(count > 1 && count < 100)
    }

    @Test func whatIsFetchedLeavesRoomForWhatIsSaid() {
        var queue = KeepQueue()
        var fetched = 0
        while queue.add(
            KeepQueue.Entry(record: record("\(fetched)", bytes: 59_000), origin: .serve(ageSeconds: 0)))
        {
            fetched += 1
        }
        #expect(!queue.wasFull, "what was fetched can be fetched again")
        var said = 0
        while queue.add(KeepQueue.Entry(record: record("s\(said)", bytes: 59_000), origin: .flood)) { said += 1 }
        #expect(fetched > 150 && said > 50)
        #expect(queue.takeLost() == 1 && queue.takeLost() == 0)
    }

    @Test func whatAProgramBringsIsNotLost() {
        var queue = KeepQueue()
        func bring(_ number: Int) -> Bool {
            queue.add(
                KeepQueue.Entry(
                    record: record("\(number)", bytes: 59_000), origin: .flood, since: at(1), via: .nats))
        }
        var count = 0
        while bring(count), count < 1_000 { count += 1 }
        #expect(count < 1_000 && queue.takeLost() == 0, "its program brings it again")
    }

    @Test func linesThatCameLateAreToldInTheOrderInWhichTheyWereSaid() {
        let lines = ChatRig.lines(20, by: author)
        var entries = lines.reversed().map { KeepQueue.Entry(record: $0, origin: .serve(ageSeconds: 0)) }
        // Fresh lines were delivered on arrival, and other kinds are not delivered at all.
        entries.insert(KeepQueue.Entry(record: ChatRig.lines(1, by: .generate())[0], origin: .flood), at: 7)
        entries.insert(KeepQueue.Entry(record: record("a"), origin: .serve(ageSeconds: 0)), at: 9)
        #expect(KeepQueue.late(in: entries).map(\.record) == lines)
    }

    @Test func aDateAheadIsTheDateItWasFirstSeen() {
        let line = record("a")
        #expect(line.firstSeen(ageSeconds: 5, at: WallTime(milliseconds: 1_000)) == WallTime(milliseconds: 0))
        let ahead = WallTime(milliseconds: -100_000)
        #expect(line.firstSeen(at: ahead) == ahead)
        #expect(line.firstSeen(ageSeconds: 5, at: ahead).milliseconds == -105_000)
        #expect(line.firstSeen(ageSeconds: .max, at: ahead).milliseconds == -160_000, "it has lived as long at most")
    }

    // MARK: Notices and log

    @Test func whatIsKeptIsToldWhenItMattersToSomebody() {
        func keeping(_ milliseconds: Int64, rooms: [[UInt8]]? = nil) -> Keeping {
            let since = HybridTime(wallTime: WallTime(milliseconds: milliseconds))
            return Keeping([Keeping.Entry(.chat, since: since)], rooms: rooms)
        }
        let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
        #expect(keeping(day).isNews(after: nil, notifiedBefore: .zero, isFull: false))
        #expect(!keeping(day).isNews(after: keeping(day), notifiedBefore: .seconds(999), isFull: true))
        #expect(!keeping(day + hour - 1).isNews(after: keeping(day), notifiedBefore: .seconds(999), isFull: false))
        #expect(keeping(day + hour).isNews(after: keeping(day), notifiedBefore: .zero, isFull: false))
        #expect(!keeping(day + 5).isNews(after: keeping(day), notifiedBefore: .seconds(9), isFull: true))
        #expect(keeping(day + 5).isNews(after: keeping(day), notifiedBefore: .seconds(10), isFull: true))
        #expect(keeping(day - 1).isNews(after: keeping(day), notifiedBefore: .zero, isFull: false))
        #expect(keeping(day, rooms: [[1]]).isNews(after: keeping(day), notifiedBefore: .zero, isFull: false))
    }

    @Test func whatWentToAndFroIsWrittenDownOnce() {
        var ledger = ReconcileLedger()
        let (peer, time) = (author.peer, WallTime(milliseconds: 7))
        ledger.count(peer, comparedAt: time, gained: 3, given: 1)
        ledger.count(peer, comparedAt: time, gained: 5, given: 1)
        #expect(ledger.take().peers == [ReconcileLedger.Note(peer: peer, at: time, gained: 5, given: 1)])
        ledger.count(peer, comparedAt: time, gained: 5, given: 1)
        #expect(ledger.take().peers.isEmpty)
        ledger.count(peer, comparedAt: time, gained: 6, given: 1)
        ledger.closed(peer)
        // The next link counts anew.
        ledger.count(peer, comparedAt: time, gained: 2, given: 0)
        ledger.caughtUp(at: time)
        let notes = ledger.take()
        #expect(notes.peers.map(\.gained) == [1, 2] && notes.caughtUpAt == time)
        #expect(ledger.take().caughtUpAt == nil)
    }
}

// Where it does not matter when something came.
extension KeepQueue.Entry {
    fileprivate init(record: VerifiedRecord, origin: KeepQueue.Origin) {
        self.init(record: record, origin: origin, since: .zero)
    }
}

extension ComparisonQueue {
    fileprivate mutating func add(_ work: ComparisonWork) { add(work, at: .zero) }
}

extension ServingQueue {
    fileprivate mutating func add(_ asked: [RecordID], at now: Instant = .zero) -> [RecordID] {
        add(asked, isUrgent: { _ in false }, at: now)
    }
}

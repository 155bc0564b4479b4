import Foundation
import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

@testable import LatticeNode

/// Programs that follow the store.
@Suite(.timeLimit(.minutes(10))) struct FeedTests {
    private let author = Identity.generate()

    /// Reads until the feed is at the end of the store, confirming each batch.
    private func follow(_ feed: Int, of node: Node) async throws -> (ids: [RecordID], position: FeedPosition) {
        var ids: [RecordID] = []
        while true {
            let batch = try await node.nextRecords(of: feed)
            ids += batch.records.map(\.id)
            _ = try await node.perform(RecordsTaken(feed, batch.position))
            if batch.live { return (ids, batch.position) }
        }
    }

    @Test func aFeedBringsWhatIsThereAndThenWhatComes() async throws {
        let home = try Home("home")
        let lines = ChatRig.lines(700, by: author)
        _ = try await home.store().insert(lines, at: Clocks.machine())
        let chatter = try await Chatter(home)
        try await chatter.run {
            let opened = try await chatter.node.perform(RecordsSubscribe())
            #expect(opened.position.seq == 0 && opened.top.seq >= 700)
            let first = try await follow(opened.feed, of: chatter.node)
            #expect(first.ids == lines.map(\.id))
            try await chatter.say("now")
            let batch = try await chatter.node.nextRecords(of: opened.feed)
            #expect(batch.live && batch.records.count == 1)
            let bytes = try #require(batch.records.first).bytes
            #expect(try SignedRecord(decoding: bytes[...]).record.author == home.identity.peer)
        }
    }

    @Test func aSlowReaderCostsACursor() async throws {
        let home = try Home("home")
        let lines = ChatRig.lines(100, by: author)
        _ = try await home.store().insert(lines, at: Clocks.machine())
        let chatter = try await Chatter(home)
        try await chatter.run {
            let feed = try await chatter.node.perform(RecordsSubscribe(window: 10)).feed
            let first = try await chatter.node.nextRecords(of: feed)
            #expect(first.records.map(\.id) == lines.prefix(10).map(\.id) && !first.live)
            // No space is left: the next batch comes once the first is confirmed, and begins after it.
            async let second = chatter.node.nextRecords(of: feed)
            try await chatter.say("meanwhile")
            _ = try await chatter.node.perform(RecordsTaken(feed, first.position))
            #expect(try await second.records.map(\.id) == lines[10..<20].map(\.id))
            // What is beyond was not sent.
            let beyond = FeedPosition(epoch: first.position.epoch, seq: first.position.seq + 20)
            await #expect(throws: RequestError.feed(fault: .notSent)) {
                _ = try await chatter.node.perform(RecordsTaken(feed, beyond))
            }
        }
    }

    @Test func nothingIsReadBeyondTheWindow() async throws {
        let home = try Home("home")
        let store = try home.store()
        _ = try await store.insert(ChatRig.lines(5, by: author), at: Clocks.machine())
        let start = FeedMark(epoch: try await store.feed.top().epoch, seq: 0)
        let feed = RecordFeed(1, after: start, FeedFilter(), window: 3, in: store)
        func read() async throws -> RecordBatch? {
            let space = try #require(feed.beginReading())
            let page = try await store.feed.page(
                after: feed.mark, countMax: space.records, bytesMax: space.bytes, where: FeedFilter(),
                at: Clocks.machine())
            return feed.read(try #require(page))
        }
        let first = try #require(try await read())
        #expect(first.records.count == 3 && feed.beginReading() == nil)
        feed.storeChanged()
        #expect(feed.beginReading() == nil, "a change is no space")
        #expect(feed.taken(FeedMark(first.position)))
        let second = try #require(try await read())
        #expect(second.records.count == 2 && second.live)
        #expect(feed.beginReading() == nil, "there is nothing to read")
        feed.storeChanged()
        #expect(try await read() == nil, "nothing has changed for the reader")
        withExtendedLifetime(home) {}
    }

    /// Records of a kind that nobody knows.
    private func unknown(_ count: Int, bytes: Int) -> [VerifiedRecord] {
        (0..<count).map { number in
            author.sign(
                Record(
                    kind: RecordKind(rawValue: 77), author: author.peer,
                    created: HybridTime(wallTime: Clocks.machine()), lifetimeSeconds: 86_400, topic: [UInt8(number)],
                    body: [UInt8](repeating: 7, count: bytes)))
        }
    }

    @Test func whatIsNotConfirmedHasAtMostAMebibyte() async throws {
        let home = try Home("home")
        let store = try home.store()
        _ = try await store.insert(unknown(30, bytes: 59_000), at: Clocks.machine())
        let start = FeedMark(epoch: try await store.feed.top().epoch, seq: 0)
        let feed = RecordFeed(1, after: start, FeedFilter(), window: 4_096, in: store)
        var bytes = 0
        while let space = feed.beginReading() {
            let page = try await store.feed.page(
                after: feed.mark, countMax: space.records, bytesMax: space.bytes, where: FeedFilter(),
                at: Clocks.machine())
            bytes += feed.read(try #require(page))?.records.reduce(0) { $0 + $1.bytes.count } ?? 0
        }
        #expect(bytes <= 1 << 20 && bytes > (1 << 20) - 2 * Record.bytesMax)
        withExtendedLifetime(home) {}
    }

    @Test func aBatchIsPutAsItCame() async throws {
        let (home, other) = (try Home("home"), try await Chatter(try Home("other")))
        let large = unknown(30, bytes: 59_000)
        _ = try await home.store().insert(large, at: Clocks.machine())
        let chatter = try await Chatter(home)
        try await chatter.run {
            try await other.run {
                let feed = try await chatter.node.perform(RecordsSubscribe(window: 4_096)).feed
                var ids: [RecordID] = []
                while ids.count < large.count {
                    let batch = try await chatter.node.nextRecords(of: feed)
                    // A line of a program has at most 1 MiB, and its request is read with its limits.
                    let line = try JSONEncoder().encode(RecordsPut(batch.records.map(\.bytes)))
                    #expect(line.count < (1 << 20) - 1_024)
                    let put = try JSONDecoder().decode(RecordsPut.self, from: line)
                    let answers = try await other.node.perform(put).answers
                    #expect(answers.allSatisfy { $0.outcome == .added })
                    ids += answers.compactMap(\.id)
                    _ = try await chatter.node.perform(RecordsTaken(feed, batch.position))
                }
                #expect(ids == large.map(\.id))
            }
        }
    }

    @Test func theLastRecordOfABatchConfirmsIt() async throws {
        let home = try Home("home")
        let store = try home.store()
        // What the filter leaves out follows the third line.
        let lines = ChatRig.lines(4, by: author)
        _ = try await store.insert(Array(lines[..<3]) + unknown(2, bytes: 1) + [lines[3]], at: Clocks.machine())
        let start = FeedMark(epoch: try await store.feed.top().epoch, seq: 0)
        let filter = FeedFilter(kinds: [.chat])
        let feed = RecordFeed(1, after: start, filter, window: 3, in: store)
        let read = try await store.feed.page(
            after: start, countMax: 3, bytesMax: 1 << 20, where: filter, at: Clocks.machine())
        #expect(feed.beginReading()?.records == 3)
        let page = try #require(read)
        let batch = try #require(feed.read(page))
        let last = try #require(batch.records.last)
        #expect(batch.records.count == 3 && last.position.seq < batch.position.seq)
        #expect(feed.taken(FeedMark(batch.records[1].position)) && feed.beginReading() == nil)
        #expect(feed.taken(FeedMark(last.position)) && feed.beginReading()?.records == 3)
        withExtendedLifetime(home) {}
    }

    @Test func aFeedThatBreaksIsOver() async throws {
        let (chatter, other) = (try await Chatter(try Home("home")), try Home("other"))
        let store = try other.store()
        try await chatter.run {
            var feeds: [Int] = []
            for _ in 0..<64 { feeds.append(try await chatter.node.subscribe(in: store)) }
            await #expect(throws: RequestError.feed(fault: .tooManyFeeds(max: 64))) {
                _ = try await chatter.node.perform(RecordsSubscribe())
            }
            try store.close()
            await #expect(throws: RequestError.self) { _ = try await chatter.node.nextRecords(of: feeds[0]) }
            await #expect(throws: RequestError.feed(fault: .unknown)) {
                _ = try await chatter.node.nextRecords(of: feeds[0])
            }
            // It gave back its place.
            _ = try await chatter.node.perform(RecordsSubscribe())
        }
        withExtendedLifetime(other) {}
    }

    @Test func aNodeThatHasStoppedOpensNoFeed() async throws {
        let chatter = try await Chatter(try Home("home"))
        _ = try await chatter.run { try await chatter.node.perform(RecordsSubscribe()) }
        await #expect(throws: RequestError.stopped(why: .stopping)) {
            _ = try await chatter.node.perform(RecordsSubscribe())
        }
    }

    @Test func aPositionOutlivesARestart() async throws {
        let home = try Home("home")
        let lines = ChatRig.lines(20, by: author)
        _ = try await home.store().insert(Array(lines.prefix(10)), at: Clocks.machine())
        var position: FeedPosition?
        let first = try await Chatter(home)
        try await first.run {
            let feed = try await first.node.perform(RecordsSubscribe()).feed
            position = try await follow(feed, of: first.node).position
        }
        _ = try await home.store().insert(Array(lines.dropFirst(10)), at: Clocks.machine())
        let second = try await Chatter(home)
        try await second.run {
            let feed = try await second.node.perform(RecordsSubscribe(after: position)).feed
            #expect(try await follow(feed, of: second.node).ids == lines.dropFirst(10).map(\.id))
        }
    }

    @Test func aRebuiltStoreSaysPositionGone() async throws {
        let (before, after) = (try Home("before"), try Home("after"))
        for home in [before, after] {
            _ = try await home.store().insert(ChatRig.lines(3, by: author), at: Clocks.machine())
        }
        let top = FeedPosition(try await before.store().feed.top())
        let chatter = try await Chatter(after)
        try await chatter.run {
            for gone in [top, FeedPosition(epoch: try await chatter.store.feed.top().epoch, seq: 1_000)] {
                await #expect(throws: RequestError.feed(fault: .positionGone)) {
                    _ = try await chatter.node.perform(RecordsSubscribe(after: gone))
                }
            }
        }
    }

    @Test func whatCameOverANetworkDoesNotGoBackThere() async throws {
        let chatter = try await Chatter(try Home("home"))
        let lines = ChatRig.lines(4, by: author)
        try await chatter.run {
            let feed = try await chatter.node.perform(RecordsSubscribe(notVia: .nats)).feed
            _ = try await follow(feed, of: chatter.node)
            _ = try await chatter.node.perform(RecordsPut(lines.prefix(2).map(\.signed.bytes), via: .nats))
            _ = try await chatter.node.perform(RecordsPut(lines.suffix(2).map(\.signed.bytes), via: .mqtt))
            #expect(try await chatter.node.nextRecords(of: feed).records.map(\.id) == lines.suffix(2).map(\.id))
        }
    }

    @Test func aFeedEndsAndHasALimit() async throws {
        let chatter = try await Chatter(try Home("home"))
        try await chatter.run {
            let feed = try await chatter.node.perform(RecordsSubscribe()).feed
            #expect(try await chatter.node.nextRecords(of: feed).live)
            async let next = chatter.node.nextRecords(of: feed)
            _ = try await chatter.node.perform(RecordsEnd(feed))
            do {
                _ = try await next
                Issue.record("a feed that has ended sends nothing")
            } catch {
                #expect(error as? RequestError == .feed(fault: .unknown))
            }
            _ = try await chatter.node.perform(RecordsEnd(feed))
            await #expect(throws: RequestError.feed(fault: .unknown)) {
                _ = try await chatter.node.perform(RecordsTaken(feed, FeedPosition(epoch: "x", seq: 0)))
            }
            for _ in 0..<64 { _ = try await chatter.node.perform(RecordsSubscribe()) }
            await #expect(throws: RequestError.feed(fault: .tooManyFeeds(max: 64))) {
                _ = try await chatter.node.perform(RecordsSubscribe())
            }
        }
    }
}

extension Node {
    /// A feed of any store.
    fileprivate func subscribe(in store: Store) async throws(RequestError) -> Int {
        try await sync.feeds.open(RecordsSubscribe(), in: store, on: self).feed
    }
}

package import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeGeo
import LatticeStore
import LatticeWire

/// Programs that read the store in the order in which it is written. A slow one costs a position here: nothing is queued for
/// it, and what it has no space for is read when it has.
final class RecordFeeds {
    private static let feedsMax = 64

    private var feeds: [Int: RecordFeed] = [:]
    private var lastFeed = 0

    func open(
        _ wish: RecordsSubscribe, in store: Store, on node: isolated Node
    ) async throws(RequestError) -> RecordsSubscribe.Reply {
        let top: FeedMark
        do {
            top = try await store.feed.top()
        } catch {
            throw .store(fault: StoreFault(error))
        }
        guard !node.hasStopped else { throw .stopped(why: .stopping) }
        guard feeds.count < Self.feedsMax else { throw .feed(fault: .tooManyFeeds(max: Self.feedsMax)) }
        let start = wish.after.map { FeedMark($0) } ?? FeedMark(epoch: top.epoch, seq: 0)
        guard start.epoch == top.epoch, start.seq <= top.seq else { throw .feed(fault: .positionGone) }
        lastFeed += 1
        feeds[lastFeed] = RecordFeed(lastFeed, after: start, FeedFilter(wish), window: wish.window, in: store)
        return RecordsSubscribe.Reply(feed: lastFeed, position: FeedPosition(start), top: FeedPosition(top))
    }

    /// Waits until there are records that the feed has space for. A feed that fails is over.
    func next(of number: Int, on node: isolated Node) async throws(RequestError) -> RecordBatch {
        while let feed = feeds[number], !Task.isCancelled {
            guard let space = feed.beginReading() else {
                await feed.signal.wait()
                continue
            }
            let page: FeedPage?
            do {
                page = try await feed.store.feed.page(
                    after: feed.mark, countMax: space.records, bytesMax: space.bytes, where: feed.filter,
                    at: node.clock.now)
            } catch {
                end(number)
                throw .store(fault: StoreFault(error))
            }
            guard let page else {
                end(number)
                throw .feed(fault: .positionGone)
            }
            if feeds[number] != nil, let batch = feed.read(page) { return batch }
        }
        throw Task.isCancelled ? .stopped(why: .cancelled) : .feed(fault: .unknown)
    }

    func taken(_ number: Int, _ mark: FeedMark) throws(RequestError) {
        guard let feed = feeds[number] else { throw .feed(fault: .unknown) }
        guard feed.taken(mark) else { throw .feed(fault: .notSent) }
    }

    /// How many records the reader of this feed has not confirmed, or not got yet; `nil` if there is no such feed.
    func left(in number: Int, on node: isolated Node) async throws(RequestError) -> FeedCount? {
        guard let feed = feeds[number] else { return nil }
        let sent = feed.unconfirmedCount
        do {
            let left = try await feed.store.feed.count(after: feed.mark, where: feed.filter, at: node.clock.now)
            return left.map { FeedCount(count: $0.count + sent, isMore: $0.isMore) }
        } catch {
            throw .store(fault: StoreFault(error))
        }
    }

    func end(_ number: Int) {
        feeds.removeValue(forKey: number)?.signal.raise()
    }

    /// The store gained or lost records.
    func storeChanged() {
        for feed in feeds.values { feed.storeChanged() }
    }

    /// The node stops.
    func finish() {
        for number in feeds.keys.sorted() { end(number) }
    }
}

extension Node: FeedNode {
    package func nextRecords(of feed: Int) async throws(RequestError) -> RecordBatch {
        try await sync.feeds.next(of: feed, on: self)
    }
}

extension FeedFilter {
    init(_ wish: RecordsSubscribe) {
        self.init(
            kinds: wish.kinds.map { Set($0.map { RecordKind(rawValue: $0) }) }, rooms: wish.rooms.map { Set($0) },
            near: wish.near.map { Circle(centre: $0.centre, radius: $0.radius) },
            notVia: wish.notVia.map { RecordCarrier($0) }, crossing: wish.crossing)
    }
}

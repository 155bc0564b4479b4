import DequeModule
import LatticeAPI
import LatticeConcurrency
import LatticeStore
import LatticeWire

/// One reader of the store, and what was sent to it that it has not confirmed.
final class RecordFeed {
    /// Beyond the last confirmed position.
    private static let bytesMax = 1 << 20
    /// A batch that is large enough to be worth its line, and small enough to be confirmed soon.
    private static let batchMax = 256
    /// After this many rows that the reader does not want it gets a new position.
    private static let skippedMax: Int64 = 4_096

    private struct Sent {
        /// The number of its last record: a reader may confirm records, or batches.
        let seq: Int64
        /// At least 1: a batch without records takes its place in the window, too.
        let records: Int
        let isEmpty: Bool
        let bytes: Int
    }

    /// Raised when there is space or something to read.
    let signal = Signal()
    let store: Store
    let filter: FeedFilter
    /// Everything up to here was read.
    private(set) var mark: FeedMark
    private let number: Int
    private let window: Int
    private var unconfirmed: Deque<Sent> = []
    private var recordsSent = 0
    private var bytesSent = 0
    /// The position that the reader knows.
    private var toldSeq: Int64
    private var isToldLive = false
    /// The store may have more.
    private var mayHaveMore = true

    init(_ number: Int, after mark: FeedMark, _ filter: FeedFilter, window: Int, in store: Store) {
        (self.number, self.mark, self.filter, self.window, self.store) = (number, mark, filter, window, store)
        toldSeq = mark.seq
    }

    /// Records that were sent and not confirmed.
    var unconfirmedCount: Int { unconfirmed.reduce(0) { $0 + ($1.isEmpty ? 0 : $1.records) } }

    func storeChanged() {
        mayHaveMore = true
        signal.raise()
    }

    /// - Returns: how much may be read now; `nil` if there is nothing to read, or no space for the longest record. A batch fits
    ///   one `RecordsPut`.
    func beginReading() -> (records: Int, bytes: Int)? {
        guard mayHaveMore, recordsSent < window, bytesSent + Record.bytesMax <= Self.bytesMax else { return nil }
        // A change during the read raises it again.
        mayHaveMore = false
        return (min(window - recordsSent, Self.batchMax), min(Self.bytesMax - bytesSent, RecordsPut.bytesMax))
    }

    /// - Returns: `nil` if there is nothing that the reader should know.
    func read(_ page: FeedPage) -> RecordBatch? {
        mark = page.mark
        if !page.isTop { mayHaveMore = true }
        let isNews = page.isTop && !isToldLive || mark.seq - toldSeq >= Self.skippedMax
        guard !page.records.isEmpty || isNews else { return nil }
        (isToldLive, toldSeq) = (page.isTop, mark.seq)
        let sent = Sent(
            seq: page.records.last?.seq ?? mark.seq, records: max(1, page.records.count),
            isEmpty: page.records.isEmpty, bytes: page.records.reduce(0) { $0 + $1.bytes.count })
        unconfirmed.append(sent)
        recordsSent += sent.records
        bytesSent += sent.bytes
        let entries = page.records.map { record in
            RecordBatch.Entry(record.id, record.bytes, at: FeedPosition(epoch: mark.epoch, seq: record.seq))
        }
        return RecordBatch(feed: number, entries, position: FeedPosition(mark), live: page.isTop)
    }

    /// - Returns: `false` if the position is beyond what was sent.
    func taken(_ position: FeedMark) -> Bool {
        guard position.epoch == mark.epoch, position.seq <= toldSeq else { return false }
        while let first = unconfirmed.first, first.seq <= position.seq {
            recordsSent -= first.records
            bytesSent -= first.bytes
            unconfirmed.removeFirst()
        }
        signal.raise()
        return true
    }
}

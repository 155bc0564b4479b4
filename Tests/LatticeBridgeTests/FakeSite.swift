import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// A node with a store in memory, as far as a bridge sees it.
actor FakeSite: MeshNode, FeedNode {
    private struct Row {
        let id: RecordID
        let bytes: [UInt8]
        let via: RecordVia?
        var isGone = false
    }

    private final class Feed {
        let signal = Signal()
        let notVia: RecordVia?
        var mark: Int
        var isToldLive = false

        init(after mark: Int, notVia: RecordVia?) { (self.mark, self.notVia) = (mark, notVia) }
    }

    private let identity: Identity
    private let time: FakeTime
    private var epoch = "a"
    private var rows: [Row] = []
    private var feeds: [Int: Feed] = [:]
    private var lastFeed = 0
    /// Puts that are answered "busy" for every record.
    private var busyPuts = 0
    /// Whether records cross.
    private var allows = true
    /// What is here of pictures and files.
    var blobs = FakeBlobs()
    /// How often each record was put.
    private(set) var puts: [RecordID: Int] = [:]

    init(_ number: UInt8, _ time: FakeTime) {
        identity = Identity(seed: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        self.time = time
    }

    var ids: Set<RecordID> { Set(rows.filter { !$0.isGone }.map(\.id)) }

    /// The ids of what is here, as a broker sees them.
    var hexIDs: [String] { rows.map(\.id.hex).sorted() }

    @discardableResult
    func say(
        _ text: String, at date: Int64? = nil, days: UInt32 = 7, kind: RecordKind = .chat
    ) -> VerifiedRecord {
        let date = date.map { WallTime(milliseconds: $0) } ?? time.wallTime
        let record = identity.sign(
            Record(
                kind: kind, author: identity.peer, created: HybridTime(wallTime: date),
                lifetimeSeconds: days * 86_400,
                topic: Array("#lobby".utf8), body: Array(text.utf8)))
        keep(record, via: nil)
        return record
    }

    /// Shares a file with these bytes.
    func share(_ bytes: [UInt8]) throws -> BlobName {
        let name = try FakeBlobs.name(of: bytes)
        let fileName = try #require(FileName("a.bin"))
        let type = try #require(MediaType("application/octet-stream"))
        let record = identity.sign(
            Record(
                kind: .manifest, author: identity.peer, created: HybridTime(wallTime: time.wallTime),
                lifetimeSeconds: 86_400, topic: Array("#lobby".utf8),
                body: ManifestBody(name, name: fileName, type: type).body))
        keep(record, via: nil)
        return name
    }

    func have(_ bytes: [UInt8]) throws { try blobs.add(bytes) }

    func bytes(of name: BlobName) -> [UInt8]? { blobs.bytes(of: name) }

    /// As from a neighbour on this network.
    func keep(_ record: VerifiedRecord, via: RecordVia?) {
        guard !ids.contains(record.id) else { return }
        rows.append(Row(id: record.id, bytes: record.signed.bytes, via: via))
        for feed in feeds.values { feed.signal.raise() }
    }

    func set(allows: Bool) { self.allows = allows }

    func beBusy(_ puts: Int) { busyPuts = puts }

    /// Deletes one: its row stays without a record.
    func remove(_ index: Int) { rows[index].isGone = true }

    /// Another store with the same records.
    func takeAnotherStore() {
        epoch += "a"
        for feed in feeds.values { feed.signal.raise() }
        feeds = [:]
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        let reply: any Sendable
        switch request {
        case let put as RecordsPut: reply = RecordsPut.Reply(put.records.map { answer($0, put.via) }, position: top)
        case let wish as RecordsSubscribe: reply = try subscribe(wish)
        case is RecordsTaken: reply = Done()
        case let read as PiecesRead: reply = blobs.read(read, isNamed: ids.contains(read.record))
        case let put as PiecesPut:
            let ids = ids
            reply = PiecesPut.Reply(put.pieces.map { blobs.put($0, isNamed: ids.contains($0.record)) })
        case let end as RecordsEnd:
            feeds.removeValue(forKey: end.feed)?.signal.raise()
            reply = Done()
        default: throw .stopped(why: .otherVersion)
        }
        if request is RecordsPut, busyPuts > 0 { busyPuts -= 1 }
        guard let reply = reply as? R.Reply else { throw .stopped(why: .otherVersion) }
        return reply
    }

    private var top: FeedPosition { FeedPosition(epoch: epoch, seq: Int64(rows.count)) }

    private func subscribe(_ wish: RecordsSubscribe) throws(RequestError) -> RecordsSubscribe.Reply {
        let start = wish.after ?? FeedPosition(epoch: epoch, seq: 0)
        guard start.epoch == epoch else { throw .feed(fault: .positionGone) }
        lastFeed += 1
        feeds[lastFeed] = Feed(after: Int(start.seq), notVia: wish.notVia)
        return RecordsSubscribe.Reply(feed: lastFeed, position: start, top: top)
    }

    private func answer(_ bytes: [UInt8], _ via: RecordVia) -> RecordAnswer {
        let record: SignedRecord
        do {
            record = try SignedRecord(decoding: bytes[...])
        } catch {
            return .refused(nil, .form)
        }
        let id = RecordID(Digest.blake2b256(bytes))
        puts[id, default: 0] += 1
        if busyPuts > 0 { return .busy(id, seconds: 1) }
        if let row = rows.firstIndex(where: { $0.id == id }) {
            return .known(id, at: FeedPosition(epoch: epoch, seq: Int64(row + 1)))
        }
        do {
            keep(try RecordVerifier.verify(record), via: via)
        } catch {
            return .refused(id, .signature)
        }
        return .added(id, at: top)
    }

    func nextRecords(of number: Int) async throws(RequestError) -> RecordBatch {
        while let feed = feeds[number], !Task.isCancelled {
            let rows = rows.enumerated().dropFirst(feed.mark).prefix(7)
            guard !rows.isEmpty || !feed.isToldLive else {
                await feed.signal.wait()
                continue
            }
            feed.mark += rows.count
            feed.isToldLive = feed.mark == self.rows.count
            return RecordBatch(
                feed: number,
                rows.filter { isFed($0.element, notVia: feed.notVia) }.map { row in
                    RecordBatch.Entry(
                        row.element.id, row.element.bytes, at: FeedPosition(epoch: epoch, seq: Int64(row.offset + 1)))
                }, position: FeedPosition(epoch: epoch, seq: Int64(feed.mark)), live: feed.mark == self.rows.count)
        }
        throw Task.isCancelled ? .stopped(why: .cancelled) : .feed(fault: .unknown)
    }

    private func isFed(_ row: Row, notVia: RecordVia?) -> Bool {
        allows && !row.isGone && (notVia == nil || row.via != notVia)
    }

    func events() async -> NodeEvents {
        let (events, input) = NodeEvents.makeStream()
        input.finish()
        return events
    }
}

import DequeModule
import LatticeCore
import LatticeMesh
import LatticeWire

/// What a person at a peer wants.
struct BlobWish {
    /// In milliseconds.
    let at: Int64
    /// In milliseconds from then.
    let within: Int64?
    /// Bytes of the pieces that are lacking.
    let lacking: Int
    var completedAt: Int64?
    /// Bytes of pieces that came.
    var bytesIn = 0
    /// Bytes that came and could not be kept: false ones, and those that a full disk did not take.
    var lostBytes = 0
    /// Ends of links and sources, and restarts.
    var changes = 0
}

/// A peer of a world of blobs: the real machine, a disk, and a person.
struct BlobPeer {
    struct Arrived {
        let name: BlobName
        let number: Int
        let parcel: BlobParcel
        let link: LinkID
    }

    let id: PeerID
    let lie: BlobLie?
    private var exchange: BlobExchange?
    private(set) var isUp = false
    /// The number of its current start.
    private(set) var life = 0
    /// The earliest wake-up that is planned, in nanoseconds.
    private(set) var wakeAt = Int64.max
    var disk: BlobDisk
    /// By the number of the blob.
    var wishes: [Int: BlobWish] = [:]
    /// Pieces that wait for the disk.
    var writing: Deque<Arrived> = []
    /// The blobs of its own asks, also of those that ended; `nil` for an unknown blob.
    var asks: [LinkID: [UInt32: Int]] = [:]
    /// What others ask of it, for liars.
    var asked: [LinkID: [UInt32: BlobName]] = [:]
    /// The number of its last ask, if it makes them up.
    var lastAsk: UInt32 = 0
    /// Pieces that it asked for and that did not come, on each link: for sabotages.
    var owed: [LinkID: [UInt32: Set<Int>]] = [:]
    /// How often it was due at the same moment.
    private var spin = (at: Int64(-1), count: 0)

    init(id: PeerID, lie: BlobLie?, disk: BlobDisk) {
        (self.id, self.lie, self.disk) = (id, lie, disk)
    }

    var isHonest: Bool { lie == nil }

    mutating func start(seed: UInt64) {
        exchange = BlobExchange(seed: seed)
        isUp = true
        life += 1
        wakeAt = .max
    }

    mutating func stop(isPowerCut: Bool) {
        exchange = nil
        isUp = false
        writing.removeAll()
        asks.removeAll()
        asked.removeAll()
        owed.removeAll()
        for (blob, count) in disk.crash(isPowerCut: isPowerCut) {
            wishes[blob]?.lostBytes += count * BlobShape.leafBytes
        }
    }

    mutating func handle(_ event: BlobEvent, at now: Int64) -> [BlobEffect] {
        exchange?.handle(event, at: Instant(nanoseconds: now)) ?? []
    }

    /// When it must be woken, unless an earlier wake-up is planned; in nanoseconds.
    mutating func wakeToAdd(at now: Int64) -> Int64? {
        guard let deadline = exchange?.nextDeadline?.nanoseconds, max(deadline, now) < wakeAt else { return nil }
        wakeAt = max(deadline, now)
        return wakeAt
    }

    enum Waking {
        case notDue
        case due
        /// It is due again and again.
        case spinning
    }

    mutating func wakes(at now: Int64) -> Waking {
        wakeAt = .max
        guard let deadline = exchange?.nextDeadline?.nanoseconds, deadline <= now else { return .notDue }
        spin = spin.at == now ? (now, spin.count + 1) : (now, 0)
        return spin.count > 50 ? .spinning : .due
    }

    func isShunning(_ peer: PeerID, at now: Int64) -> Bool {
        exchange?.isShunned(peer, at: Instant(nanoseconds: now)) ?? false
    }

    var tables: [BlobFill] { exchange.map { BlobFill.tables(of: $0) } ?? [] }

    /// Whether pieces that it asked for have not come.
    var owes: Bool { owed.values.contains { $0.values.contains { !$0.isEmpty } } }

    func owes(_ number: Int, of blob: Int, except link: LinkID) -> Bool {
        owed.contains { other, byAsk in
            other != link && byAsk.contains { ask, numbers in numbers.contains(number) && asks[other]?[ask] == blob }
        }
    }

    mutating func change(_ blob: Int) {
        if wishes[blob]?.completedAt == nil { wishes[blob]?.changes += 1 }
    }

    mutating func changeAll() {
        for blob in wishes.keys { change(blob) }
    }
}

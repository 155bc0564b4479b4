import DequeModule
package import LatticeCore
import LatticeWire

/// Who sent a datagram that waits for a link.
package struct DatagramSource: Hashable, Sendable {
    /// The neighbour that it came from; `nil` for this peer.
    package let giver: PeerID?
    /// The peer that sent it first; a relayed one as its giver says.
    package let origin: PeerID

    package init(giver: PeerID?, origin: PeerID) {
        (self.giver, self.origin) = (giver, origin)
    }
}

/// Datagrams that left the queue of a link.
package struct DatagramTally: Hashable, Sendable {
    /// Written, of this peer's own.
    package var sent = 0
    /// Written for others.
    package var relayed = 0
    /// Dropped, as they had waited for too long.
    package var old = 0
    /// Dropped, as the link ended.
    package var ended = 0
}

/// Datagrams that wait for one link. If it is full, a datagram of the loudest source is dropped, the oldest of its loudest origin:
/// a neighbour that names many origins takes space from nobody else. The loudest has the greatest share of the places or of the
/// bytes, so that many short ones are as loud as a few long ones.
struct DatagramQueue: Sendable {
    /// A quarter of a second at 60 Hz for four peers.
    static let countMax = 64
    static let bytesMax = 64 << 10
    /// Bytes that are written at a time, ahead of a batch of other frames.
    static let turnBytes = 16 << 10

    private struct Entry: Sendable {
        let source: DatagramSource
        let frame: DatagramFrame
        let bytes: Int
        let since: ContinuousClock.Instant
    }

    private struct Load {
        var count = 0
        var bytes = 0

        mutating func add(_ more: Int) {
            count += 1
            bytes += more
        }

        /// The greater of its shares of places and of bytes, in bytes.
        var share: Int { max(bytes, count * (DatagramQueue.bytesMax / DatagramQueue.countMax)) }
    }

    private var entries: Deque<Entry> = []
    private var bytes = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// - Returns: how many were dropped for it, which may be this one.
    mutating func push(_ frame: DatagramFrame, from source: DatagramSource, at now: ContinuousClock.Instant) -> Int {
        let entry = Entry(source: source, frame: frame, bytes: Frame.datagram(frame).byteCount, since: now)
        entries.append(entry)
        bytes += entry.bytes
        var dropped = 0
        while isOverHalf(source.giver) {
            drop(of: source.giver)
            dropped += 1
        }
        while entries.count > Self.countMax || bytes > Self.bytesMax {
            drop(of: loudestGiver())
            dropped += 1
        }
        return dropped
    }

    /// Takes about `turnBytes` bytes, each with its age, and drops what has waited for too long.
    mutating func take(at now: ContinuousClock.Instant) -> (frames: [[UInt8]], DatagramTally) {
        var (frames, tally, taken) = ([[UInt8]](), DatagramTally(), 0)
        while taken < Self.turnBytes, let entry = entries.popFirst() {
            bytes -= entry.bytes
            let waited = entry.since.duration(to: now).milliseconds
            let age = Double(entry.frame.ageMilliseconds) + max(0, waited).rounded()
            guard age <= Double(DatagramFrame.ageMax) else {
                tally.old += 1
                continue
            }
            if entry.source.giver == nil { tally.sent += 1 } else { tally.relayed += 1 }
            frames.append(Frame.datagram(entry.frame.aged(UInt32(age))).bytes)
            taken += entry.bytes
        }
        return (frames, tally)
    }

    /// - Returns: how many were dropped.
    mutating func removeAll() -> Int {
        defer {
            entries = []
            bytes = 0
        }
        return entries.count
    }

    // MARK: - Shares

    private func isOverHalf(_ giver: PeerID?) -> Bool {
        var load = Load()
        for entry in entries where entry.source.giver == giver { load.add(entry.bytes) }
        return load.count > Self.countMax / 2 || load.bytes > Self.bytesMax / 2
    }

    private func loudestGiver() -> PeerID? {
        loudest(entries.map { ($0.source.giver, $0.bytes) })
    }

    /// Drops the oldest of its loudest origin.
    private mutating func drop(of giver: PeerID?) {
        let origin = loudest(entries.filter { $0.source.giver == giver }.map { ($0.source.origin, $0.bytes) })
        let victim = entries.firstIndex { $0.source.giver == giver && $0.source.origin == origin }
        guard let victim else { preconditionFailure("the loudest source has a datagram") }
        bytes -= entries.remove(at: victim).bytes
    }

    /// - Returns: the key with the greatest share; of equal ones, the first in the queue.
    private func loudest<Key: Hashable>(_ entries: [(key: Key, bytes: Int)]) -> Key {
        var loads: [Key: Load] = [:]
        for entry in entries { loads[entry.key, default: Load()].add(entry.bytes) }
        let most = loads.values.map(\.share).max()
        guard let first = entries.first(where: { loads[$0.key]?.share == most }) else {
            preconditionFailure("a full queue has a datagram")
        }
        return first.key
    }
}

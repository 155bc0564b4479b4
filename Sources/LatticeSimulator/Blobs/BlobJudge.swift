import LatticeMesh
import LatticeWire

/// Judges that watch a world of blobs: what they forbid must never happen.
struct BlobJudge {
    private var verified = FaultList(of: "no false piece")
    private var spared = FaultList(of: "honest givers are not shunned")
    private var tables = FaultList(of: "tables within limit")
    private var quotas = FaultList(of: "quotas hold")
    private var hops = FaultList(of: "three links at most")
    private var seeks = FaultList(of: "seeks are bounded")
    private var liars = FaultList(of: "liars cost little")
    private var deletions = FaultList(of: "what was deleted is not given")
    private var deadlines = FaultList(of: "deadlines pass")

    /// The most hops with which a peer was asked for a blob lately, and when, in milliseconds.
    private var heard: [[BlobName: (hops: UInt8, at: Int64)]]
    /// How often a peer asked for a blob for others since then.
    private var forwards: [[BlobName: (count: Int, since: Int64)]]
    /// Bytes of false pieces of each liar, and since when.
    private var falseBytes: [[Int: (bytes: Int, since: Int64)]]
    private var deletedAt: [[Int: Int64]]
    private var rotten: Set<Int> = []

    init(peerCount: Int) {
        heard = Array(repeating: [:], count: peerCount)
        forwards = Array(repeating: [:], count: peerCount)
        falseBytes = Array(repeating: [:], count: peerCount)
        deletedAt = Array(repeating: [:], count: peerCount)
    }

    var faults: [Fault] {
        [verified, spared, tables, quotas, hops, seeks, liars, deletions, deadlines].flatMap(\.faults)
    }

    // MARK: - Pieces

    mutating func keptFalse(_ number: Int, of blob: Int, _ peer: Int, at time: Int64) {
        verified.add("kept a false piece \(number) of blob \(blob)", at: time, peer: peer)
    }

    mutating func completed(_ blob: Int, _ disk: BlobDisk, _ peer: Int, at time: Int64) {
        guard let held = disk[blob], held.have.isComplete, held.forged.isEmpty else {
            return verified.add("says that it has all of blob \(blob)", at: time, peer: peer)
        }
    }

    mutating func recovered(_ disk: BlobDisk, _ blobCount: Int, _ peer: Int, at time: Int64) {
        for blob in 0..<blobCount {
            guard let count = disk[blob]?.forged.count, count > 0 else { continue }
            verified.add("counts \(count) pieces of blob \(blob) that it lacks", at: time, peer: peer)
        }
    }

    /// An honest peer gave a piece.
    mutating func gave(_ number: Int, of blob: Int, _ held: BlobDisk.Held, _ peer: Int, at time: Int64) {
        if held.forged.contains(number) {
            verified.add("gave a false piece \(number) of blob \(blob)", at: time, peer: peer)
        }
        if held.rotten.contains(number) { rotten.insert(peer) }
        // It may have come again since.
        if held.isDeleted, let deleted = deletedAt[peer][blob], time > deleted + BlobDisk.removal + 1_000 {
            deletions.add("gave blob \(blob), which was deleted", at: time, peer: peer)
        }
    }

    /// Whether a bad disk made it give false pieces.
    func hasRotten(_ peer: Int) -> Bool { rotten.contains(peer) }

    mutating func deleted(_ blob: Int, at peer: Int, _ time: Int64) { deletedAt[peer][blob] = time }

    mutating func shuns(_ other: Int, by peer: Int, at time: Int64) {
        spared.add("shuns peer \(other)", at: time, peer: peer)
    }

    /// False bytes that one liar may make one peer fetch before it is shunned; each wrong piece ends a window of others.
    private static let falseBytesMax = 4 << 20
    /// A liar is shunned for ten minutes at least, in milliseconds.
    private static let falseInterval: Int64 = 600_000

    mutating func cost(of liar: Int, at peer: Int, bytes: Int, _ time: Int64) {
        var sum = falseBytes[peer][liar] ?? (0, time)
        if time > sum.since + Self.falseInterval { sum = (0, time) }
        sum.bytes += bytes
        falseBytes[peer][liar] = sum
        if sum.bytes > Self.falseBytesMax {
            liars.add("took \(sum.bytes) false bytes from peer \(liar)", at: time, peer: peer)
        }
    }

    // MARK: - Questions

    mutating func heard(_ name: BlobName, hops: UInt8, at peer: Int, _ time: Int64) {
        guard hops > 0 else { return }
        if let before = heard[peer][name], time < before.at + Self.heardInterval, before.hops >= hops { return }
        heard[peer][name] = (hops, time)
    }

    /// Longer than a blob is looked for on behalf of others and asked for again; in milliseconds.
    private static let heardInterval: Int64 = 600_000
    /// In milliseconds.
    private static let seekInterval: Int64 = 5_000

    /// A peer asked for a blob that it does not want for itself.
    mutating func forwarded(_ name: BlobName, hops count: UInt8, by peer: Int, linkCount: Int, at time: Int64) {
        if count > 0, count >= heard[peer][name]?.hops ?? 0 {
            hops.add("asks for what others want with \(count) hops", at: time, peer: peer)
        }
        var sum = forwards[peer][name] ?? (0, time)
        if time > sum.since + Self.seekInterval { sum = (0, time) }
        sum.count += 1
        forwards[peer][name] = sum
        if sum.count > 4 * linkCount + 4 {
            seeks.add("asked \(sum.count) times for what others want", at: time, peer: peer)
        }
        if forwards[peer].count > 10_000 { forwards[peer].removeAll() }
        if heard[peer].count > 100_000 { heard[peer] = heard[peer].filter { time < $0.value.at + 20_000 } }
    }

    // MARK: - Tables

    mutating func inspected(_ all: [BlobFill], _ disk: BlobDisk, _ peer: Int, at time: Int64) {
        for table in all where table.count > table.countMax {
            tables.add("\(table.name): \(table.count), at most \(table.countMax)", at: time, peer: peer)
        }
        if disk.passingCount > disk.passingMax {
            quotas.add("keeps \(disk.passingCount) pieces for others, at most \(disk.passingMax)", at: time, peer: peer)
        }
    }

    mutating func spins(_ peer: Int, at time: Int64) {
        deadlines.add("is due again and again at the same moment", at: time, peer: peer)
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire

/// What one peer has on its disk: pieces as numbers, and whether their bytes are true.
struct BlobDisk {
    enum Use {
        case own
        case passing
    }

    struct Held {
        var use: Use
        /// The map: pieces that count as kept.
        var have: PieceSet
        /// Those of them whose bytes are false, by a fault of this program.
        var forged: Set<Int> = []
        /// Those that changed on the disk.
        var rotten: Set<Int> = []
        /// Pieces that a power cut takes, since the last time when all was written.
        var unsynced: [Int] = []
        /// Pieces that count as kept and are not written: a sabotage.
        var unwritten: Set<Int> = []
        var isBeingFetched = false
        /// Files go then, in milliseconds.
        var removedAt: Int64?
        var isDeleted = false
        var usedAt: Int64 = 0
    }

    /// By the number of the blob.
    private(set) var held: [Int: Held] = [:]
    var isFull = false
    /// In pieces.
    let passingMax: Int
    private let sabotage: BlobSabotage

    init(passingBytes: Int64, _ sabotage: BlobSabotage) {
        passingMax = Int(passingBytes / Int64(BlobShape.leafBytes))
        self.sabotage = sabotage
    }

    subscript(blob: Int) -> Held? { held[blob] }

    /// What may be given to others.
    func shared(_ blob: Int) -> Held? {
        guard let one = held[blob], !one.isDeleted || sabotage == .noTrigger else { return nil }
        return one
    }

    /// Pieces that are here and true.
    func truth(_ blob: Int) -> PieceSet? {
        guard let one = held[blob], !one.isDeleted else { return nil }
        var have = one.have
        for number in one.forged.union(one.rotten) { have.remove(number) }
        return have
    }

    var passingCount: Int { held.values.reduce(0) { $0 + ($1.use == .passing ? $1.have.count : 0) } }

    // MARK: - Writing

    mutating func keep(_ blob: Int, _ pieces: PieceSet) {
        held[blob] = Held(use: .own, have: pieces)
    }

    /// A person wants it.
    ///
    /// - Returns: what is here.
    mutating func beginOwn(_ blob: Int, of pieceCount: Int) -> PieceSet {
        var one = held[blob] ?? Held(use: .own, have: PieceSet(of: pieceCount))
        (one.use, one.isBeingFetched, one.removedAt, one.isDeleted) = (.own, !one.have.isComplete, nil, false)
        held[blob] = one
        return one.have
    }

    /// Others want it.
    ///
    /// - Returns: what is here; `nil` if there is no space.
    mutating func beginPassing(_ blob: Int, of pieceCount: Int, at now: Int64) -> PieceSet? {
        if let one = held[blob] {
            guard !one.isDeleted else { return nil }
            held[blob]?.removedAt = nil
            held[blob]?.isBeingFetched = !one.have.isComplete
            held[blob]?.usedAt = now
            return one.have
        }
        let passing = held.filter { $0.value.use == .passing }
        // All of it counts from now on.
        var used = passing.reduce(0) { sum, one in
            let counts = sabotage != .countLate || one.value.have.isComplete
            return sum + (counts ? one.value.have.pieceCount : 0)
        }
        let idle = passing.filter { !$0.value.isBeingFetched }
            .sorted { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) }[...]
        var leaving = idle
        while used + pieceCount > passingMax, let one = leaving.popFirst() {
            used -= one.value.have.pieceCount
            held[one.key] = nil
        }
        guard used + pieceCount <= passingMax else { return nil }
        held[blob] = Held(use: .passing, have: PieceSet(of: pieceCount), isBeingFetched: true, usedAt: now)
        return PieceSet(of: pieceCount)
    }

    /// A piece came and waits to be written.
    mutating func arrived(_ number: Int, of blob: Int) {
        guard sabotage == .bitBeforeBytes, held[blob]?.have.contains(number) == false else { return }
        held[blob]?.unwritten.insert(number)
    }

    mutating func write(_ number: Int, isTrue: Bool, of blob: Int, parent: Int?) -> BlobVerdict {
        guard var one = held[blob], !isFull else { return .notStored }
        if let parent, !one.have.contains(parent) { return .again }
        guard isTrue || sabotage == .skipVerify else { return .wrong }
        held[blob] = nil
        one.have.insert(number)
        one.unwritten.remove(number)
        if !isTrue { one.forged.insert(number) }
        one.rotten.remove(number)
        one.unsynced.append(number)
        // All that came before is on the disk after 8 MiB.
        if one.unsynced.count > 256 { one.unsynced.removeFirst(128) }
        held[blob] = one
        return .kept
    }

    mutating func finish(_ blob: Int) {
        held[blob]?.unsynced.removeAll()
        held[blob]?.isBeingFetched = false
    }

    // MARK: - Ends

    mutating func dropPassing(_ blob: Int, at now: Int64) {
        guard held[blob]?.use == .passing else { return }
        held[blob]?.isBeingFetched = false
        held[blob]?.removedAt = now + Self.removal
    }

    mutating func delete(_ blob: Int, at now: Int64) {
        held[blob]?.isDeleted = true
        if sabotage != .noTrigger { held[blob]?.removedAt = now + Self.removal }
    }

    mutating func clean(at now: Int64) {
        for (blob, one) in held where one.removedAt.map({ $0 <= now }) ?? false { held[blob] = nil }
    }

    /// A use was removed so long ago that the files go, in milliseconds.
    static let removal: Int64 = 60_000

    /// The process ended.
    ///
    /// - Returns: how many pieces of each blob a power cut took.
    mutating func crash(isPowerCut: Bool) -> [Int: Int] {
        var lost: [Int: Int] = [:]
        for blob in held.keys {
            guard var one = held[blob] else { continue }
            for number in one.unwritten {
                one.have.insert(number)
                one.forged.insert(number)
            }
            one.unwritten.removeAll()
            if isPowerCut {
                for number in one.unsynced where sabotage == .trustAfterPowerCut { one.forged.insert(number) }
                for number in one.unsynced where sabotage != .trustAfterPowerCut { one.have.remove(number) }
                lost[blob] = one.unsynced.count
            }
            one.unsynced.removeAll()
            one.isBeingFetched = false
            held[blob] = one
        }
        return lost
    }

    /// The process starts again.
    mutating func recover(keepsMap: Bool) {
        guard !keepsMap || sabotage == .noMap else { return }
        // A complete blob needs no map.
        for (blob, one) in held where !one.have.isComplete {
            held[blob]?.have = PieceSet(of: one.have.pieceCount)
            held[blob]?.forged.removeAll()
            held[blob]?.rotten.removeAll()
        }
    }

    mutating func rot(_ blob: Int) {
        guard let number = held[blob]?.have.first() else { return }
        held[blob]?.rotten.insert(number)
    }

    /// - Returns: what is left, if the piece is damaged.
    mutating func recheck(_ number: Int, of blob: Int) -> PieceSet? {
        guard held[blob]?.rotten.remove(number) != nil else { return nil }
        held[blob]?.have.remove(number)
        held[blob]?.isBeingFetched = true
        return held[blob]?.have
    }
}

import LatticeCore
import LatticeWire
import OrderedCollections

/// What is exchanged over one link.
struct BlobLink: Sendable {
    let peer: PeerID

    // MARK: As a wanter

    /// Our open asks there.
    var asksOut: OrderedDictionary<UInt32, BlobName> = [:]
    private(set) var lastAskOut: UInt32 = 0
    /// The number of pieces that may still arrive for asks that have ended.
    var excusedCount = 0
    /// The blob that is asked for first the next time.
    var refillTurn = 0
    var pace = BlobPace()
    /// Pieces that were asked for and have not come, of all asks.
    var owedCount = 0
    var unasked = TokenBucket()

    // MARK: As a giver

    var asksIn: OrderedDictionary<UInt32, GivenAsk> = [:]
    var lastAskIn: UInt32 = 0
    /// The ask whose turn it is.
    var turn = 0
    /// Pieces that wait in the link's own queue, as far as is known.
    var queuedCount = 0
    /// Pieces are being read for it.
    var isReading = false
    var opens = TokenBucket()
    var seeks = TokenBucket()
    var accusations = TokenBucket()

    init(_ peer: PeerID) { self.peer = peer }

    mutating func open(_ name: BlobName) -> UInt32 {
        lastAskOut += 1
        asksOut[lastAskOut] = name
        return lastAskOut
    }

    var waitingCount: Int { asksIn.values.reduce(0) { $0 + $1.waitingCount } }
}

/// A neighbour's ask.
struct GivenAsk: Sendable {
    enum Held: Sendable {
        /// The store is being asked.
        case unknown
        /// Looked for at other links until then.
        case sought(until: Instant)
        case all
        case some(PieceSet)
        /// Fetched here at this moment: what there is grows.
        case coming
    }

    let name: BlobName
    let shape: BlobShape
    let hops: UInt8
    var held: Held = .unknown
    /// Pieces to give, in the order in which they were asked for.
    private(set) var waiting: [Range<Int>] = []
    /// Ranges told in `have` frames cover this many pieces of what is fetched here.
    var toldCount = 0
    var toldAway: UInt8?

    init(_ name: BlobName, hops: UInt8) {
        (self.name, self.hops) = (name, hops)
        shape = BlobShape(name)
    }

    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    mutating func add(_ ranges: some Sequence<Range<Int>>) {
        for range in ranges {
            let inside = range.clamped(to: 0..<shape.pieceCount)
            if !inside.isEmpty { waiting.append(inside) }
        }
    }

    /// - Returns: what was removed.
    mutating func remove(_ removed: PieceRanges) -> PieceRanges {
        var gone: [Int] = []
        for range in removed.ranges {
            for (index, own) in waiting.enumerated().reversed() where own.overlaps(range) {
                gone += own.clamped(to: range)
                let parts = [
                    own.lowerBound..<max(own.lowerBound, range.lowerBound),
                    min(own.upperBound, range.upperBound)..<own.upperBound,
                ]
                waiting.replaceSubrange(index...index, with: parts.filter { !$0.isEmpty })
            }
        }
        return PieceRanges(asking: Set(gone).sorted())
    }

    /// The first pieces that wait and that `isHere`; those are removed.
    mutating func take(_ count: Int, where isHere: (Int) -> Bool) -> [Int] {
        let taken = Array(waiting.lazy.joined().filter(isHere).prefix(count))
        for number in taken {
            guard let index = waiting.firstIndex(where: { $0.contains(number) }) else { continue }
            let range = waiting[index]
            let parts = [range.lowerBound..<number, number + 1..<range.upperBound]
            waiting.replaceSubrange(index...index, with: parts.filter { !$0.isEmpty })
        }
        return taken
    }

    /// Pieces that wait and are not here.
    func missing(where isHere: (Int) -> Bool) -> [Int] {
        Set(waiting.joined().filter { !isHere($0) }).sorted()
    }
}

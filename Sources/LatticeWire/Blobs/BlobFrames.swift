/// Ranges of pieces, ascending and not adjacent: `count:varint (skip:varint length:varint)*`.
///
/// `skip` counts from the end of the range before, and from 0 in the first one.
package struct PieceRanges: Hashable, Sendable {
    /// Pieces of the largest blob.
    package static let endMax = BlobShape(size: BlobName.sizeMax).pieceCount
    /// Ranges in a `holds`.
    package static let countMax = 512
    /// Frames for what one peer has of a blob.
    package static let framesMax = 32
    /// Ranges in a `want` and an `absent`.
    package static let askedCountMax = 64
    /// Pieces in the ranges of a `want` and an `absent`.
    package static let askedPiecesMax = 256

    package static let none = PieceRanges(uncheckedRanges: [])

    package let ranges: [Range<Int>]

    private init(uncheckedRanges ranges: [Range<Int>]) { self.ranges = ranges }

    /// - Returns: `nil` if the ranges are not ascending, or two of them touch, or they end beyond the largest blob.
    package init?(_ ranges: [Range<Int>]) {
        var end = -1
        for range in ranges {
            guard range.lowerBound > end, !range.isEmpty, range.upperBound <= Self.endMax else { return nil }
            end = range.upperBound
        }
        guard ranges.count <= Self.countMax else { return nil }
        self.ranges = ranges
    }

    /// The first pieces of these, as many as a `want` may name.
    ///
    /// - Parameter numbers: in any order; one that stands there twice counts once.
    package init(asking numbers: some Sequence<Int>) {
        var ranges: [Range<Int>] = []
        for number in Set(numbers).sorted().prefix(Self.askedPiecesMax) {
            if let last = ranges.last, last.upperBound == number {
                ranges[ranges.count - 1] = last.lowerBound..<number + 1
            } else if ranges.count < Self.askedCountMax {
                ranges.append(number..<number + 1)
            } else {
                break
            }
        }
        self.ranges = ranges
    }

    /// Those of a set, in as many frames as they need, at most 32; one without ranges if it is empty.
    package static func frames(of set: PieceSet) -> [PieceRanges] {
        var frames: [PieceRanges] = []
        var next = set.nextRange()
        repeat {
            var ranges: [Range<Int>] = []
            while let range = next, ranges.count < countMax {
                ranges.append(range)
                next = set.nextRange(from: range.upperBound)
            }
            frames.append(PieceRanges(uncheckedRanges: ranges))
        } while next != nil && frames.count < framesMax
        return frames
    }

    package var isEmpty: Bool { ranges.isEmpty }
    package var pieceCount: Int { ranges.reduce(0) { $0 + $1.count } }
    /// One more than the last piece.
    package var end: Int { ranges.last?.upperBound ?? 0 }
    package var numbers: some Sequence<Int> { ranges.lazy.flatMap(\.self) }
}

/// Asks a neighbour for pieces of a blob: `ask:varint kind:1 body`.
package struct Want: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Say what you have of this blob; if you lack it, look for it over up to `hops` (0–2) more links. Send these
        /// pieces, in ascending order (only with `hops` 0).
        case open(BlobName, hops: UInt8, PieceRanges)
        /// Send these pieces, too.
        case more(PieceRanges)
        /// Do not send these pieces. Without ranges the ask is over.
        case less(PieceRanges)
        /// This piece of yours does not verify.
        case wrong(Int)
    }

    package static let hopsMax: UInt8 = 2
    /// Chosen by the sender, ascending on one link: 1 ... 2^32 − 1.
    package let ask: UInt32
    package let kind: Kind

    package init(ask: UInt32, _ kind: Kind) {
        (self.ask, self.kind) = (ask, kind)
    }
}

/// What the sender has of a blob: `kind:1 body`.
package enum Holds: Hashable, Sendable {
    /// - Parameters:
    ///   - away: 0 if the sender has them, else how many links behind it they are, at most 2.
    ///   - pieces: `nil` stands for all. They are added to those of earlier frames.
    case have(ask: UInt32, away: UInt8, pieces: PieceRanges?)
    /// The sender has all of this blob; the receiver should keep it for others.
    case offer(BlobName)

    package static let awayMax: UInt8 = 2
}

/// One piece: `ask:varint number:varint octets`.
package struct PieceFrame: Hashable, Sendable {
    package static let bytesMax = BlobShape.leafBytes
    package let ask: UInt32
    package let number: Int
    package let octets: [UInt8]

    package init(ask: UInt32, number: Int, octets: [UInt8]) {
        precondition(octets.count <= Self.bytesMax, "pieces are no longer than a leaf")
        (self.ask, self.number, self.octets) = (ask, number, octets)
    }
}

/// Pieces that the sender will not send: `ask:varint reason:1 wait:varint ranges`. The design calls this frame `none`.
package struct Absent: Hashable, Sendable {
    package enum Reason: UInt8, Hashable, Sendable {
        case notHere = 0
        case notGiven = 1
        case busy = 2
        case otherSize = 3
        /// The answer to `less`.
        case asYouAsked = 4
        case noSuchAsk = 5
        case tooManyAsks = 6
        case unknown = 255
    }

    package static let waitSecondsMax: UInt16 = 3_600
    package let ask: UInt32
    package let reason: Reason
    /// Asking again is of no use earlier: 0–3,600 s.
    package let waitSeconds: UInt16
    /// Without ranges the ask is over.
    package let pieces: PieceRanges

    package init(ask: UInt32, _ reason: Reason, waitSeconds: UInt16 = 0, pieces: PieceRanges = .none) {
        (self.ask, self.reason, self.waitSeconds, self.pieces) = (ask, reason, waitSeconds, pieces)
    }
}

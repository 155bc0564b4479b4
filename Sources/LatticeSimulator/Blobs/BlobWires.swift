import DequeModule
import LatticeCore
import LatticeWire

/// What travels over a link.
struct BlobParcel {
    let frame: Frame
    let bytes: Int
    /// Whether a piece has the true bytes of the blob.
    var isTrue = true

    var isPiece: Bool {
        if case .piece = frame { true } else { false }
    }
}

/// One direction of a link: a wire, and two lanes before it. Lines and questions pass pieces.
struct BlobWire {
    /// Pieces that fit in the lane for them.
    static let bulkMax = 8
    /// With fewer, more are asked for.
    static let bulkLow = 4

    private var speech: Deque<BlobParcel> = []
    private var bulk: Deque<BlobParcel> = []
    private(set) var isBusy = false

    /// - Returns: whether it was taken.
    mutating func put(_ parcel: BlobParcel) -> Bool {
        guard parcel.isPiece else {
            speech.append(parcel)
            return true
        }
        guard bulk.count < Self.bulkMax else { return false }
        bulk.append(parcel)
        return true
    }

    /// - Returns: what is sent now; `nil` if nothing waits or something is on the wire.
    mutating func start() -> BlobParcel? {
        guard !isBusy, let next = speech.popFirst() ?? bulk.popFirst() else { return nil }
        isBusy = true
        return next
    }

    /// - Returns: whether more pieces are welcome.
    mutating func ended() -> Bool {
        isBusy = false
        return bulk.count < Self.bulkLow
    }

    mutating func clear() { self = BlobWire() }
}

/// Two peers that can be linked.
struct BlobPair {
    let ends: (Int, Int)
    let bytesPerSecond: Int64
    /// One way, in nanoseconds.
    let delay: Int64
    /// The link between them; `nil` while there is none.
    var link: LinkID?
    /// From the first to the second, and back.
    var wires = [BlobWire(), BlobWire()]
    /// Nothing is sent before, in nanoseconds.
    var stalledUntil: Int64 = 0

    func far(from peer: Int) -> Int { ends.0 == peer ? ends.1 : ends.0 }

    func direction(from peer: Int) -> Int { ends.0 == peer ? 0 : 1 }

    /// Bytes that are on their way when the other end says that it wants no more.
    var bytesUnderWay: Int { Int(bytesPerSecond * 2 * delay / 1_000_000_000) }
}

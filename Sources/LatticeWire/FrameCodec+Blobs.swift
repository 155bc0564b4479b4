import LatticeCore

// Encoding and decoding of what peers say about blobs, and of their pieces.
extension ByteReader {
    mutating func want() throws(WireError) -> Want {
        let ask = try ask()
        switch try byte("want kind") {
        case 0:
            let name = try blobName("wanted blob")
            let hops = try byte("want hops")
            let ranges = try askedRanges("wanted pieces")
            // Every holder would send them.
            guard hops <= Want.hopsMax, hops == 0 || ranges.isEmpty else { throw .outOfRange(field: "want hops") }
            guard ranges.end <= BlobShape(name).pieceCount else { throw .outOfRange(field: "wanted pieces") }
            return Want(ask: ask, .open(name, hops: hops, ranges))
        case 1:
            let ranges = try askedRanges("wanted pieces")
            guard !ranges.isEmpty else { throw .outOfRange(field: "wanted pieces") }
            return Want(ask: ask, .more(ranges))
        case 2: return Want(ask: ask, .less(try askedRanges("wanted pieces")))
        case 3: return Want(ask: ask, .wrong(try pieceNumber()))
        default: throw .outOfRange(field: "want kind")
        }
    }

    mutating func holds() throws(WireError) -> Holds {
        switch try byte("holds kind") {
        case 0:
            let ask = try ask()
            let away = try byte("holds distance")
            guard away <= Holds.awayMax else { throw .outOfRange(field: "holds distance") }
            let isAll = try flag("holds all")
            let ranges = try ranges("held pieces", countMax: PieceRanges.countMax)
            guard !isAll || ranges.isEmpty else { throw .outOfRange(field: "held pieces") }
            return .have(ask: ask, away: away, pieces: isAll ? nil : ranges)
        case 1: return .offer(try blobName("offered blob"))
        default: throw .outOfRange(field: "holds kind")
        }
    }

    mutating func piece() throws(WireError) -> PieceFrame {
        let ask = try ask()
        let number = try pieceNumber()
        let octets = rest()
        guard octets.count <= PieceFrame.bytesMax else {
            throw .tooLong(field: "piece", bytes: octets.count, bytesMax: PieceFrame.bytesMax)
        }
        return PieceFrame(ask: ask, number: number, octets: Array(octets))
    }

    mutating func absent() throws(WireError) -> Absent {
        let ask = try ask()
        let reason = Absent.Reason(rawValue: try byte("absence reason")) ?? .unknown
        guard let wait = UInt16(exactly: try varint("absence wait")), wait <= Absent.waitSecondsMax else {
            throw .outOfRange(field: "absence wait")
        }
        return Absent(ask: ask, reason, waitSeconds: wait, pieces: try askedRanges("absent pieces"))
    }

    private mutating func ask() throws(WireError) -> UInt32 {
        guard let ask = UInt32(exactly: try varint("ask")), ask > 0 else { throw .outOfRange(field: "ask") }
        return ask
    }

    private mutating func pieceNumber() throws(WireError) -> Int {
        guard let number = Int(exactly: try varint("piece number")), number < PieceRanges.endMax else {
            throw .outOfRange(field: "piece number")
        }
        return number
    }

    private mutating func askedRanges(_ field: String) throws(WireError) -> PieceRanges {
        let ranges = try ranges(field, countMax: PieceRanges.askedCountMax)
        guard ranges.pieceCount <= PieceRanges.askedPiecesMax else { throw .outOfRange(field: field) }
        return ranges
    }

    private mutating func ranges(_ field: String, countMax: Int) throws(WireError) -> PieceRanges {
        let count = try varint(field)
        guard count <= UInt64(countMax) else { throw .outOfRange(field: field) }
        var ranges: [Range<Int>] = []
        var end = 0
        for _ in 0..<count {
            // Neither is above 2^21, so their sum is in range.
            let (skip, length) = (try varint(field), try varint(field))
            guard skip <= UInt64(PieceRanges.endMax), length <= UInt64(PieceRanges.endMax) else {
                throw .outOfRange(field: field)
            }
            let start = end + Int(skip)
            ranges.append(start..<start + Int(length))
            end = start + Int(length)
        }
        guard let checked = PieceRanges(ranges) else { throw .outOfRange(field: field) }
        return checked
    }
}

extension ByteWriter {
    mutating func want(_ want: Want) {
        varint(UInt64(want.ask))
        switch want.kind {
        case .open(let name, let hops, let ranges):
            byte(0)
            blobName(name)
            byte(hops)
            self.ranges(ranges)
        case .more(let ranges):
            byte(1)
            self.ranges(ranges)
        case .less(let ranges):
            byte(2)
            self.ranges(ranges)
        case .wrong(let number):
            byte(3)
            varint(UInt64(number))
        }
    }

    mutating func holds(_ holds: Holds) {
        switch holds {
        case .have(let ask, let away, let pieces):
            byte(0)
            varint(UInt64(ask))
            byte(away)
            byte(pieces == nil ? 1 : 0)
            ranges(pieces ?? .none)
        case .offer(let name):
            byte(1)
            blobName(name)
        }
    }

    mutating func piece(_ piece: PieceFrame) {
        varint(UInt64(piece.ask))
        varint(UInt64(piece.number))
        fixed(piece.octets)
    }

    mutating func absent(_ absent: Absent) {
        varint(UInt64(absent.ask))
        byte(absent.reason.rawValue)
        varint(UInt64(absent.waitSeconds))
        ranges(absent.pieces)
    }

    private mutating func ranges(_ ranges: PieceRanges) {
        varint(UInt64(ranges.ranges.count))
        var end = 0
        for range in ranges.ranges {
            varint(UInt64(range.lowerBound - end))
            varint(UInt64(range.count))
            end = range.upperBound
        }
    }
}

extension Want {
    var bodyByteCount: Int {
        let body =
            switch kind {
            case .open(let name, _, let ranges): name.byteCount + 1 + ranges.byteCount
            case .more(let ranges), .less(let ranges): ranges.byteCount
            case .wrong(let number): Frame.varint(UInt64(number))
            }
        return Frame.varint(UInt64(ask)) + 1 + body
    }
}

extension Holds {
    var bodyByteCount: Int {
        switch self {
        case .have(let ask, _, let pieces): 1 + Frame.varint(UInt64(ask)) + 1 + 1 + (pieces ?? .none).byteCount
        case .offer(let name): 1 + name.byteCount
        }
    }
}

extension PieceFrame {
    var bodyByteCount: Int { Frame.varint(UInt64(ask)) + Frame.varint(UInt64(number)) + octets.count }
}

extension Absent {
    var bodyByteCount: Int { Frame.varint(UInt64(ask)) + 1 + Frame.varint(UInt64(waitSeconds)) + pieces.byteCount }
}

extension PieceRanges {
    fileprivate var byteCount: Int {
        var (end, bytes) = (0, Frame.varint(UInt64(ranges.count)))
        for range in ranges {
            bytes += Frame.varint(UInt64(range.lowerBound - end)) + Frame.varint(UInt64(range.count))
            end = range.upperBound
        }
        return bytes
    }
}

extension BlobName {
    fileprivate var byteCount: Int { 32 + Frame.varint(UInt64(size)) }
}

import LatticeCore

/// A range of a message: its end, and its content.
struct HeardRange: Sendable {
    enum Content: Sendable {
        case skip
        case fingerprint(RangeFingerprint)
        /// The offsets of the ids' bytes in the message, 32 each.
        case ids(Range<Int>)
    }

    let bound: ReconciliationBound
    let content: Content
}

/// Parses the ranges of a message.
struct RangeReader {
    let bytes: [UInt8]
    private var offset = 0
    private var last = ReconciliationBound.start

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte(_ field: String) throws(ReconciliationError) -> UInt8 {
        guard offset < bytes.count else { throw .truncated(field: field) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func range() throws(ReconciliationError) -> HeardRange {
        let bound = try bound()
        let mode = try varint("mode")
        return switch RangeWriter.Mode(rawValue: mode) {
        case .skip: HeardRange(bound: bound, content: .skip)
        case .fingerprint: HeardRange(bound: bound, content: .fingerprint(try fingerprint()))
        case .idList: HeardRange(bound: bound, content: .ids(try ids()))
        case nil: throw .unknownMode(mode)
        }
    }

    /// The id at this offset of the message.
    func id(at place: Int) -> Bytes32 {
        Bytes32(words: (word(at: place), word(at: place + 8), word(at: place + 16), word(at: place + 24)))
    }

    /// Base-128 digits, most significant first; each but the last has its high bit set.
    private mutating func varint(_ field: String) throws(ReconciliationError) -> UInt64 {
        var value: UInt64 = 0
        var isFirst = true
        while true {
            let digit = try byte(field)
            guard !isFirst || digit != 0x80 else { throw .notShortest(field: field) }
            guard value >> 57 == 0 else { throw .outOfRange(field: field) }
            isFirst = false
            value = value << 7 | UInt64(digit & 0x7F)
            if digit < 0x80 { return value }
        }
    }

    /// A timestamp is encoded as the distance from the previous one plus one; 0 is infinity, and so is a sum beyond 64
    /// bits.
    private mutating func bound() throws(ReconciliationError) -> ReconciliationBound {
        let encoded = try varint("timestamp")
        let (sum, isBeyond) = last.timestamp.addingReportingOverflow(encoded &- 1)
        let timestamp = encoded == 0 || isBeyond ? .max : sum
        let length = try varint("prefix length")
        guard length <= 32 else { throw .outOfRange(field: "prefix length") }
        let prefix = try prefix(bytes: Int(length))
        let bound = ReconciliationBound(timestamp: timestamp, prefix: prefix, prefixBytes: Int(length))
        guard !bound.isBefore(last) else { throw .descendingBound }
        last = bound
        return bound
    }

    private mutating func prefix(bytes count: Int) throws(ReconciliationError) -> Bytes32 {
        guard count > 0 else { return .zero }
        let shown = bytes[try skip(count, "prefix")]
        return Bytes32(shown + [UInt8](repeating: 0, count: 32 - count)) ?? .zero
    }

    private mutating func fingerprint() throws(ReconciliationError) -> RangeFingerprint {
        let start = try skip(RangeFingerprint.bytesCount, "fingerprint").lowerBound
        return RangeFingerprint(Bytes32(words: (word(at: start), word(at: start + 8), 0, 0)))
    }

    private mutating func ids() throws(ReconciliationError) -> Range<Int> {
        let count = try varint("count of ids")
        guard count <= UInt64((bytes.count - offset) / 32) else { throw .truncated(field: "ids") }
        return try skip(Int(count) * 32, "ids")
    }

    private mutating func skip(_ count: Int, _ field: String) throws(ReconciliationError) -> Range<Int> {
        guard count <= bytes.count - offset else { throw .truncated(field: field) }
        defer { offset += count }
        return offset..<offset + count
    }

    private func word(at place: Int) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes[place..<place + 8] { word = word << 8 | UInt64(byte) }
        return word
    }
}

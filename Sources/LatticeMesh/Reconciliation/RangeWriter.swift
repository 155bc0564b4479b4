import LatticeCore

/// Writes the ranges of a message.
struct RangeWriter {
    enum Mode: UInt64 {
        case skip = 0
        case fingerprint = 1
        case idList = 2
    }

    /// A position in the message to return to.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let lastTimestamp: UInt64
    }

    /// The first byte of every message: version 1.
    static let version: UInt8 = 0x61

    private(set) var bytes: [UInt8] = [version]
    /// The previous bound's timestamp; the next one is encoded relative to it.
    private var lastTimestamp: UInt64 = 0

    var mark: Mark { Mark(bytes: bytes.count, lastTimestamp: lastTimestamp) }

    mutating func takeBack(to mark: Mark) {
        bytes.removeSubrange(mark.bytes...)
        lastTimestamp = mark.lastTimestamp
    }

    mutating func skip(to bound: ReconciliationBound) {
        begin(bound, .skip)
    }

    mutating func fingerprint(_ fingerprint: RangeFingerprint, to bound: ReconciliationBound) {
        begin(bound, .fingerprint)
        Self.append(fingerprint.words.0, to: &bytes)
        Self.append(fingerprint.words.1, to: &bytes)
    }

    mutating func ids(_ ranks: Range<Int>, of set: ReconciliationSet, to bound: ReconciliationBound) {
        begin(bound, .idList)
        Self.append(varint: UInt64(ranks.count), to: &bytes)
        set.forEach(in: ranks) { item in
            let words = item.id.words
            Self.append(words.0, to: &bytes)
            Self.append(words.1, to: &bytes)
            Self.append(words.2, to: &bytes)
            Self.append(words.3, to: &bytes)
        }
    }

    private mutating func begin(_ bound: ReconciliationBound, _ mode: Mode) {
        let isInfinite = bound.timestamp == .max
        Self.append(varint: isInfinite ? 0 : bound.timestamp - lastTimestamp + 1, to: &bytes)
        lastTimestamp = bound.timestamp
        Self.append(varint: UInt64(bound.prefixBytes), to: &bytes)
        if bound.prefixBytes > 0 { bytes += bound.prefix.bytes.prefix(bound.prefixBytes) }
        Self.append(varint: mode.rawValue, to: &bytes)
    }

    /// Big-endian.
    private static func append(_ word: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    static func append(varint value: UInt64, to bytes: inout [UInt8]) {
        let bits = max(1, UInt64.bitWidth - value.leadingZeroBitCount)
        for shift in stride(from: (bits - 1) / 7 * 7, to: 0, by: -7) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)) | 0x80)
        }
        bytes.append(UInt8(truncatingIfNeeded: value) & 0x7F)
    }
}

package import LatticeCore

/// SHA-256; passed in, because this module has no hash functions.
package typealias Fingerprinter = @Sendable ([UInt8]) -> Bytes32

/// A count of items and the sum of their ids mod 2^256. Sums can be subtracted, so the sum of a range is the sum before
/// its end minus the sum before its beginning.
package struct ReconciliationSum: Equatable, Sendable {
    package private(set) var count = 0
    /// Halves of the sum; the protocol reads ids as little-endian numbers ("Fingerprint Algorithm").
    private var low: UInt128 = 0
    private var high: UInt128 = 0

    init() {}

    init(_ id: Bytes32) {
        let words = id.words
        count = 1
        low = UInt128(words.1.byteSwapped) << 64 | UInt128(words.0.byteSwapped)
        high = UInt128(words.3.byteSwapped) << 64 | UInt128(words.2.byteSwapped)
    }

    static func += (left: inout ReconciliationSum, right: ReconciliationSum) {
        let (low, carries) = left.low.addingReportingOverflow(right.low)
        left.count += right.count
        left.low = low
        left.high = left.high &+ right.high &+ (carries ? 1 : 0)
    }

    static func -= (left: inout ReconciliationSum, right: ReconciliationSum) {
        let (low, borrows) = left.low.subtractingReportingOverflow(right.low)
        left.count -= right.count
        left.low = low
        left.high = left.high &- right.high &- (borrows ? 1 : 0)
    }

    static func - (left: ReconciliationSum, right: ReconciliationSum) -> ReconciliationSum {
        var difference = left
        difference -= right
        return difference
    }

    /// The first 16 bytes of SHA-256(sum, little-endian ‖ varint count).
    package func fingerprint(_ sha256: Fingerprinter) -> RangeFingerprint {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(42)
        for half in [low, high] {
            for shift in stride(from: 0, to: 128, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> UInt128(shift)))
            }
        }
        RangeWriter.append(varint: UInt64(count), to: &bytes)
        return RangeFingerprint(sha256(bytes))
    }
}

/// The fingerprint of all ids in a range.
package struct RangeFingerprint: Hashable, Sendable {
    static let bytesCount = 16

    /// Big-endian.
    package let words: (UInt64, UInt64)

    /// The first half of a hash.
    init(_ hash: Bytes32) {
        words = (hash.words.0, hash.words.1)
    }

    package static func == (left: RangeFingerprint, right: RangeFingerprint) -> Bool {
        left.words == right.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}

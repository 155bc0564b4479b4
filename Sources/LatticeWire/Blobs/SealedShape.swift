/// The pieces of a file that is encrypted, by its size alone.
///
/// The file is padded with zeros and cut into parts of 32,752 bytes. Each part is sealed with a tag of 16 bytes, which makes
/// it one leaf of the blob.
package struct SealedShape: Hashable, Sendable {
    package static let tagBytes = 16
    /// What a leaf holds.
    package static let partBytes = BlobShape.leafBytes - tagBytes
    /// The largest file whose blob is not above `BlobName.sizeMax`.
    package static let plainBytesMax: Int64 = 127 << 28

    /// The size of the file, 0–`plainBytesMax`.
    package let plainBytes: Int64
    /// With the padding.
    package let paddedBytes: Int64
    package let leafCount: Int

    /// - Returns: `nil` if the size is outside 0–`plainBytesMax`.
    package init?(plainBytes: Int64) {
        guard (0...Self.plainBytesMax).contains(plainBytes) else { return nil }
        self.plainBytes = plainBytes
        paddedBytes = Self.paddedBytes(plainBytes)
        leafCount = max(1, Int((paddedBytes + Int64(Self.partBytes) - 1) / Int64(Self.partBytes)))
    }

    /// The size of the blob.
    package var blobBytes: Int64 { paddedBytes + Int64(Self.tagBytes) * Int64(leafCount) }

    /// Padmé (Reducing Metadata Leakage from Encrypted Files and Communication with PURBs, 2019, algorithm 1): with E the
    /// exponent of the size and S the bits of E, the last E − S bits become zeros, rounded up.
    ///
    /// - Parameter size: 0 or more.
    static func paddedBytes(_ size: Int64) -> Int64 {
        guard size > 1 else { return size }
        let exponent = Int64.bitWidth - 1 - size.leadingZeroBitCount
        let exponentBits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = Int64(1) << Int64(max(0, exponent - exponentBits)) - 1
        return (size + mask) & ~mask
    }

    /// Where the part in a leaf stands in the padded file.
    ///
    /// - Parameter leaf: 0 ..< `leafCount`.
    package func paddedRange(ofLeaf leaf: Int) -> Range<Int64> {
        precondition((0..<leafCount).contains(leaf), "the leaf is one of the blob")
        let start = Int64(leaf) * Int64(Self.partBytes)
        return start..<min(start + Int64(Self.partBytes), paddedBytes)
    }

    /// Which bytes of the file a leaf holds; none if it is padding only.
    package func plainRange(ofLeaf leaf: Int) -> Range<Int64> {
        paddedRange(ofLeaf: leaf).clamped(to: 0..<plainBytes)
    }

    /// The leaves that hold these bytes of the file.
    ///
    /// - Parameter range: bytes beyond the end of the file are ignored.
    package func leaves(holding range: Range<Int64>) -> Range<Int> {
        let range = range.clamped(to: 0..<plainBytes)
        guard !range.isEmpty else { return 0..<0 }
        return Int(range.lowerBound / Int64(Self.partBytes))..<Int((range.upperBound - 1) / Int64(Self.partBytes)) + 1
    }
}

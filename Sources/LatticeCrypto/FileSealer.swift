import LatticeCore
package import LatticeWire

/// Encrypts a file as it comes. Each has its own random key, so no nonce is used twice; there is one object for it, which cannot
/// be copied and seals each leaf once.
package final class FileSealer {
    /// Leaves of padding that are made at once: 2 MiB.
    private static let paddingLeavesMax = 64

    private let key: FileKey
    /// The bytes of the file so far.
    package private(set) var plainBytes: Int64 = 0
    /// The part that is not complete.
    private var rest: [UInt8] = []
    private var leafCount = 0
    /// Set when the padding begins.
    private var shape: SealedShape?

    package convenience init() { self.init(.random()) }

    init(_ key: consuming FileKey) { self.key = key }

    /// Seals the parts that are complete with these bytes.
    ///
    /// - Returns: the next leaves of the blob, one after another; `nil` if the file would be larger than
    ///   `SealedShape.plainBytesMax`; then nothing is added.
    package func append(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        precondition(shape == nil, "nothing comes after the padding")
        guard Int64(bytes.count) <= SealedShape.plainBytesMax - plainBytes else { return nil }
        plainBytes += Int64(bytes.count)
        var sealed: [UInt8] = []
        sealed.reserveCapacity((rest.count + bytes.count) / SealedShape.partBytes * BlobShape.leafBytes)
        var left = bytes
        while rest.count + left.count >= SealedShape.partBytes {
            if rest.isEmpty {
                seal(left.prefix(SealedShape.partBytes), into: &sealed)
                left = left.dropFirst(SealedShape.partBytes)
            } else {
                let more = left.prefix(SealedShape.partBytes - rest.count)
                rest += more
                left = left.dropFirst(more.count)
                seal(rest[...], into: &sealed)
                rest.removeAll(keepingCapacity: true)
            }
        }
        rest += left
        return sealed
    }

    /// Call after the last bytes, until it returns none: the padding can be much.
    ///
    /// - Returns: the next leaves of the blob.
    package func pad() -> [UInt8] {
        guard let shape = shape ?? SealedShape(plainBytes: plainBytes) else {
            preconditionFailure("append bounds the size")
        }
        self.shape = shape
        var sealed: [UInt8] = []
        for leaf in leafCount..<min(leafCount + Self.paddingLeavesMax, shape.leafCount) {
            let zeros = shape.paddedRange(ofLeaf: leaf).count - rest.count
            seal(rest[...] + [UInt8](repeating: 0, count: zeros), into: &sealed)
            rest = []
        }
        return sealed
    }

    private func seal(_ part: ArraySlice<UInt8>, into sealed: inout [UInt8]) {
        sealed += key.seal(part, leaf: leafCount)
        leafCount += 1
    }

    /// What those who may read the file get.
    ///
    /// - Parameters:
    ///   - blob: of all leaves.
    ///   - preview: at most 8 KiB.
    package func file(
        _ blob: BlobName, name: FileName, type: MediaType, preview: [UInt8]? = nil
    ) -> SealedFile {
        SealedFile(
            blob, key: key.exported(), prefix: key.prefix, plainBytes: plainBytes, name: name, type: type,
            preview: preview)
    }
}

/// Opens leaves of an encrypted file, in any order. They are verified already, so a leaf that does not open is its
/// author's fault.
package final class FileOpener: Sendable {
    package let shape: SealedShape
    private let key: FileKey

    package init(_ file: SealedFile) {
        shape = file.shape
        key = FileKey(SecretBytes(copying: file.key.bytes), prefix: file.prefix)
    }

    /// - Parameter leaf: 0 ..< `shape.leafCount`.
    /// - Returns: the bytes of the file in that leaf, without padding.
    /// - Throws: `decryptionFailed`, also if the padding is not zeros.
    package func open(_ sealed: ArraySlice<UInt8>, leaf: Int) throws(CryptoError) -> [UInt8] {
        guard var part = key.open(sealed, leaf: leaf), part.count == shape.paddedRange(ofLeaf: leaf).count else {
            throw .decryptionFailed
        }
        let count = shape.plainRange(ofLeaf: leaf).count
        guard part[count...].allSatisfy({ $0 == 0 }) else { throw .decryptionFailed }
        part.removeLast(part.count - count)
        return part
    }

    /// - Parameters:
    ///   - range: bytes beyond the end of the file are ignored.
    ///   - leaves: the proven bytes of each of `shape.leaves(holding: range)`, in order.
    package func bytes(_ range: Range<Int64>, of leaves: [[UInt8]]) throws(CryptoError) -> [UInt8] {
        let numbers = shape.leaves(holding: range)
        precondition(leaves.count == numbers.count, "each leaf that holds a byte of the range is there")
        var bytes: [UInt8] = []
        for (number, sealed) in zip(numbers, leaves) {
            let part = try open(sealed[...], leaf: number)
            let held = shape.plainRange(ofLeaf: number)
            let wanted = range.clamped(to: held)
            bytes += part[Int(wanted.lowerBound - held.lowerBound)..<Int(wanted.upperBound - held.lowerBound)]
        }
        return bytes
    }
}

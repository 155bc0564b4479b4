package import LatticeCore

/// What names a blob: the root of its hash tree and its size. Both are needed, since the size gives the shape of the tree.
package struct BlobName: Hashable, Comparable, Sendable {
    package static let sizeMax: Int64 = 1 << 35

    package let root: Bytes32
    /// In bytes, 0–`sizeMax`.
    package let size: Int64

    /// - Returns: `nil` if the size is outside 0–`sizeMax`.
    package init?(root: Bytes32, size: Int64) {
        guard (0...Self.sizeMax).contains(size) else { return nil }
        (self.root, self.size) = (root, size)
    }

    package static func < (left: BlobName, right: BlobName) -> Bool {
        (left.root, left.size) < (right.root, right.size)
    }
}

extension ByteReader {
    /// `root:32 size:varint`.
    package mutating func blobName(_ field: String) throws(WireError) -> BlobName {
        let root = try bytes32(field)
        guard let size = Int64(exactly: try varint(field)), let name = BlobName(root: root, size: size) else {
            throw .outOfRange(field: field)
        }
        return name
    }
}

extension ByteWriter {
    package mutating func blobName(_ name: BlobName) {
        fixed(name.root)
        varint(UInt64(name.size))
    }
}

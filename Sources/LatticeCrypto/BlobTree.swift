package import LatticeCore
package import LatticeWire

/// The hashes that name a blob and prove its pieces: BLAKE2b-256 without a key, personalised for leaves, nodes and roots, so
/// that no piece passes for one of another level.
package enum BlobTree {
    private static let leafUse: StaticString = "lattice leaf v1\0"
    private static let nodeUse: StaticString = "lattice node v1\0"
    private static let rootUse: StaticString = "lattice root v1\0"

    /// - Parameter bytes: at most `BlobShape.leafBytes`.
    package static func leaf(_ bytes: ArraySlice<UInt8>) -> Bytes32 { Sodium.blake2b256(bytes, use: leafUse) }

    /// - Parameter hashes: of its 1–1,024 children, 32 bytes each, in order.
    package static func node(_ hashes: ArraySlice<UInt8>) -> Bytes32 { Sodium.blake2b256(hashes, use: nodeUse) }

    /// - Parameter top: the hash of piece 0.
    package static func root(size: Int64, top: Bytes32) -> Bytes32 {
        var bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> Int64(8 * $0)) }
        bytes += top.bytes
        return Sodium.blake2b256(bytes[...], use: rootUse)
    }

    /// Whether a piece is the one that the blob has at that number.
    ///
    /// - Parameters:
    ///   - number: 0 ..< `shape.pieceCount`.
    ///   - parent: the verified bytes of its parent; not used for piece 0.
    package static func proves(
        _ bytes: ArraySlice<UInt8>, isPiece number: Int, of name: BlobName, parent: ArraySlice<UInt8>
    ) -> Bool {
        let shape = BlobShape(name)
        guard bytes.count == shape.byteCount(of: number) else { return false }
        let hash =
            if case .leaf = shape.piece(number) { leaf(bytes) } else { node(bytes) }
        guard let (above, place) = shape.parent(of: number) else {
            return root(size: name.size, top: hash) == name.root
        }
        guard parent.count == shape.byteCount(of: above) else { return false }
        let start = parent.startIndex + BlobShape.offset(ofPlace: place)
        return Bytes32(parent[start..<start + 32]) == hash
    }

    /// Hashes a blob as its bytes come, in one pass.
    package struct Builder: Sendable {
        /// The number of bytes so far.
        package private(set) var size: Int64 = 0
        /// The bytes of the last leaf, which is not complete.
        private var rest: [UInt8] = []
        /// The hashes of leaves without a node yet.
        private var leaves: [UInt8] = []
        /// The hashes of complete nodes.
        private var top: [UInt8] = []
        private var nodes: [[UInt8]] = []

        private let sizeMax: Int64

        package init(sizeMax: Int64 = BlobName.sizeMax) { self.sizeMax = sizeMax }

        /// - Returns: `false` if the blob would be larger than `sizeMax`; then nothing is added.
        package mutating func append(_ bytes: ArraySlice<UInt8>) -> Bool {
            guard Int64(bytes.count) <= sizeMax - size else { return false }
            size += Int64(bytes.count)
            var left = bytes
            while !left.isEmpty {
                if rest.isEmpty, left.count >= BlobShape.leafBytes {
                    add(left.prefix(BlobShape.leafBytes))
                    left = left.dropFirst(BlobShape.leafBytes)
                    continue
                }
                let more = left.prefix(BlobShape.leafBytes - rest.count)
                rest += more
                left = left.dropFirst(more.count)
                if rest.count == BlobShape.leafBytes {
                    add(rest[...])
                    rest.removeAll(keepingCapacity: true)
                }
            }
            return true
        }

        private mutating func add(_ leaf: ArraySlice<UInt8>) {
            leaves += BlobTree.leaf(leaf).bytes
            if leaves.count == BlobShape.offset(ofPlace: BlobShape.childrenMax) { closeNode() }
        }

        private mutating func closeNode() {
            top += BlobTree.node(leaves[...]).bytes
            nodes.append(leaves)
            leaves.removeAll(keepingCapacity: true)
        }

        /// The nodes that became complete since the last call, in order.
        package mutating func takeNodes() -> [[UInt8]] {
            defer { nodes.removeAll() }
            return nodes
        }

        /// - Returns: the name of the blob, and the nodes that `takeNodes` has not returned: those of the lower level in order,
        ///   then the top, if the blob has nodes.
        package consuming func finish() -> (name: BlobName, nodes: [[UInt8]]) {
            if !rest.isEmpty || size == 0 { add(rest[...]) }
            let first = Bytes32(leaves)
            if top.isEmpty, let first { return (name(of: first), []) }
            if !leaves.isEmpty { closeNode() }
            if let only = Bytes32(top) { return (name(of: only), nodes) }
            return (name(of: BlobTree.node(top[...])), nodes + [top])
        }

        private func name(of top: Bytes32) -> BlobName {
            guard let name = BlobName(root: BlobTree.root(size: size, top: top), size: size) else {
                preconditionFailure("append bounds the size")
            }
            return name
        }
    }
}

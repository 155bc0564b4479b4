import LatticeCrypto
package import LatticeWire

/// A file that goes to another peer piece by piece. It is hashed once; each piece is hashed again when it goes.
package struct ResourceSource: Sendable {
    /// Bytes that are read at once.
    private static let chunkBytes = 1 << 20

    package let name: BlobName
    package let shape: BlobShape
    private let file: DiskFile
    /// The hashes of leaves, at most 1,024 in a node: 1 MiB for each GiB of the file.
    private let nodes: [[UInt8]]

    /// Reads the whole file.
    ///
    /// - Parameter path: may be a link to a file.
    /// - Throws: `.notAFile`, `.tooLarge`, `.disk`, `.cancelled` if the task is cancelled.
    package init(_ path: String) throws(ResourceFault) {
        let file = try resourceFile { () throws(BlobFault) in try DiskFile(linkOrFile: path) }
        let facts = try resourceFile { () throws(BlobFault) in try file.facts() }
        guard facts.kind == .file else { throw .notAFile(path: path) }
        guard facts.size <= BlobName.sizeMax else { throw .tooLarge(path: path) }
        var builder = BlobTree.Builder()
        var offset: Int64 = 0
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            let bytes = try resourceFile { () throws(BlobFault) in
                try file.read(at: offset, count: Self.chunkBytes)
            }
            guard !bytes.isEmpty else { break }
            guard builder.append(bytes[...]) else { throw .tooLarge(path: path) }
            offset += Int64(bytes.count)
        }
        (name, nodes) = builder.finish()
        (shape, self.file) = (BlobShape(name), file)
    }

    /// - Parameter number: 0 ..< `shape.pieceCount`.
    /// - Throws: `.changed`, `.disk`.
    package func piece(_ number: Int) throws(ResourceFault) -> [UInt8] {
        switch shape.piece(number) {
        case .top: return nodes[nodes.count - 1]
        case .node(let index): return nodes[index]
        case .leaf(let index):
            let offset = Int64(index) * Int64(BlobShape.leafBytes)
            let bytes = try resourceFile { () throws(BlobFault) in
                try file.read(at: offset, count: shape.byteCount(of: number))
            }
            guard BlobTree.proves(bytes[...], isPiece: number, of: name, parent: parent(ofLeaf: index)[...]) else {
                throw .changed(path: file.path)
            }
            return bytes
        }
    }

    /// Empty for the only leaf, which the root proves.
    private func parent(ofLeaf index: Int) -> [UInt8] {
        switch shape.height {
        case 0: []
        case 1: nodes[0]
        default: nodes[index / BlobShape.childrenMax]
        }
    }
}

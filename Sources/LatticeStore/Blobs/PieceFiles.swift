import LatticeCrypto
import LatticeWire

/// The two files of a blob, and its pieces in them: leaf i at 32,768 i in the data; node j at 32,768 j in the tree, the top
/// last.
struct PieceFiles {
    let name: BlobName
    let shape: BlobShape
    private let data: DiskFile
    /// `nil` if the blob has only one leaf.
    private let tree: DiskFile?
    /// Nodes that were verified: the top, and one below it.
    private var top: [UInt8]?
    private var lower: (number: Int, bytes: [UInt8])?

    /// Opens both files.
    ///
    /// - Returns: `nil` if one is missing.
    init?(_ name: BlobName, at path: String, _ flags: Int32) throws(BlobFault) {
        self.name = name
        shape = BlobShape(name)
        guard let data = try DiskFile.existing(path, flags) else { return nil }
        self.data = data
        guard shape.height > 0 else {
            tree = nil
            return
        }
        guard let tree = try DiskFile.existing(BlobPaths.tree(path), flags) else { return nil }
        self.tree = tree
    }

    private func position(of number: Int) -> (DiskFile, Int64) {
        let index: Int
        switch shape.piece(number) {
        case .leaf(let leaf): return (data, Int64(leaf) * Int64(BlobShape.leafBytes))
        case .node(let node): index = node
        case .top: index = shape.pieceCount - shape.leafCount - 1
        }
        guard let tree else { preconditionFailure("a blob with nodes has a tree") }
        return (tree, Int64(index) * Int64(BlobShape.leafBytes))
    }

    /// - Returns: what is on the disk; fewer bytes than the piece has if the file is too short.
    func read(_ number: Int) throws(BlobFault) -> [UInt8] {
        let (file, offset) = position(of: number)
        return try file.read(at: offset, count: shape.byteCount(of: number))
    }

    /// - Parameter bytes: proven.
    mutating func write(_ bytes: [UInt8], as number: Int) throws(BlobFault) {
        let (file, offset) = position(of: number)
        try file.write(bytes[...], at: offset)
        remember(bytes, as: number)
    }

    func sync() throws(BlobFault) {
        try data.sync()
        try tree?.sync()
    }

    // MARK: - Proving

    /// - Throws: `BlobFault.damaged` if a node above it is not as it was written.
    mutating func proves(_ bytes: [UInt8], isPiece number: Int) throws(BlobFault) -> Bool {
        var parent: [UInt8] = []
        if let above = shape.parent(of: number) { parent = try node(above.number) }
        return BlobTree.proves(bytes[...], isPiece: number, of: name, parent: parent[...])
    }

    /// The verified bytes of a node.
    private mutating func node(_ number: Int) throws(BlobFault) -> [UInt8] {
        if number == 0, let top { return top }
        if let lower, lower.number == number { return lower.bytes }
        let bytes = try read(number)
        guard try proves(bytes, isPiece: number) else { throw .damaged(piece: number) }
        remember(bytes, as: number)
        return bytes
    }

    private mutating func remember(_ bytes: [UInt8], as number: Int) {
        switch shape.piece(number) {
        case .leaf: break
        case .node: lower = (number, bytes)
        case .top: top = bytes
        }
    }

    // MARK: - Checking

    /// Hashes what is on the disk.
    ///
    /// - Parameter remembering: whether nodes above it that were verified before are not read again.
    /// - Returns: the piece or the node above it that is not as it was written; `nil` if all is well.
    mutating func damage(of number: Int, remembering: Bool = false) throws(BlobFault) -> Int? {
        if !remembering { (top, lower) = (nil, nil) }
        do {
            return try proves(try read(number), isPiece: number) ? nil : number
        } catch .damaged(let piece) {
            return piece
        }
    }
}

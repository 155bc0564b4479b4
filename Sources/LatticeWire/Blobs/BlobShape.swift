/// The pieces of a blob of one size: leaves of 32 KiB, and above them nodes of at most 1,024 hashes.
///
/// Pieces are numbered in pre-order: a parent has a smaller number than its children, and piece 0 is the top. A blob of one leaf
/// has no node (height 0). Up to 1,024 leaves have one node above them (height 1), more have two levels of nodes (height 2).
package struct BlobShape: Hashable, Sendable {
    package static let leafBytes = 32_768
    package static let childrenMax = 1_024
    private static let hashBytes = 32
    /// A node of the lower level with its leaves.
    private static let groupCount = childrenMax + 1

    /// The size of the blob in bytes.
    package let size: Int64
    package let leafCount: Int
    /// 0–2.
    package let height: Int

    package init(_ name: BlobName) {
        self.init(size: name.size)
    }

    package init(size: Int64) {
        self.size = size
        leafCount = max(1, Int((size + Int64(Self.leafBytes) - 1) / Int64(Self.leafBytes)))
        height = leafCount == 1 ? 0 : leafCount <= Self.childrenMax ? 1 : 2
    }

    /// Nodes of the lower level; 0 unless the height is 2.
    private var lowerNodeCount: Int {
        height == 2 ? (leafCount + Self.childrenMax - 1) / Self.childrenMax : 0
    }

    package var pieceCount: Int { leafCount + min(height, 1) + lowerNodeCount }

    package enum Piece: Hashable, Sendable {
        case leaf(Int)
        /// A node of the lower level of height 2.
        case node(Int)
        /// The node above all others.
        case top
    }

    /// - Parameter number: 0 ..< `pieceCount`.
    package func piece(_ number: Int) -> Piece {
        precondition((0..<pieceCount).contains(number), "numbers of strangers are checked where they are read")
        guard number > 0 else { return height == 0 ? .leaf(0) : .top }
        guard height == 2 else { return .leaf(number - 1) }
        let (group, place) = (number - 1).quotientAndRemainder(dividingBy: Self.groupCount)
        return place == 0 ? .node(group) : .leaf(Self.childrenMax * group + place - 1)
    }

    package func number(of piece: Piece) -> Int {
        switch piece {
        case .top: 0
        case .node(let index): 1 + Self.groupCount * index
        case .leaf(let index):
            switch height {
            case 0: 0
            case 1: 1 + index
            default: 2 + index + index / Self.childrenMax
            }
        }
    }

    /// The piece whose hashes prove this one, and which of them does; `nil` for piece 0, which the root proves.
    package func parent(of number: Int) -> (number: Int, place: Int)? {
        switch piece(number) {
        case _ where number == 0: return nil
        case .top: return nil
        case .node(let index): return (0, index)
        case .leaf(let index):
            guard height == 2 else { return (0, index) }
            let (group, place) = index.quotientAndRemainder(dividingBy: Self.childrenMax)
            return (self.number(of: .node(group)), place)
        }
    }

    /// One more than the last piece below the node that proves this piece.
    package func end(ofSiblings number: Int) -> Int {
        guard height == 2, case .leaf(let index) = piece(number) else { return pieceCount }
        return min(self.number(of: .node(index / Self.childrenMax + 1)), pieceCount)
    }

    /// 0–32,768.
    package func byteCount(of number: Int) -> Int {
        switch piece(number) {
        case .leaf(let index):
            index < leafCount - 1 ? Self.leafBytes : Int(size - Int64(Self.leafBytes) * Int64(leafCount - 1))
        case .node(let index):
            Self.hashBytes * min(Self.childrenMax, leafCount - Self.childrenMax * index)
        case .top:
            Self.hashBytes * (height == 2 ? lowerNodeCount : leafCount)
        }
    }

    /// Where the hash that proves a piece begins in the bytes of its parent.
    package static func offset(ofPlace place: Int) -> Int { hashBytes * place }
}

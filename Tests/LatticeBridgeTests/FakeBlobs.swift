import LatticeAPI
import LatticeBridge
import LatticeCore
import LatticeCrypto
import LatticeWire
import Testing

/// Pieces of pictures and files in memory, verified as a node does.
struct FakeBlobs {
    private var pieces: [BlobName: [Int: [UInt8]]] = [:]
    /// How many pieces came for which no record was here.
    private(set) var unknownCount = 0

    static func name(of bytes: [UInt8]) throws -> BlobName { try tree(of: bytes).name }

    private static func tree(of bytes: [UInt8]) throws -> (name: BlobName, nodes: [[UInt8]]) {
        var builder = BlobTree.Builder()
        let isAdded = builder.append(bytes[...])
        try #require(isAdded)
        return builder.finish()
    }

    mutating func add(_ bytes: [UInt8]) throws {
        let (name, nodes) = try Self.tree(of: bytes)
        let shape = BlobShape(name)
        try #require(shape.height == 1, "the tests have files of one node")
        pieces[name] = [0: nodes[0]]
        for leaf in 0..<shape.leafCount {
            let start = leaf * BlobShape.leafBytes
            pieces[name]?[leaf + 1] = Array(bytes[start..<min(bytes.count, start + BlobShape.leafBytes)])
        }
    }

    func bytes(of name: BlobName) -> [UInt8]? {
        guard let here = pieces[name], here.count == BlobShape(name).pieceCount else { return nil }
        return (1..<here.count).flatMap { here[$0] ?? [] }
    }

    func read(_ request: PiecesRead, isNamed: Bool) -> PiecesRead.Reply {
        guard isNamed, let name = BlobName(root: request.blob.root, size: request.blob.size) else {
            return .init(.unknown)
        }
        guard let here = pieces[name], here.count == BlobShape(name).pieceCount else { return .init(.absent) }
        let numbers = here.keys.sorted().filter { $0 >= request.first }.prefix(request.count)
        return .init(.here, numbers.map { PiecesRead.Piece($0, here[$0] ?? []) })
    }

    mutating func put(_ piece: PiecesPut.Piece, isNamed: Bool) -> PiecesPut.Outcome {
        guard isNamed, let name = BlobName(root: piece.blob.root, size: piece.blob.size) else {
            unknownCount += 1
            return .unknown
        }
        let shape = BlobShape(name)
        if let here = pieces[name], here.count == shape.pieceCount {
            return here[piece.number] == piece.bytes ? .known : .refused
        }
        let parent = shape.parent(of: piece.number).flatMap { pieces[name]?[$0.number] } ?? []
        guard BlobTree.proves(piece.bytes[...], isPiece: piece.number, of: name, parent: parent[...]) else {
            return .refused
        }
        pieces[name, default: [:]][piece.number] = piece.bytes
        return .kept
    }
}

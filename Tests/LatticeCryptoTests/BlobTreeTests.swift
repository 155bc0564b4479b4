import CSodium
import Foundation
import LatticeCore
import LatticeWire
import Testing

@testable import LatticeCrypto

/// The hash trees of blobs. `Fixtures/blob-tree.py` made the vectors.
@Suite struct BlobTreeTests {
    private struct Vectors: Decodable {
        struct Blob: Decodable {
            let size: Int64
            let root: String
        }

        struct Shape: Decodable {
            let size: Int64
            let height: Int
            let pieces: Int
            let ends: [End]
        }

        struct End: Decodable {
            let number: Int
            let level: Int
            let parent: Int
            let place: Int
            let length: Int
        }

        let blobs: [Blob]
        let zeros: Blob
        let shapes: [Shape]
    }

    private let vectors: Vectors

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/blob-tree.json")
        vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
    }

    /// The bytes of the vectors: BLAKE2b-512 of a counter.
    private static func fill(_ count: Int) -> [UInt8] {
        let use = Array("lattice vector\0\0".utf8)
        let blocks = (count + 63) / 64
        return [UInt8](unsafeUninitializedCapacity: max(64 * blocks, 1)) { buffer, initialized in
            for block in 0..<blocks {
                let input = withUnsafeBytes(of: UInt64(block).bigEndian) { Array($0) }
                guard let base = buffer.baseAddress else { continue }
                crypto_generichash_blake2b_salt_personal(base + 64 * block, 64, input, 8, nil, 0, nil, use)
            }
            initialized = count
        }
    }

    /// All pieces of a blob, in the order of their numbers.
    private static func pieces(of bytes: [UInt8], portion: Int) throws -> (BlobName, [[UInt8]]) {
        var builder = BlobTree.Builder()
        var nodes: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: portion) {
            let isTaken = builder.append(bytes[start..<min(start + portion, bytes.count)])
            #expect(isTaken)
            nodes += builder.takeNodes()
        }
        let (name, last) = builder.finish()
        nodes += last
        let shape = BlobShape(name)
        let pieces = (0..<shape.pieceCount).map { number -> [UInt8] in
            switch shape.piece(number) {
            case .top: nodes[nodes.count - 1]
            case .node(let index): nodes[index]
            case .leaf(let index):
                Array(bytes[(BlobShape.leafBytes * index)...].prefix(BlobShape.leafBytes))
            }
        }
        return (name, pieces)
    }

    @Test func rootsAreThoseOfTheVectors() throws {
        for blob in vectors.blobs {
            var builder = BlobTree.Builder()
            let isTaken = builder.append(Self.fill(Int(blob.size))[...])
            #expect(isTaken)
            let name = builder.finish().name
            #expect(name.size == blob.size && Hex.string(name.root.bytes) == blob.root)
        }
    }

    @Test func theLargestBlobIsOneOfTheVectors() {
        let leaf = BlobTree.leaf([UInt8](repeating: 0, count: BlobShape.leafBytes)[...])
        func node(_ hash: Bytes32) -> Bytes32 {
            BlobTree.node((0..<BlobShape.childrenMax).flatMap { _ in hash.bytes }[...])
        }
        let root = BlobTree.root(size: vectors.zeros.size, top: node(node(leaf)))
        #expect(Hex.string(root.bytes) == vectors.zeros.root)
    }

    @Test func shapesAreThoseOfTheVectors() throws {
        for vector in vectors.shapes {
            let shape = BlobShape(try #require(BlobName(root: .zero, size: vector.size)))
            #expect(shape.height == vector.height && shape.pieceCount == vector.pieces)
            for end in vector.ends {
                let parent = shape.parent(of: end.number)
                #expect(parent?.number ?? -1 == end.parent && parent?.place ?? 0 == end.place)
                #expect(shape.byteCount(of: end.number) == end.length)
                let piece = shape.piece(end.number)
                let isLeaf = if case .leaf = piece { true } else { false }
                #expect(isLeaf == (end.level == 0) && shape.number(of: piece) == end.number)
            }
        }
    }

    @Test(arguments: [0, 1, 32_768, 32_769, 100_000, 33_554_432 + 70_000])
    func everyPieceIsProvenByItsParentAlone(_ size: Int) throws {
        let bytes = [UInt8](repeating: 7, count: size)
        let (name, pieces) = try Self.pieces(of: bytes, portion: 50_001)
        let shape = BlobShape(name)
        let tried = pieces.count < 20 ? Array(pieces.indices) : [0, 1, 2, 1_025, 1_026, 1_027, pieces.count - 1]
        for number in tried {
            let piece = pieces[number]
            let parent = shape.parent(of: number).map { pieces[$0.number] } ?? []
            #expect(BlobTree.proves(piece[...], isPiece: number, of: name, parent: parent[...]))
            for wrong in [piece + [7], Array(piece.dropLast()) + (piece.isEmpty ? [1] : []), [8] + piece.dropFirst()] {
                #expect(!BlobTree.proves(wrong[...], isPiece: number, of: name, parent: parent[...]))
            }
            if number > 0 {
                #expect(!BlobTree.proves(piece[...], isPiece: number, of: name, parent: parent.dropLast()[...]))
            }
        }
    }

    @Test func theRootBindsTheSize() throws {
        let (name, pieces) = try Self.pieces(of: [UInt8](repeating: 7, count: 5), portion: 5)
        for size: Int64 in [4, 6] {
            let other = try #require(BlobName(root: name.root, size: size))
            #expect(!BlobTree.proves(pieces[0][...], isPiece: 0, of: other, parent: []))
        }
    }

    /// A leaf with the bytes of a node has another hash.
    @Test func noPiecePassesForOneOfAnotherLevel() throws {
        let (name, pieces) = try Self.pieces(of: [UInt8](repeating: 7, count: 40_000), portion: 40_000)
        let leaf = pieces[0]
        var builder = BlobTree.Builder()
        let isTaken = builder.append(leaf[...])
        let root = builder.finish().name.root
        #expect(isTaken && root != name.root)
        #expect(BlobTree.leaf(leaf[...]) != BlobTree.node(leaf[...]))
    }

    @Test func aBlobThatIsTooLargeIsRefused() {
        var builder = BlobTree.Builder(sizeMax: 40_000)
        let answers = [40_000, 1, 0].map { builder.append([UInt8](repeating: 0, count: $0)[...]) }
        #expect(answers == [true, false, true] && builder.size == 40_000)
    }
}

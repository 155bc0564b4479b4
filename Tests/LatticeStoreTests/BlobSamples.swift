import Foundation
import Glibc
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire
import Testing

/// A blob of a test, with all its pieces.
struct SampleBlob {
    let name: BlobName
    let bytes: [UInt8]
    let pieces: [[UInt8]]

    init(size: Int, seed: UInt64 = 1) {
        var dice = SeededGenerator(seed: seed)
        let block = (0..<BlobShape.leafBytes).map { _ in UInt8.random(in: 0...255, using: &dice) }
        var leaves: [[UInt8]] = []
        for start in stride(from: 0, to: max(size, 1), by: BlobShape.leafBytes) {
            // No two leaves are equal.
            var leaf = block
            for octet in 0..<4 { leaf[octet] ^= UInt8(truncatingIfNeeded: leaves.count >> (8 * octet)) }
            leaves.append(Array(leaf.prefix(size - start)))
        }
        var builder = BlobTree.Builder()
        var nodes: [[UInt8]] = []
        for leaf in leaves {
            _ = builder.append(leaf[...])
            nodes += builder.takeNodes()
        }
        let (name, rest) = builder.finish()
        nodes += rest
        let shape = BlobShape(name)
        pieces = (0..<shape.pieceCount).map { number in
            switch shape.piece(number) {
            case .leaf(let index): leaves[index]
            case .node(let index): nodes[index]
            case .top: nodes[nodes.count - 1]
            }
        }
        self.name = name
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for leaf in leaves { bytes += leaf }
        self.bytes = bytes
    }

    var shape: BlobShape { BlobShape(name) }
    var numbers: Range<Int> { pieces.indices }

    func piece(_ number: Int) -> BlobPiece { BlobPiece(number, pieces[number]) }

    func set(_ numbers: some Sequence<Int>) -> PieceSet {
        var set = PieceSet(of: pieces.count)
        for number in numbers { set.insert(number) }
        return set
    }
}

extension Folder {
    func blobs(boot: BootID? = .first) throws -> BlobFiles { try BlobFiles(beside: path, boot: boot) }

    var blobsPath: String { String(path.dropLast(".sqlite".utf8.count)) + ".blobs" }

    /// The path of a complete blob.
    func blobPath(_ name: BlobName) -> String {
        "\(blobsPath)/\(name.root.hex.prefix(2))/\(name.root.hex.dropFirst(2))-\(name.size)"
    }

    func partPath(_ name: BlobName) -> String { "\(blobsPath)/part/\(name.root.hex)-\(name.size)" }

    /// All files below the folder of blobs but the lock.
    func blobNames() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: blobsPath).filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(blobsPath)/\(name)", isDirectory: &isFolder)
            return !isFolder.boolValue && name != "lock"
        }.sorted()
    }

    /// As it would be after a kill at this moment: the page cache has all that was written.
    func afterKill() throws -> Folder {
        let copy = try Folder()
        try FileManager.default.copyItem(atPath: blobsPath, toPath: copy.blobsPath)
        return copy
    }
}

extension BootID {
    static let first = BootID([UInt8](repeating: 1, count: 16))
    static let second = BootID([UInt8](repeating: 2, count: 16))
}

extension BlobFiles {
    /// Writes pieces in this order, those without a parent again later.
    func write(_ numbers: [Int], of blob: SampleBlob) async throws {
        var left = numbers
        while !left.isEmpty {
            var waiting: [Int] = []
            for start in stride(from: 0, to: left.count, by: Self.batchMax) {
                let batch = Array(left[start..<min(start + Self.batchMax, left.count)])
                let verdicts = try await write(batch.map { blob.piece($0) }, of: blob.name)
                try #require(verdicts.count == batch.count)
                for (number, verdict) in zip(batch, verdicts) where verdict != .kept {
                    try #require(verdict == .noParent)
                    waiting.append(number)
                }
            }
            try #require(waiting.count < left.count)
            left = waiting
        }
    }

    /// Everything from the first piece to the complete blob.
    func take(_ blob: SampleBlob) async throws {
        let here = try await begin(blob.name)
        try await write(blob.numbers.filter { !here.contains($0) }, of: blob)
        try await finish(blob.name)
        try await forgetMap(of: blob.name)
    }

    func pieces(of blob: SampleBlob) async throws -> [BlobPiece] {
        var pieces: [BlobPiece] = []
        for start in stride(from: 0, to: blob.pieces.count, by: Self.batchMax) {
            pieces += try await read(
                Array(start..<min(start + Self.batchMax, blob.pieces.count)), of: blob.name)
        }
        return pieces
    }
}

/// Changes a byte of a file.
func damage(_ path: String, at offset: Int) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: UInt64(offset))
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data([byte ^ 1]))
    try file.close()
}

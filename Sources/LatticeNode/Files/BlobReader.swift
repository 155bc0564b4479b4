import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeStore
import LatticeWire

/// Reads blobs that are here, as far as they are.
struct BlobReader: Sendable {
    let files: BlobFiles
    let store: Store

    nonisolated(nonsending) func pieces(_ numbers: [Int], of name: BlobName) async throws -> [BlobPiece] {
        if name.size <= BlobTable.rowBytesMax, let bytes = try await store.blobs.bytes(of: name) {
            return [BlobPiece(0, bytes)]
        }
        return try await files.read(numbers, of: name)
    }

    /// Bytes of a blob that is complete, verified once more.
    nonisolated(nonsending) func bytes(
        of name: BlobName, from offset: Int64, length: Int
    ) async throws(RequestError) -> [UInt8] {
        let end = min(name.size, offset + Int64(max(0, length)))
        guard offset >= 0, offset < end else { return [] }
        let leafBytes = Int64(BlobShape.leafBytes)
        let first = offset / leafBytes
        do {
            var bytes: [UInt8] = []
            for leaf in first...(end - 1) / leafBytes { bytes += try await provenLeaf(Int(leaf), of: name) }
            let start = Int(offset - first * leafBytes)
            return Array(bytes[start..<start + Int(end - offset)])
        } catch {
            throw Self.unread(error, name.root.hex)
        }
    }

    private static func unread(_ error: any Error, _ path: String) -> RequestError {
        switch error {
        case let fault as BlobFault: RequestError(fault, path: path)
        case is CryptoError: RequestError(.notOpened(piece: 0), path: path)
        default: .file(fault: .failed(path: path, use: .read, reason: "\(error)", isDiskFull: false))
        }
    }

    /// Bytes of a file that is complete, verified once more, and opened if it is private.
    nonisolated(nonsending) func bytes(
        of file: ListedFile, from offset: Int64, length: Int
    ) async throws(RequestError) -> [UInt8] {
        guard case .sealed(let sealed) = file.content else {
            return try await bytes(of: file.blob, from: offset, length: length)
        }
        let end = min(file.size, offset + Int64(max(0, length)))
        guard offset >= 0, offset < end else { return [] }
        let opener = FileOpener(sealed)
        do {
            var leaves: [[UInt8]] = []
            for leaf in opener.shape.leaves(holding: offset..<end) {
                leaves.append(try await provenLeaf(leaf, of: file.blob))
            }
            return try opener.bytes(offset..<end, of: leaves)
        } catch {
            throw Self.unread(error, file.name.text)
        }
    }

    private nonisolated(nonsending) func provenLeaf(_ leaf: Int, of name: BlobName) async throws -> [UInt8] {
        let shape = BlobShape(name)
        let number = shape.number(of: .leaf(leaf))
        let parent = shape.parent(of: number)?.number
        let both = try await pieces([number] + (parent.map { [$0] } ?? []), of: name)
        guard let piece = both.first(where: { $0.number == number }) else { throw BlobFault.notHere }
        let proof = both.first { $0.number == parent }?.bytes ?? []
        guard BlobTree.proves(piece.bytes[...], isPiece: number, of: name, parent: proof[...]) else {
            throw BlobFault.damaged(piece: number)
        }
        return piece.bytes
    }
}

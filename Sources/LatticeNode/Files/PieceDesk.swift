import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeStore
import LatticeWire

/// Pieces of blobs for programs of the owner, which carry them over networks of their own.
struct PieceDesk {
    let blobs: BlobService

    /// Pieces of one answer: they fit one `PiecesPut`.
    private static let readMax = PiecesPut.bytesMax / BlobShape.leafBytes

    // MARK: - Out

    func read(_ request: PiecesRead, for node: isolated Node) async throws(RequestError) -> PiecesRead.Reply {
        guard let name = BlobName(request.blob), let row = try await row(of: name, namedBy: request.record, for: node)
        else { return .init(.unknown) }
        guard row.isComplete else {
            if let author = row.author {
                await blobs.fetches.ask(for: name, request.record, by: author, in: blobs, for: node)
            }
            return .init(.wanted)
        }
        let end = BlobShape(name).pieceCount
        let first = min(max(0, request.first), end)
        var pieces: [PiecesRead.Piece] = []
        for start in stride(from: first, to: min(end, first + Self.readMax), by: BlobFiles.batchMax) {
            let numbers = Array(start..<min(end, first + Self.readMax, start + BlobFiles.batchMax))
            let read = try await Self.pieces(numbers, of: name, in: blobs)
            guard read.count == numbers.count else {
                throw .file(fault: .broken(path: blobs.store.path, reason: "pieces of it are missing"))
            }
            pieces += read.map { PiecesRead.Piece($0.number, $0.bytes) }
        }
        return .init(.here, pieces)
    }

    private static nonisolated(nonsending) func pieces(
        _ numbers: [Int], of name: BlobName, in blobs: BlobService
    ) async throws(RequestError) -> [BlobPiece] {
        do {
            return try await blobs.reader.pieces(numbers, of: name)
        } catch let fault as BlobFault {
            throw RequestError(fault, path: blobs.store.path)
        } catch let fault as StoreError {
            throw RequestError(fault)
        } catch {
            throw .file(fault: .broken(path: blobs.store.path, reason: "\(error)"))
        }
    }

    /// The blob, if a record that is here names it. A file that nobody here has asked for gets its row by this.
    private func row(
        of name: BlobName, namedBy record: RecordID, for node: isolated Node
    ) async throws(RequestError) -> StoredBlob? {
        let store = blobs.store
        let known = try await stored { () throws(StoreError) in try await store.blobs.find(name) }
        // Photos have a row from the commit of their record on.
        if let known, known.isShared, !known.isUnused { return known }
        let now = node.clock.now
        let file = try await stored { () throws(StoreError) in
            try await store.manifests.withPrefix(record.hex, limit: 1, at: now).first
        }
        guard let file, file.body.blob == name, !node.personas.owner.contactMarks.unheard.contains(file.author) else {
            return nil
        }
        let isContact = await blobs.fetches.isContact(file.author, for: node)
        return try await stored { () throws(StoreError) in
            try await store.blobs.add(
                name, isContact ? .contacts : .strangers, author: file.author, use: .record(record), at: now)
        }
    }

    // MARK: - In

    func put(_ request: PiecesPut, for node: isolated Node) async throws(RequestError) -> PiecesPut.Reply {
        var answers: [PiecesPut.Outcome] = []
        var rest = request.pieces[...]
        while let first = rest.first {
            // Pieces of one blob come together.
            let some = rest.prefix { $0.blob == first.blob && $0.record == first.record }
            rest = rest.dropFirst(some.count)
            answers += try await put(Array(some), of: first.blob, namedBy: first.record, for: node)
        }
        return .init(answers)
    }

    private func put(
        _ pieces: [PiecesPut.Piece], of blob: BlobReference, namedBy record: RecordID, for node: isolated Node
    ) async throws(RequestError) -> [PiecesPut.Outcome] {
        guard let name = BlobName(blob), let row = try await row(of: name, namedBy: record, for: node) else {
            return pieces.map { _ in .unknown }
        }
        guard !row.isComplete else { return pieces.map { _ in .known } }
        do {
            guard try await blobs.makeSpace(for: row) != nil else { return pieces.map { _ in .noSpace } }
            var answers: [PiecesPut.Outcome] = []
            for start in stride(from: 0, to: pieces.count, by: BlobFiles.batchMax) {
                let batch = pieces[start..<min(pieces.count, start + BlobFiles.batchMax)]
                answers += try await blobs.files.write(batch.map { BlobPiece($0.number, $0.bytes) }, of: name)
                    .map { PiecesPut.Outcome($0) }
            }
            let have = try await blobs.files.begin(name)
            blobs.downloads.progressed(name, have.count)
            // Whoever waits for it gets it like one that came from a neighbour.
            if have.isComplete { blobs.handle(.wanted(name, have: have, from: nil), for: node) }
            return answers
        } catch let fault as BlobFault {
            // Without its part it became complete meanwhile.
            return pieces.map { _ in fault == .notHere ? .known : .busy }
        } catch let fault as StoreError {
            throw RequestError(fault)
        } catch {
            throw .file(fault: .broken(path: blobs.store.path, reason: "\(error)"))
        }
    }
}

extension PiecesPut.Outcome {
    fileprivate init(_ verdict: PieceVerdict) {
        self =
            switch verdict {
            case .kept: .kept
            case .wrong, .noParent: .refused
            case .notStored: .busy
            }
    }
}

extension BlobName {
    fileprivate init?(_ blob: BlobReference) { self.init(root: blob.root, size: blob.size) }
}

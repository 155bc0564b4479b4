import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire
import Logging

/// Pieces of blobs for programs of the owner, which carry them over networks of their own.
struct PieceDesk {
    let blobs: BlobService

    /// A record that names a blob.
    private struct Naming {
        let kind: RecordKind
        let author: PeerID
    }

    // MARK: - Out

    func read(_ request: PiecesRead, for node: isolated Node) async throws(RequestError) -> PiecesRead.Reply {
        guard let name = BlobName(request.blob) else { return .init(.unknown) }
        let naming = try await naming(name, request.record, crossing: request.crossing, at: node.clock.now)
        guard let naming, let row = try await row(of: name, request.record, naming, for: node) else {
            return .init(.unknown)
        }
        guard row.isComplete else { return .init(.absent) }
        let first = min(max(0, request.first), BlobShape(name).pieceCount)
        let end = min(BlobShape(name).pieceCount, first + request.count)
        var pieces: [PiecesRead.Piece] = []
        for start in stride(from: first, to: end, by: BlobFiles.batchMax) {
            let numbers = Array(start..<min(end, start + BlobFiles.batchMax))
            pieces += try await Self.proven(numbers, of: name, in: blobs).map { PiecesRead.Piece($0.number, $0.bytes) }
        }
        return .init(.here, pieces)
    }

    /// - Returns: `nil` if the record does not name the blob, or is not to be heeded.
    private nonisolated(nonsending) func naming(
        _ name: BlobName, _ record: RecordID, crossing: Bool, at now: WallTime
    ) async throws(RequestError) -> Naming? {
        let store = blobs.store
        let bytes = try await stored { () throws(StoreError) in
            try await store.feed.record(record, crossing: crossing, at: now)
        }
        guard let bytes else { return nil }
        do {
            let record = try SignedRecord(decoding: bytes[...]).record
            return record.namedBlob == name ? Naming(kind: record.kind, author: record.author) : nil
        } catch {
            return nil
        }
    }

    /// The row of a blob that this record names. A file that nobody here has asked for gets one, and so does a photo that had
    /// to make space.
    private func row(
        of name: BlobName, _ record: RecordID, _ naming: Naming, for node: isolated Node
    ) async throws(RequestError) -> StoredBlob? {
        if let known = try await used(name) { return known }
        // The use of an edited photo is that of the item.
        guard naming.kind != .edit else { return nil }
        let (store, now) = (blobs.store, node.clock.now)
        let isContact = await blobs.fetches.isContact(naming.author, for: node)
        return try await stored { () throws(StoreError) in
            try await store.blobs.add(
                name, isContact ? .contacts : .strangers, author: naming.author, use: .record(record), at: now)
        }
    }

    private nonisolated(nonsending) func used(_ name: BlobName) async throws(RequestError) -> StoredBlob? {
        let store = blobs.store
        let known = try await stored { () throws(StoreError) in try await store.blobs.find(name) }
        guard let known, known.isShared, !known.isUnused else { return nil }
        return known
    }

    /// Pieces that are as they were when they came: a bad disk must not be passed on.
    private static nonisolated(nonsending) func proven(
        _ numbers: [Int], of name: BlobName, in blobs: BlobService
    ) async throws(RequestError) -> [BlobPiece] {
        let shape = BlobShape(name)
        let parents = Set(numbers.compactMap { shape.parent(of: $0)?.number }).subtracting(numbers)
        let fault: BlobFault
        do {
            let pieces = try await blobs.reader.pieces(numbers, of: name)
            let above = parents.isEmpty ? [] : try await blobs.reader.pieces(parents.sorted(), of: name)
            let all = Dictionary((pieces + above).map { ($0.number, $0.bytes) }) { first, _ in first }
            let wrong = numbers.first { number in
                let parent = shape.parent(of: number).flatMap { all[$0.number] } ?? []
                return !BlobTree.proves((all[number] ?? [])[...], isPiece: number, of: name, parent: parent[...])
            }
            guard let wrong else { return pieces }
            fault = .damaged(piece: wrong)
        } catch let other as BlobFault {
            fault = other
        } catch let fault as StoreError {
            throw RequestError(fault)
        } catch {
            throw .file(fault: .broken(path: blobs.store.path, reason: "\(error)"))
        }
        throw RequestError(fault, path: blobs.store.path)
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
        func all(_ outcome: PiecesPut.Outcome) -> [PiecesPut.Outcome] { pieces.map { _ in outcome } }
        guard let name = BlobName(blob), let row = try await wanted(name, namedBy: record, for: node) else {
            return all(.unknown)
        }
        do {
            guard !row.isComplete else { return try await compared(pieces, with: name) }
            return try await store(pieces, of: row, for: node) ?? all(.noSpace)
        } catch let fault as BlobFault {
            switch fault {
            case .diskFull, .queueFull, .closed: return all(.busy)
            case .notHere: return all(try await used(name)?.isComplete == true ? .known : .busy)
            default:
                blobs.logger.warning("pieces of a file were not stored", metadata: ["error": "\(fault)"])
                return all(.noSpace)
            }
        } catch let fault as StoreError {
            throw RequestError(fault)
        } catch {
            blobs.logger.warning("pieces of a file were not stored", metadata: ["error": "\(error)"])
            return all(.noSpace)
        }
    }

    /// Whether these are pieces of a blob that is here.
    private nonisolated(nonsending) func compared(
        _ pieces: [PiecesPut.Piece], with name: BlobName
    ) async throws -> [PiecesPut.Outcome] {
        let range = 0..<BlobShape(name).pieceCount
        var own: [Int: [UInt8]] = [:]
        let numbers = Set(pieces.map(\.number).filter(range.contains)).sorted()
        for start in stride(from: 0, to: numbers.count, by: BlobFiles.batchMax) {
            let some = Array(numbers[start..<min(numbers.count, start + BlobFiles.batchMax)])
            for piece in try await blobs.reader.pieces(some, of: name) { own[piece.number] = piece.bytes }
        }
        return pieces.map { own[$0.number] == $0.bytes ? .known : .refused }
    }

    private func wanted(
        _ name: BlobName, namedBy record: RecordID, for node: isolated Node
    ) async throws(RequestError) -> StoredBlob? {
        if let known = try await used(name) { return known }
        let naming = try await naming(name, record, crossing: false, at: node.clock.now)
        guard let naming, !node.personas.owner.contactMarks.unheard.contains(naming.author) else { return nil }
        return try await row(of: name, record, naming, for: node)
    }

    /// - Returns: `nil` if there is no space within the quotas.
    private func store(
        _ pieces: [PiecesPut.Piece], of row: StoredBlob, for node: isolated Node
    ) async throws -> [PiecesPut.Outcome]? {
        let (name, files, table) = (row.name, blobs.files, blobs.store.blobs)
        let more = Int64(pieces.reduce(0) { $0 + $1.bytes.count })
        guard let leaving = try await table.leaving(for: name, bytes: more, within: BlobService.quota) else {
            return nil
        }
        if !leaving.isEmpty { _ = try await table.evict(leaving) { files.setAside($0) } }
        _ = try await files.begin(name)
        var answers: [PiecesPut.Outcome] = []
        for start in stride(from: 0, to: pieces.count, by: BlobFiles.batchMax) {
            let batch = pieces[start..<min(pieces.count, start + BlobFiles.batchMax)]
            answers += try await files.write(batch.map { BlobPiece($0.number, $0.bytes) }, of: name)
                .map { PiecesPut.Outcome($0) }
        }
        let have = try await files.begin(name)
        if answers.contains(.kept) { try await table.hold(name, heldBytes: try await files.heldBytes(of: name)) }
        blobs.downloads.progressed(name, have.count)
        // People and neighbours that wait for it get it like one that came from a neighbour.
        if have.isComplete { blobs.handle(.wanted(name, have: have, from: nil), for: node) }
        return answers
    }
}

extension PiecesPut.Outcome {
    fileprivate init(_ verdict: PieceVerdict) {
        self =
            switch verdict {
            case .kept: .kept
            case .wrong: .refused
            case .noParent: .early
            case .notStored: .busy
            }
    }
}

extension BlobName {
    fileprivate init?(_ blob: BlobReference) { self.init(root: blob.root, size: blob.size) }
}

import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeWire

// Pieces that others have published. The node keeps those of blobs that its records name.
extension Bridge {
    /// Reads the stream of pieces without end.
    func readPieces() async throws {
        var wait = Wait.first
        var isMet = false
        while !Task.isCancelled {
            do {
                if !isMet { try await meetPieces() }
                isMet = true
                let sequence = try state.sequence(of: .pieces)
                try await takePieces(try await broker.next(.pieces, after: sequence), after: sequence)
                if status.obstaclePiecesIn != .nodeBusy { status.obstaclePiecesIn = nil }
                wait = Wait.first
            } catch let fault as BrokerFault {
                (isMet, arePiecesRead) = (false, false)
                guard case .unreachable = fault else { throw fault }
                status.obstaclePiecesIn = .broker(fault)
                await time.sleep(wait)
                wait = min(wait * 2, Wait.max)
            }
        }
    }

    private func meetPieces() async throws {
        let stand = try await broker.stand(of: .pieces)
        let (sequence, isNew) = try state.met(.pieces, stand)
        // All that was at the broker is gone: records are gone through once more for what they name.
        if isNew { try await beginAnew() }
        piecesLeft(stand.last - min(stand.last, sequence))
    }

    private func piecesLeft(_ count: UInt64) {
        status.behind[.pieces] = count
        arePiecesRead = count == 0
        if arePiecesRead { blobSignal.raise() }
    }

    private func takePieces(_ page: BrokerPage, after sequence: UInt64) async throws {
        let beginning = beginnings
        var came: [(name: BlobName, number: Int)] = []
        var chunk = PieceChunk()
        for message in page.messages {
            guard let piece = wrapping.openedPiece(message) else {
                status.taken.refused += 1
                continue
            }
            guard piece.blob.size <= blobBytesMax, !pieceEchoes.contains(wrapping.id(of: piece)) else { continue }
            if !chunk.hasSpace(for: piece.octets.count) {
                came += try await put(chunk.pieces, upTo: page.passed)
                chunk = PieceChunk()
            }
            chunk.add(piece)
        }
        if !chunk.pieces.isEmpty { came += try await put(chunk.pieces, upTo: page.passed) }
        guard beginning == beginnings else { return }
        if !came.isEmpty { try state.came(came, at: time.wallTime()) }
        guard try state.took(.pieces, after: sequence, upTo: page.passed, skipped: []) else { return }
        piecesLeft(page.remaining)
    }

    /// What fits one request.
    private struct PieceChunk {
        private(set) var pieces: [PiecesPut.Piece] = []
        private var bytes = 0

        func hasSpace(for more: Int) -> Bool {
            pieces.count < PiecesPut.countMax && bytes + more <= PiecesPut.bytesMax
        }

        mutating func add(_ piece: BridgePiece) {
            let blob = BlobReference(root: piece.blob.root, size: piece.blob.size)
            pieces.append(PiecesPut.Piece(blob, namedBy: piece.record, piece.number, piece.octets))
            bytes += piece.octets.count
        }
    }

    /// Gives pieces to the node until it has answered about each.
    ///
    /// - Returns: those that belong to their blobs.
    private func put(
        _ pieces: [PiecesPut.Piece], upTo sequence: UInt64
    ) async throws -> [(name: BlobName, number: Int)] {
        var proven: [(name: BlobName, number: Int)] = []
        var left = pieces
        while !left.isEmpty {
            try Task.checkCancellation()
            let answers: [PiecesPut.Outcome]
            do throws(RequestError) {
                answers = try await node.perform(PiecesPut(left)).answers
            } catch {
                guard error.code == .busy else { throw error }
                answers = left.map { _ in .busy }
            }
            let isEarly = answers.contains(.unknown) && sequence > piecesJudged
            let isBusy = answers.contains(.busy)
            var again: [PiecesPut.Piece] = []
            for (piece, answer) in zip(left, answers) {
                if answer == .kept { status.taken.pieces += 1 }
                switch answer {
                case .kept, .known:
                    if let name = BlobName(root: piece.blob.root, size: piece.blob.size) {
                        proven.append((name, piece.number))
                    }
                case .noSpace: break
                case .unknown where isEarly, .busy: again.append(piece)
                // What proves it may not have been stored.
                case .early where isBusy: again.append(piece)
                case .refused, .early: status.taken.refused += 1
                case .unknown: break
                }
            }
            left = again
            status.obstaclePiecesIn = isBusy ? .nodeBusy : nil
            if isBusy { await time.sleep(.seconds(1)) }
            if isEarly { try await readRecordsFirst(sequence) }
        }
        return proven
    }

    /// A record is published before its pieces: once all records are read that are there now, a piece that is there now and
    /// that no record here names is dropped.
    private func readRecordsFirst(_ sequence: UInt64) async throws {
        let beginning = beginnings
        let stand = try await broker.stand(of: .pieces)
        if try state.met(.pieces, stand).isNew {
            try await beginAnew()
            throw BrokerFault.unreachable("the pieces were made anew")
        }
        var ends: [(BridgeSpan, UInt64)] = []
        for span in BridgeSpan.records { ends.append((span, try await broker.stand(of: span).last)) }
        while beginning == beginnings, try ends.contains(where: { try state.sequence(of: $0) < $1 }) {
            try Task.checkCancellation()
            await roundSignal.wait()
        }
        if beginning == beginnings { piecesJudged = max(stand.last, sequence) }
    }
}

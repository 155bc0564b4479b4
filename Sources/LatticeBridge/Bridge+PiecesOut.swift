import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeWire

// What records name follows them: pictures, and files up to a size, piece by piece.
extension Bridge {
    /// Few enough that lines do not wait long behind them on a slow link: 128 KiB.
    private static let piecesMax = 4

    /// Publishes pieces without end, once those that others have published are read.
    func feedPieces() async throws {
        try state.mendWishes(at: time.wallTime())
        while !Task.isCancelled {
            let now = time.wallTime()
            guard arePiecesRead, let next = try state.nextWish() else {
                status.isEachBlobTried = arePiecesRead
                await blobSignal.wait()
                continue
            }
            if next.due > now {
                status.isEachBlobTried = true
                // Another one may come meanwhile.
                await time.sleep(min(.milliseconds(next.due.milliseconds - now.milliseconds), Wait.first))
                continue
            }
            status.isEachBlobTried = false
            try await publish(next)
        }
    }

    /// Publishes what the broker does not have of a blob, as far as the node has it.
    private func publish(_ wish: BridgeState.Wish) async throws {
        let beginning = beginnings
        let shape = BlobShape(wish.name)
        while !Task.isCancelled {
            let first = try state.there(of: wish.name)
            guard first < shape.pieceCount else { return try state.forget(wish) }
            guard let pieces = try await pieces(of: wish, from: first), !pieces.isEmpty else { return }
            // A piece that proves others goes alone: after a failure it would come behind them.
            let leaves = pieces.prefix { shape.isLeaf($0.number) }
            let some = leaves.isEmpty ? pieces.prefix(1) : leaves
            let parcels = some.map { piece in
                wrapping.parcel(of: BridgePiece(wish.name, namedBy: wish.record, piece.number, piece.bytes))
            }
            guard await deliver(parcels, beginning) else { return }
            try state.isThere(wish.name, upTo: first + some.count, at: time.wallTime())
        }
    }

    /// - Returns: `nil` if the node has no more of it now.
    private func pieces(of wish: BridgeState.Wish, from first: Int) async throws -> [PiecesRead.Piece]? {
        let reply: PiecesRead.Reply
        do throws(RequestError) {
            let blob = BlobReference(root: wish.name.root, size: wish.name.size)
            reply = try await node.perform(
                PiecesRead(blob, namedBy: wish.record, from: first, count: Self.piecesMax, crossing: true))
        } catch {
            // It may be read again once its disk works.
            guard case .file = error else { throw error }
            try state.postpone(wish, at: time.wallTime())
            return nil
        }
        switch reply.state {
        case .here: return reply.pieces
        case .absent: try state.postpone(wish, at: time.wallTime())
        case .unknown: try state.forget(wish)
        }
        return nil
    }

    /// - Returns: `false` if it ended before the broker had each.
    private func deliver(_ pieces: [BridgeParcel], _ beginning: Int) async -> Bool {
        var left = pieces
        var wait = Wait.first
        while !Task.isCancelled, beginning == beginnings {
            let outcomes = await broker.publish(left)
            guard beginning == beginnings else { return false }
            var again: [BridgeParcel] = []
            for (parcel, outcome) in zip(left, outcomes) {
                switch outcome {
                case .stored, .known:
                    status.published.pieces += 1
                    pieceEchoes.insert(parcel.id)
                case .full:
                    status.obstaclePiecesOut = .full
                    again.append(parcel)
                case .failed(let why):
                    status.obstaclePiecesOut = .broker(.unreachable(why))
                    again.append(parcel)
                }
            }
            if again.isEmpty {
                status.obstaclePiecesOut = nil
                return true
            }
            if again.count < left.count { wait = Wait.first }
            left = again
            await time.sleep(status.obstaclePiecesOut == .full ? Wait.full : wait)
            wait = min(wait * 2, Wait.max)
        }
        return false
    }
}

extension BlobShape {
    fileprivate func isLeaf(_ number: Int) -> Bool {
        if case .leaf = piece(number) { true } else { false }
    }
}

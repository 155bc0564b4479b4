import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeWire

// What records name goes after them: pictures, and files up to a size, piece by piece.
extension Bridge {
    /// Publishes pieces without end.
    func feedPieces() async throws {
        while !Task.isCancelled {
            let now = time.wallTime()
            guard let next = try state.nextBlob() else {
                status.isEachBlobTried = true
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

    /// Publishes as much of a blob as the node has, from where it had stopped.
    private func publish(_ blob: BridgeState.Blob) async throws {
        let beginning = beginnings
        var first = blob.next
        while !Task.isCancelled {
            let reply: PiecesRead.Reply
            do throws(RequestError) {
                let reference = BlobReference(root: blob.name.root, size: blob.name.size)
                reply = try await node.perform(PiecesRead(reference, namedBy: blob.record, from: first))
            } catch {
                // It may be read again once its disk works.
                guard case .file = error else { throw error }
                return try state.postpone(blob, at: time.wallTime())
            }
            switch reply.state {
            case .unknown: return try state.forget(blob.name)
            case .wanted: return try state.postpone(blob, at: time.wallTime())
            case .here: break
            }
            guard let last = reply.pieces.last else { return try state.forget(blob.name) }
            let parcels = reply.pieces.map { piece in
                wrapping.parcel(of: BridgePiece(blob.name, namedBy: blob.record, piece.number, piece.bytes))
            }
            guard await deliver(parcels, beginning) else { return }
            first = last.number + 1
            try state.published(blob.name, upTo: first)
        }
    }

    /// - Returns: `false` if it ended before the broker had each.
    private func deliver(_ pieces: [BridgeParcel], _ beginning: Int) async -> Bool {
        var left = pieces
        var wait = Wait.first
        while !Task.isCancelled, beginning == beginnings {
            let outcomes = await broker.publish(left)
            var again: [BridgeParcel] = []
            for (parcel, outcome) in zip(left, outcomes) {
                switch outcome {
                case .stored, .known:
                    status.published.pieces += 1
                    pieceEchoes.insert(parcel.id)
                case .full:
                    status.obstaclePieces = .full
                    again.append(parcel)
                case .failed(let why):
                    status.obstaclePieces = .broker(.unreachable(why))
                    again.append(parcel)
                }
            }
            if again.isEmpty {
                status.obstaclePieces = nil
                return true
            }
            if again.count < left.count { wait = Wait.first }
            left = again
            await time.sleep(status.obstaclePieces == .full ? Wait.full : wait)
            wait = min(wait * 2, Wait.max)
        }
        return false
    }
}

import LatticeCore
import LatticeWire
import OrderedCollections

/// How many pieces of which blob went to which neighbour, as far as that was noted lately.
struct GivenPieces {
    private struct Key: Hashable {
        let blob: BlobName
        let peer: PeerID
    }

    /// Limit of pairs of a blob and a neighbour; the oldest go.
    private static let pairsMax = 256

    private var counts: OrderedDictionary<Key, Int> = [:]

    mutating func gave(_ count: Int, of blob: BlobName, to peer: PeerID) {
        counts[Key(blob: blob, peer: peer), default: 0] += count
        if counts.count > Self.pairsMax { counts.removeFirst() }
    }

    /// To the neighbour that has most of it. At most as many as the blob has: a piece may go twice.
    func most(of blob: BlobName) -> Int {
        let given = counts.lazy.filter { $0.key.blob == blob }.map(\.value).max()
        return min(BlobShape(blob).pieceCount, given ?? 0)
    }
}

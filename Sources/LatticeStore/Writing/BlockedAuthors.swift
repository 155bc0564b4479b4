import LatticeCore
import Synchronization

/// Authors that the owner blocks. The list is stored with known people, across meshes, and passed to each store that opens.
final class BlockedAuthors: Sendable {
    private let keys = Mutex<Set<PeerID>>([])

    var authors: Set<PeerID> { keys.withLock { $0 } }

    func set(_ authors: Set<PeerID>) {
        keys.withLock { $0 = authors }
    }
}

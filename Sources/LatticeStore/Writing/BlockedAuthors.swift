import LatticeCore
import Synchronization

/// Authors that a persona blocks. The owner's list is stored with known people, across meshes, and passed to each store that
/// opens; a visitor's is in the store, and passed to it when they come.
final class BlockedAuthors: Sendable {
    private let keys = Mutex<Set<PeerID>>([])

    var authors: Set<PeerID> { keys.withLock { $0 } }

    func set(_ authors: Set<PeerID>) {
        keys.withLock { $0 = authors }
    }
}

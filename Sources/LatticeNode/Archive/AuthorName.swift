import LatticeCore
import Synchronization

/// The name that a persona writes under, shared by everything that writes for it.
final class AuthorName: Sendable {
    /// For a persona without a profile: the folder's name, or the name a visitor came with.
    let given: PeerName
    private let choice = Mutex<PeerName?>(nil)

    init(_ given: PeerName) {
        self.given = given
    }

    /// The persona's name until the node ends, if it changed.
    var chosen: PeerName? { choice.withLock { $0 } }

    func choose(_ name: PeerName?) {
        choice.withLock { $0 = name }
    }
}

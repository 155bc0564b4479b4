import LatticeCore

/// What has to follow a change of the table.
enum StreamEffect: Hashable, Sendable {
    /// Wakes whatever waits for this stream or listener.
    case wake(Int)
    case write(PeerID)
    /// Datagrams to this peer can be sealed.
    case keyed(PeerID)
}

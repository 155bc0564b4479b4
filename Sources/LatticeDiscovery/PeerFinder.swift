package import LatticeCore

/// Finds peers and lets them find us: `Discovery`, or what takes its place.
package protocol PeerFinder: Sendable {
    /// Events in order. For one reader; ends with `run`.
    var events: AsyncStream<DiscoveryEvent> { get }

    /// Announces and looks, as its roles say, until the task is cancelled. Call it once.
    func run() async
    /// Announces us under another name.
    func rename(_ name: PeerName)
    /// Announces another mesh tag.
    func retag(_ meshTag: UInt32)
    /// Announces something else about us.
    func inform(_ info: DiscoveryInfo)
    /// From now on does this. What was found is reported as lost when looking ends.
    func play(_ roles: DiscoveryRoles)
    /// Looks up everybody again soon.
    func refresh()
    /// The network may be another one now.
    func networkChanged()
}

extension Discovery: PeerFinder {}

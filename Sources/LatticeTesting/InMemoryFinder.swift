import LatticeCore
import LatticeDiscovery

/// Discovery of one host.
final class InMemoryFinder: PeerFinder {
    /// A few changes of some hundred peers that nobody has read yet.
    private static let eventCountMax = 8_192

    let events: AsyncStream<DiscoveryEvent>
    private let outlet: AsyncStream<DiscoveryEvent>.Continuation
    private let host: InMemoryHost
    private let isOff: Bool

    init(_ host: InMemoryHost, _ advertisement: Advertisement, _ mode: DiscoveryMode, _ roles: DiscoveryRoles) {
        (self.host, isOff) = (host, mode == .off)
        let roles = isOff ? [] : roles
        let (events, outlet) = AsyncStream<DiscoveryEvent>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.eventCountMax))
        (self.events, self.outlet) = (events, outlet)
        host.network.announce { $0.come(host.number, advertisement, roles, events: outlet) }
    }

    deinit {
        host.network.announce { $0.leave(host.number) }
    }

    func run() async {
        host.network.announce { $0.begin(host.number) }
        // Yields nothing, and ends when the task is cancelled.
        let (idle, _) = AsyncStream<Void>.makeStream()
        for await _ in idle {}
        host.network.announce { $0.leave(host.number) }
        outlet.finish()
    }

    func rename(_ name: PeerName) {
        host.network.announce { $0.change(host.number) { $0.name = name } }
    }

    func retag(_ meshTag: UInt32) {
        host.network.announce { $0.change(host.number) { $0.meshTag = meshTag } }
    }

    func inform(_ info: DiscoveryInfo) {
        host.network.announce { $0.change(host.number) { $0.info = info } }
    }

    func play(_ roles: DiscoveryRoles) {
        guard !isOff else { return }
        host.network.announce { $0.play(host.number, roles) }
    }

    // What is announced here is never out of date.
    func refresh() {}
    func networkChanged() {}
}

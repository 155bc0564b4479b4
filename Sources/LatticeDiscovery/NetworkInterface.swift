/// A network interface as the kernel describes it now.
struct NetworkInterface: Hashable, Sendable {
    let name: String
    let index: UInt32
    /// Switched on, and there is a carrier.
    let isUp: Bool
    let isLoopback: Bool
    /// Multicast can be sent there: not on point-to-point links such as most tunnels, which mDNS leaves alone.
    let carriesMulticast: Bool
    let addresses: [InterfaceAddress]
}

/// A numeric address of an interface, without scope.
struct InterfaceAddress: Hashable, Sendable {
    let family: AddressFamily
    let text: String
}

/// One address record that the embedded stack publishes: an address belongs to the network it is reachable on.
struct PublishedAddress: Hashable, Sendable {
    let interface: UInt32
    let address: InterfaceAddress
}

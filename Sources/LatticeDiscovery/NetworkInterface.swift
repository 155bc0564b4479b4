/// A network interface as the kernel describes it now.
package struct NetworkInterface: Hashable, Sendable {
    package let name: String
    package let index: UInt32
    /// Switched on, and there is a carrier.
    package let isUp: Bool
    package let isLoopback: Bool
    /// Multicast can be sent there: not on point-to-point links such as most tunnels, which mDNS leaves alone.
    package let carriesMulticast: Bool
    /// Between two machines, as most tunnels are.
    package var isPointToPoint = false
    package let addresses: [InterfaceAddress]
}

/// A numeric address of an interface, without scope.
package struct InterfaceAddress: Hashable, Sendable {
    package let family: AddressFamily
    package let text: String
}

/// One address record that the embedded stack publishes: an address belongs to the network it is reachable on.
struct PublishedAddress: Hashable, Sendable {
    let interface: UInt32
    let address: InterfaceAddress
}

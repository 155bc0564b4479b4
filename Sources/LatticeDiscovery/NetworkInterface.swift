package struct NetworkInterface: Hashable, Sendable {
    package let name: String
    package let index: UInt32
    /// Enabled, and with a carrier.
    package let isUp: Bool
    package let isLoopback: Bool
    /// It supports multicast; `false` for point-to-point links such as most tunnels, which mDNS does not use.
    package let carriesMulticast: Bool
    /// It connects two machines, as most tunnels do.
    package var isPointToPoint = false
    package let addresses: [InterfaceAddress]
}

/// A numeric address of an interface, without scope.
package struct InterfaceAddress: Hashable, Sendable {
    package let family: AddressFamily
    package let text: String
}

/// One address record of the embedded stack, on the network where the address is reachable.
struct PublishedAddress: Hashable, Sendable {
    let interface: UInt32
    let address: InterfaceAddress
}

package import LatticeCore

/// The addresses where others on its networks can reach this machine, for an invitation.
package enum LocalAddresses {
    /// IPv4 first, then IPv6, then link-local IPv4, which two machines on one cable have. Without loopback, and without
    /// link-local IPv6, whose scope would be the name of the network on *their* machine.
    ///
    /// - Parameter port: 1–65,535.
    package static func reachable(port: UInt16) -> [PeerAddress] {
        let interfaces = InterfaceReader.read().filter { $0.isUp && !$0.isLoopback }
        let addresses = interfaces.flatMap(\.addresses)
        return ordered(addresses).map { PeerAddress(host: $0, port: port) }
    }

    static func ordered(_ addresses: [InterfaceAddress]) -> [String] {
        let (v4, v6) = (addresses.filter { $0.family == .v4 }, addresses.filter { $0.family == .v6 })
        func isLinkLocal(_ address: InterfaceAddress) -> Bool { address.text.hasPrefix("169.254.") }
        return (v4.filter { !isLinkLocal($0) } + v6.filter { !$0.text.hasPrefix("fe80") } + v4.filter(isLinkLocal))
            .map(\.text)
    }
}

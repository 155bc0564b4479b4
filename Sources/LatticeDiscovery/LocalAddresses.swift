package import LatticeCore

/// The addresses where others on its networks can reach this machine, for an invitation.
package enum LocalAddresses {
    /// IPv4 first, then IPv6. Without loopback, and without link-local addresses, whose scope would be the name of the
    /// network on *their* machine.
    ///
    /// - Parameter port: 1–65,535.
    package static func reachable(port: UInt16) -> [PeerAddress] {
        let interfaces = InterfaceReader.read().filter { $0.isUp && !$0.isLoopback }
        let addresses = interfaces.flatMap(\.addresses)
        let texts =
            addresses.filter { $0.family == .v4 && !$0.text.hasPrefix("169.254.") }.map(\.text)
            + addresses.filter { $0.family == .v6 && !$0.text.hasPrefix("fe80") }.map(\.text)
        return texts.map { PeerAddress(host: $0, port: port) }
    }
}

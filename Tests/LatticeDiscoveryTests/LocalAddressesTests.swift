import Testing

@testable import LatticeDiscovery

/// Which addresses of this machine others are given.
@Suite struct LocalAddressesTests {
    @Test func theLikeliestComesFirst() {
        let addresses = [
            InterfaceAddress(family: .v6, text: "fe80::1"), InterfaceAddress(family: .v4, text: "169.254.7.7"),
            InterfaceAddress(family: .v6, text: "fd00::7"), InterfaceAddress(family: .v4, text: "192.168.1.7"),
            InterfaceAddress(family: .v4, text: "10.0.0.7"),
        ]
        #expect(LocalAddresses.ordered(addresses) == ["192.168.1.7", "10.0.0.7", "fd00::7", "169.254.7.7"])
    }

    /// Two machines on one cable, where nobody hands out addresses.
    @Test func aLinkLocalAddressIsBetterThanNone() {
        let addresses = [
            InterfaceAddress(family: .v6, text: "fe80::1"), InterfaceAddress(family: .v4, text: "169.254.7.7"),
        ]
        #expect(LocalAddresses.ordered(addresses) == ["169.254.7.7"])
    }
}

package import LatticeCore
package import LatticeCrypto
package import LatticeDiscovery
package import LatticeLink

/// What takes the place of the machine's network in a test: a carrier in place of TCP, and a finder in place of mDNS.
package protocol SubstituteNetwork: Carrier {
    /// Decides what the mesh leaves to chance.
    var seed: UInt64 { get }
    /// Who a node without a folder is.
    var identity: Identity { get }

    /// - Parameters:
    ///   - mode: with `off` the finder never does anything.
    ///   - roles: what it does at first.
    func finder(
        for advertisement: Advertisement, mode: DiscoveryMode, roles: DiscoveryRoles
    ) -> any PeerFinder
}

/// The machine as a node sees it. Tests replace parts of it.
package struct Machine: Sendable {
    /// Its date, right or wrong.
    package var clock: @Sendable () -> WallTime = Clocks.machine
    /// `nil` is its own.
    package var network: (any SubstituteNetwork)?
}

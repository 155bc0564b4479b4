package import LatticeCore

/// What this node tells the local network about itself, as one `_lattice._tcp` service.
package struct Advertisement: Hashable, Sendable {
    static let serviceType = "_lattice._tcp"
    /// TXT key `v`: of the protocol that links speak.
    package static let version = 1

    /// The instance name that is asked for. A responder may have to announce another ("alice #2").
    package var name: PeerName
    /// TXT key `id`: who this is; in a closed mesh a number of this start of the program, which says nothing.
    package let peer: PeerPrefix
    /// TXT key `mesh`: which mesh, as a hash of its name, or in a closed mesh of its key and the day.
    package var meshTag: UInt32
    /// The TCP port on which links are accepted.
    package let port: UInt16

    package init(name: PeerName, peer: PeerPrefix, meshTag: UInt32, port: UInt16) {
        self.name = name
        self.peer = peer
        self.meshTag = meshTag
        self.port = port
    }

    /// `txtvers` stands first (RFC 6763 section 6.7).
    var txt: TXTRecord {
        let meshBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: meshTag >> $0) }
        return TXTRecord([
            ("txtvers", "1"),
            ("id", peer.description),
            ("mesh", Hex.string(meshBytes)),
            ("v", "\(Self.version)"),
        ])
    }

    /// The host whose address records the embedded stack publishes: unlike any other on the network, because the id is.
    /// - Parameter attempt: 0, or how often another host was found to claim the name.
    func hostLabel(attempt: Int) -> String {
        attempt == 0 ? "lattice-\(peer)" : "lattice-\(peer)-\(attempt + 1)"
    }
}

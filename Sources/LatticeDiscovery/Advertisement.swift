package import LatticeCore

/// What this node announces about itself, as one `_lattice._tcp` service.
package struct Advertisement: Hashable, Sendable {
    static let serviceType = "_lattice._tcp"
    /// TXT key `v`: the version of the link protocol.
    package static let version = 1

    /// The requested instance name. A responder may have to announce another ("alice #2").
    package var name: PeerName
    /// TXT key `id`: the peer; in a closed mesh a number for this run of the program, which reveals nothing.
    package let peer: PeerPrefix
    /// TXT key `mesh`: a hash of the mesh name, or in a closed mesh of its key and the day.
    package var meshTag: UInt32
    package let port: UInt16
    /// What its owner says about it, under other TXT keys.
    package var info: DiscoveryInfo

    package init(
        name: PeerName, peer: PeerPrefix, meshTag: UInt32, port: UInt16, info: DiscoveryInfo = DiscoveryInfo()
    ) {
        self.info = info
        self.name = name
        self.peer = peer
        self.meshTag = meshTag
        self.port = port
    }

    /// `txtvers` comes first (RFC 6763 section 6.7).
    var txt: TXTRecord {
        let meshBytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: meshTag >> $0) }
        let ours = [
            ("txtvers", "1"), ("id", peer.description), ("mesh", Hex.string(meshBytes)), ("v", "\(Self.version)"),
        ]
        return TXTRecord(
            ours
                + info.pairs.map { pair in
                    let key = pair.prefix { $0 != "=" }
                    return (String(key), String(pair.dropFirst(key.count + 1)))
                })
    }

    /// The host for the address records of the embedded stack: unique on the network because the id is.
    /// - Parameter attempt: 0, then how often another host was found to claim the name.
    func hostLabel(attempt: Int) -> String {
        attempt == 0 ? "lattice-\(peer)" : "lattice-\(peer)-\(attempt + 1)"
    }
}

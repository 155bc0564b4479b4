package import LatticeCore

// What the stops of a probe sign: each covers all stops before it.
extension Probe {
    /// The prefix of what a stop signs, so that the signature cannot be used for anything else.
    package static let signatureContext = Array("lattice trace v1".utf8)

    /// What the stop at `index` signs: the context, `nonce:8 from:32 to:32`, every earlier stop in full, and this stop
    /// without its signature.
    ///
    /// Direction and TTL are not signed, because relays change them.
    package func signedBytes(of index: Int) -> [UInt8] {
        precondition(path.indices.contains(index), "a stop of this probe")
        return signedBytes(after: path[..<index], peer: path[index].peer, name: path[index].name)
    }

    package func signedBytes(appending peer: PeerID, name: PeerName) -> [UInt8] {
        signedBytes(after: path[...], peer: peer, name: name)
    }

    private func signedBytes(after earlier: ArraySlice<Stop>, peer: PeerID, name: PeerName) -> [UInt8] {
        var writer = ByteWriter(reserving: 128 + 160 * (earlier.count + 1))
        writer.fixed(Self.signatureContext)
        writer.integer(nonce, bytes: 8)
        writer.fixed(from.key)
        writer.fixed(to.key)
        for stop in earlier { writer.probeStop(stop) }
        writer.fixed(peer.key)
        writer.text(name.text)
        return writer.bytes
    }
}

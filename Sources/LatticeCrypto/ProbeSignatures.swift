package import LatticeCore
package import LatticeWire

extension Identity {
    /// Appends our signed stop to a probe. The signature covers both ends and every stop before ours, so nobody can
    /// show us on a path that did not pass here.
    package func endorse(_ probe: Probe, as name: PeerName) -> Probe {
        precondition(probe.path.count < Probe.stopsMax, "a full path is dropped where it is received")
        let signature = sign(context: [], probe.signedBytes(appending: peer, name: name))
        var endorsed = probe
        endorsed.path.append(Probe.Stop(peer: peer, name: name, signature: signature))
        return endorsed
    }
}

/// Why a claimed path of a probe is false.
package enum PathFault: Error, Equatable, CustomStringConvertible {
    /// It does not lead from its origin to its target, or contains a peer twice.
    case broken
    /// The peer at this stop did not sign it.
    case unsigned(stop: Int)

    package var description: String {
        switch self {
        case .broken: "the path does not lead from its origin to its target, by each peer once"
        case .unsigned(let stop): "stop \(stop) was not signed by the peer it names"
        }
    }
}

/// Checks whether a probe really took its path.
package enum PathVerifier {
    /// Checks that a path begins at its origin, has nobody twice, is signed by everybody in it and, on the way back, ends
    /// at its target.
    ///
    /// It stops at the first fault: a stop costs its sender as many bytes as a record, and us one signature either way.
    package static func verify(_ probe: Probe) throws(PathFault) {
        let isWhole = probe.direction == .there || probe.path.last?.peer == probe.to
        let peers = Set(probe.path.map(\.peer))
        guard isWhole, probe.path.first?.peer == probe.from, peers.count == probe.path.count else { throw .broken }
        for (index, stop) in probe.path.enumerated() {
            do {
                try SignatureVerifier.verify(stop.signature, by: stop.peer, context: [], probe.signedBytes(of: index))
            } catch {
                throw .unsigned(stop: index)
            }
        }
    }
}

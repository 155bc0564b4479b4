import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Recent dial failures and rejected links with their reasons, for a user who wonders where everybody is.
struct DialFailures: Sendable {
    /// The mesh limits dials under way; this drops those whose end is never reported.
    private static let dialsMax = 256

    private enum Key: Hashable, Sendable {
        case peer(PeerID)
        case address(PeerAddress)
    }

    private var dials: OrderedDictionary<DialID, PeerAddress> = [:]
    private var found: OrderedDictionary<Key, NodeHealth.DialFailure> = [:]

    /// Newest last.
    var all: [NodeHealth.DialFailure] { Array(found.values) }

    mutating func dialled(_ dial: DialID, _ address: PeerAddress) {
        if dials.count >= Self.dialsMax { dials.removeFirst() }
        dials[dial] = address
    }

    /// A handshake proved the peer's identity.
    mutating func reached(_ link: Link) {
        guard let dial = link.dial, let address = dials.removeValue(forKey: dial) else { return }
        found[.address(address)] = nil
    }

    /// Only failures with an answer are kept; whether an address can be reached is better tested again.
    mutating func failed(_ dial: DialID, _ end: DialEnd) {
        guard let address = dials.removeValue(forKey: dial), end.hasAnswered else { return }
        note(
            .address(address),
            NodeHealth.DialFailure(
                id: nil, name: "", address: address, reason: end == .wrongMeshKey ? .wrongPassphrase : .handshake,
                end: end))
    }

    mutating func changed(_ peer: PeerID, _ name: PeerName, _ state: LinkState, _ end: LinkEnd?) {
        if state == .connected { found[.peer(peer)] = nil }
        guard state == .notConnected, let end, let reason = NodeHealth.Reason(end) else { return }
        note(.peer(peer), NodeHealth.DialFailure(id: peer, name: name.text, address: nil, reason: reason))
    }

    private mutating func note(_ key: Key, _ miss: NodeHealth.DialFailure) {
        found[key] = nil
        if found.count >= NodeHealth.dialFailuresMax { found.removeFirst() }
        found[key] = miss
    }
}

extension NodeHealth.Reason {
    /// `nil` for an end that is no failure: the peer left, the link broke, or it is reached another way.
    init?(_ end: LinkEnd) {
        switch end {
        case .goodbye(Mesh.blockedGoodbye): self = .blockedThere
        case .blocked: self = .blockedHere
        case .refused(.otherMesh), .refusedByUs(.otherMesh): self = .otherMesh
        case .refused(.notAContact), .refused(.closed): self = .policyThere
        case .refusedByUs(.notAContact), .refusedByUs(.closed): self = .policyHere
        case .refused(.declined), .refused(.unanswered), .refused(.busy), .refusedByUs(.declined),
            .refusedByUs(.unanswered), .refusedByUs(.busy):
            self = .declined
        case .refused(.tooManyLinks), .refusedByUs(.tooManyLinks): self = .full
        case .fault: self = .fault
        case .refused, .refusedByUs, .goodbye, .silent, .broken, .addressGone, .left, .rearranged, .dial, .otherThere:
            return nil
        }
    }
}

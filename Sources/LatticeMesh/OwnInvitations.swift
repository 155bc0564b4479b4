package import LatticeCore
package import LatticeWire
import OrderedCollections

/// A peer as discovery announces it; nothing about it is proven.
package enum AnnouncedPeer: Hashable, Sendable {
    case peer(PeerPrefix)
    /// A member of a closed mesh, who gives its identity only over a link.
    case alias(PeerPrefix)

    var key: Candidate.Key {
        switch self {
        case .peer(let prefix): .peer(prefix)
        case .alias(let alias): .alias(alias)
        }
    }

    fileprivate init?(_ key: Candidate.Key) {
        switch key {
        case .peer(let prefix): self = .peer(prefix)
        case .alias(let alias): self = .alias(alias)
        case .address: return nil
        }
    }
}

/// The result of an invitation that `MeshEvent.inviting` asked for.
package enum InvitationOutcome: Hashable, Sendable {
    case accepted(PeerID, PeerName)
    case refused(PeerID, Refusal)
    /// Discovery does not see the peer any more, or it is blocked.
    case unknown
    /// Too many invitations wait for their answers.
    case tooMany
}

/// Invitations to sighted peers that a program waits for. Each lasts until it is answered or withdrawn.
struct OwnInvitations: Sendable {
    struct Waiting: Sendable {
        let context: [UInt8]
        /// How long the peer may take to answer.
        let patience: Duration
        /// The link on which it was sent.
        var link: LinkID?
        /// Who proved to be at the other end of that link.
        var peer: PeerID?
    }

    private var waiting: OrderedDictionary<Candidate.Key, Waiting> = [:]

    mutating func begin(_ target: AnnouncedPeer, context: [UInt8], patience: Duration) -> Bool {
        guard waiting[target.key] != nil || waiting.count < MeshLimit.ownInvitationsMax else { return false }
        waiting[target.key] = Waiting(context: context, patience: patience)
        return true
    }

    mutating func end(_ key: Candidate.Key) -> Waiting? {
        waiting.removeValue(forKey: key)
    }

    /// A dial for this candidate made a link.
    ///
    /// - Returns: the invitation to send on it; `nil` if no program waits for it.
    mutating func reached(_ key: Candidate.Key?, _ peer: PeerID, on link: LinkID) -> Waiting? {
        guard let key, waiting[key] != nil else { return nil }
        waiting[key]?.link = link
        waiting[key]?.peer = peer
        return waiting[key]
    }

    /// - Returns: the invitations that this peer has accepted, on whichever link.
    mutating func connected(_ peer: PeerID, as aliases: [Candidate.Key]) -> [AnnouncedPeer] {
        take { key, waiting in waiting.peer == peer || key == .peer(peer.prefix) || aliases.contains(key) }
    }

    /// - Returns: the invitations that were sent on this link.
    mutating func refused(on link: LinkID) -> [AnnouncedPeer] {
        take { _, waiting in waiting.link == link }
    }

    private mutating func take(where isMeant: (Candidate.Key, Waiting) -> Bool) -> [AnnouncedPeer] {
        guard !waiting.isEmpty else { return [] }
        let keys = waiting.elements.filter { isMeant($0.key, $0.value) }.map(\.key)
        for key in keys { waiting[key] = nil }
        return keys.compactMap(AnnouncedPeer.init)
    }
}

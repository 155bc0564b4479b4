import LatticeCore
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Neighbours' queued requests, and how much each was sent recently.
struct Serving {
    /// Several times the simultaneous links: a neighbour that links again finds its account unchanged.
    static let accountsMax = MeshLimit.reputationsMax

    private var queues: [LinkID: ServingQueue] = [:]
    private var accounts: OrderedDictionary<PeerID, TokenBucket> = [:]

    /// `nil` while this link is not served.
    subscript(_ link: LinkID) -> ServingQueue? {
        get { queues[link] }
        set { queues[link] = newValue }
    }

    var isEmpty: Bool { queues.isEmpty }
    /// Queued ids.
    var count: Int { queues.values.reduce(0) { $0 + $1.count } }
    /// Arrival of the oldest request.
    var oldest: Instant? { queues.values.lazy.compactMap(\.oldest).min() }

    mutating func sent(_ records: Int, bytes: Int, to link: LinkID, of peer: PeerID, at now: Instant) {
        queues[link]?.sent(records, bytes: bytes)
        if accounts[peer] == nil, accounts.count >= Self.accountsMax { accounts.removeFirst() }
        accounts[peer, default: TokenBucket()].charge(Int64(bytes / 1_024) + 1, of: MeshLimit.served, at: now)
    }

    /// When this neighbour may be sent more; `nil`: now.
    func waitsUntil(_ peer: PeerID, at now: Instant) -> Instant? {
        accounts[peer]?.emptyUntil(of: MeshLimit.served, at: now)
    }
}

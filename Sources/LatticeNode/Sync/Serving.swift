import LatticeCore
import LatticeMesh
import LatticeWire
import OrderedCollections

/// What neighbours asked for and wait for, and how much each was sent lately.
struct Serving {
    /// As many as there may be links at once, some times over: who links again finds its account as it was.
    static let accountsMax = MeshLimit.standingsMax

    private var queues: [LinkID: ServingQueue] = [:]
    private var accounts: OrderedDictionary<PeerID, TokenBucket> = [:]

    /// `nil` while nothing is sent on this link.
    subscript(_ link: LinkID) -> ServingQueue? {
        get { queues[link] }
        set { queues[link] = newValue }
    }

    var isEmpty: Bool { queues.isEmpty }
    /// Ids that wait.
    var count: Int { queues.values.reduce(0) { $0 + $1.count } }
    /// When that was asked for which waits for the longest.
    var oldest: Instant? { queues.values.lazy.compactMap(\.oldest).min() }

    mutating func sent(_ records: Int, bytes: Int, to link: LinkID, of peer: PeerID, at now: Instant) {
        queues[link]?.sent(records, bytes: bytes)
        if accounts[peer] == nil, accounts.count >= Self.accountsMax { accounts.removeFirst() }
        accounts[peer, default: TokenBucket()].charge(Int64(bytes / 1_024) + 1, of: MeshLimit.supplies, at: now)
    }

    /// When this neighbour may be sent more; `nil` if it may now.
    func waitsUntil(_ peer: PeerID, at now: Instant) -> Instant? {
        accounts[peer]?.emptyUntil(of: MeshLimit.supplies, at: now)
    }
}

import LatticeCore
import LatticeWire
import OrderedCollections

/// One link as an eager or lazy peer of Plumtree.
struct BroadcastLink: Sendable {
    let id: LinkID
    /// Records flow both ways. After our goodbye a link may still bring records but is sent none.
    private(set) var isConnected = false
    /// Records are pushed on an eager link and announced on a lazy one.
    private(set) var isEager = false
    /// The range of events in which every record of ours was sent on it.
    private(set) var eagerSteps: ClosedRange<UInt64>?
    /// Duplicates since it last brought a record first.
    private var duplicates: UInt8 = 0
    /// Whether it ever brought a record first.
    private var hasBeenUseful = false
    /// Authors whose records it gets another way, so that we do not push them.
    var prunedOrigins = RecentSet<PeerPrefix>(countMax: MeshLimit.prunedOriginsMax)
    /// Authors whose records we told it not to push, because another link brings them.
    private(set) var originsPrunedHere = RecentSet<PeerPrefix>(countMax: MeshLimit.prunedOriginsMax)
    /// Authors whose records it brings straight from their origin, and that we pruned on other links for that.
    private(set) var originsFromHere: OrderedSet<PeerPrefix> = []
    var grafts = TokenBucket()
    var prunes = TokenBucket()
    var haves = TokenBucket()

    init(id: LinkID) {
        self.id = id
    }

    mutating func connected(in step: UInt64) {
        isConnected = true
        beEager(from: step)
    }

    mutating func closing() {
        isConnected = false
    }

    // MARK: - Eager and lazy

    mutating func beEager(from step: UInt64) {
        guard !isEager else { return }
        isEager = true
        eagerSteps = step...UInt64.max
    }

    /// It lacks something, perhaps by an author that it pruned before.
    mutating func wasGrafted(in step: UInt64) {
        beEager(from: step)
        prunedOrigins.removeAll()
    }

    /// We asked it to push records: it pushes those of every author again.
    mutating func pushesAll(from step: UInt64) {
        beEager(from: step)
        originsPrunedHere.removeAll()
    }

    mutating func prunesHere(_ origin: PeerPrefix) {
        originsPrunedHere.insert(origin)
    }

    /// - Returns: `false` if it brings too many already.
    mutating func brings(_ origin: PeerPrefix) -> Bool {
        guard !originsFromHere.contains(origin) else { return true }
        guard originsFromHere.count < MeshLimit.prunedOriginsMax else { return false }
        originsFromHere.append(origin)
        return true
    }

    mutating func beLazy(from step: UInt64) {
        guard isEager, let since = eagerSteps?.lowerBound else { return }
        isEager = false
        // Records sent up to now may still be confirmed.
        eagerSteps = since...max(since, step)
    }

    /// Unconfirmed records were sent again on another link: this one can confirm only later ones.
    mutating func wasPassedOver(in step: UInt64) {
        if isEager { eagerSteps = (step + 1)...UInt64.max }
    }

    mutating func wasUseful() {
        duplicates = 0
        hasBeenUseful = true
    }

    mutating func broughtDuplicate() {
        duplicates = min(duplicates + 1, MeshLimit.duplicatesMax)
    }

    /// Whether it brings nothing but duplicates. With several speakers at once a branch of one tree brings duplicates
    /// of others, so a link that was useful gets a few more chances: pruning it at once would leave some peers without
    /// any branch.
    var isWorthless: Bool {
        duplicates >= (hasBeenUseful ? MeshLimit.duplicatesMax : 1)
    }
}

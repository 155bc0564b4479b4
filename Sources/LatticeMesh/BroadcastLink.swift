import LatticeCore
import LatticeWire

/// One link, as far as records on their way through the mesh go: an eager or a lazy peer of Plumtree.
struct BroadcastLink: Sendable {
    let id: LinkID
    /// Records flow both ways. A link on which we said goodbye may still bring some and is sent none.
    private(set) var isConnected = false
    /// Whether records are pushed on it; they are announced otherwise.
    private(set) var isEager = false
    /// The events between which it was sent every record of ours.
    private(set) var eagerSteps: ClosedRange<UInt64>?
    /// Duplicates since it last was the first to bring something.
    private var duplicates: UInt8 = 0
    /// Whether it ever was.
    private var hasBeenUseful = false
    /// Authors whose records it has anyway: these are not pushed.
    var prunedOrigins = RecentSet<PeerPrefix>(countMax: MeshLimit.prunedOriginsMax)
    /// What has yet to be announced on it.
    private(set) var unannounced: [Have.Entry] = []

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
        unannounced = []
    }

    // MARK: - Eager and lazy

    mutating func beEager(from step: UInt64) {
        guard !isEager else { return }
        isEager = true
        eagerSteps = step...UInt64.max
    }

    /// It lacks something, perhaps of an author whose records it had anyway before.
    mutating func wasGrafted(in step: UInt64) {
        beEager(from: step)
        prunedOrigins.removeAll()
    }

    mutating func beLazy(from step: UInt64) {
        guard isEager, let since = eagerSteps?.lowerBound else { return }
        isEager = false
        // What was sent up to now may still be confirmed.
        eagerSteps = since...max(since, step)
    }

    /// What is unconfirmed went out again on another link: this one can confirm only what comes after it.
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

    /// Whether it brings duplicates alone. With several speakers at once a branch of one tree brings duplicates of others, so a link
    /// that was useful gets another chance or two: pruned at once, such links would leave peers without any.
    var isWorthless: Bool {
        duplicates >= (hasBeenUseful ? MeshLimit.duplicatesMax : 1)
    }

    // MARK: - Announcements

    mutating func announceSoon(_ entry: Have.Entry) {
        unannounced.append(entry)
        if unannounced.count > MeshLimit.untoldMax { unannounced.removeFirst() }
    }

    /// All of it is announced now.
    mutating func announced() {
        unannounced.removeAll(keepingCapacity: true)
    }

    /// It has this record, which need not be announced.
    mutating func has(_ id: RecordID) {
        guard !unannounced.isEmpty, let index = unannounced.firstIndex(where: { $0.id == id }) else { return }
        unannounced.remove(at: index)
    }
}

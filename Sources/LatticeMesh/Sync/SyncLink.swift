import DequeModule
import LatticeCore
import LatticeWire

/// One neighbour, as far as comparing with it goes.
struct SyncLink: Sendable {
    /// A comparison that is to be begun.
    struct Wish: Hashable, Sendable {
        var groups: SyncGroups
        var at: Instant
        /// When it could have begun; `nil` until then.
        var waitingSince: Instant?
        /// Others do not come first, and it is no matter how short ago the last one was.
        var isUrgent = false
    }

    /// Records that were gained and that it may lack.
    struct News: Hashable, Sendable {
        var groups: SyncGroups
        var at: Instant
        let until: Instant
    }

    /// What is remembered of a peer when its link ends.
    struct Standing: Hashable, Sendable {
        var fruitless = 0
        var faults = TokenBucket()
        var shunnedUntil: Instant?
    }

    /// What it may still send us, and we it.
    struct Tokens: Sendable {
        var questions = TokenBucket()
        var keepings = TokenBucket()
        var offersIn = TokenBucket()
        var offersOut = TokenBucket()
        var fetches = TokenBucket()
    }

    /// Its questions.
    struct Questions: Sendable {
        /// Those that wait for their turn.
        var waiting: Deque<Comparison> = []
        /// The one that is being answered, and how long that may take.
        var answered: (question: Comparison, until: Instant)?
    }

    /// Records that moved, since the link connected.
    struct Counts: Sendable {
        var gained = 0
        var given = 0
        var supplied = 0
        var lacked = 0
    }

    private struct Silence: Sendable {
        /// How often in a row it owed records and hardly sent any.
        var count = 0
        /// Until when it is not believed for that.
        var doubtedUntil: Instant?
        var suppliedBefore = 0
    }

    private struct Fetched: Sendable {
        /// Bytes of the ids that it fetched, less than a token's worth.
        var idBytes = 0
        /// Ids that it asked for and has not said to be stored.
        var ids: Set<RecordID> = []
    }

    let id: LinkID
    let peer: PeerID
    /// We dialled, so the first question is ours.
    let isOurs: Bool
    /// Absent where more links have records for us than can be told apart: then nothing is asked of it.
    let slot: SourceSlot?
    let linkedAt: Instant

    /// What it said that it keeps.
    var keeping: Keeping?
    /// What both keep, in ascending order of scopes.
    private(set) var ranges: [SyncRange] = []

    // MARK: Ours

    var round: Round?
    private(set) var wish: Wish?
    var news: News?
    private(set) var startedAt: Instant?
    var comparedAt: Instant?
    /// Whether a comparison of everything that we began has ended well.
    var hasCompared = false
    /// Rounds in a row that did not end well.
    private(set) var failures = 0
    var standing: Standing
    /// Since the last round began: differences that were found, and records that moved because of them.
    var differences = 0
    var fruits = 0
    /// Something that it has was forgotten or never noted.
    var isShort = false
    private var silence = Silence()
    /// What is left of a comparison of everything.
    private var uncompared: SyncGroups = []

    // MARK: Theirs

    var theirs = Questions()
    var tokens = Tokens()
    /// Ids that it offered since our last round with it.
    var offered = 0
    private var fetched = Fetched()
    var counts = Counts()

    init(_ link: LinkRow, slot: SourceSlot?, standing: Standing?, at now: Instant) {
        id = link.id
        peer = link.peer
        isOurs = link.isOurs
        self.slot = slot
        self.standing = standing ?? Standing()
        linkedAt = now
    }

    // MARK: - What both keep

    /// - Returns: whether there is more to be compared than before.
    mutating func overlap(_ ours: Keeping?) -> Bool {
        guard let ours, let keeping else { return false }
        let before = ranges
        ranges = ours.overlap(with: keeping).map { SyncRange(scope: $0.scope, since: $0.since) }
        return ranges.contains { range in
            !before.contains { $0.scope == range.scope && $0.since <= range.since }
        }
    }

    func range(_ scope: SyncScope) -> SyncRange? {
        ranges.first { $0.scope == scope }
    }

    // MARK: - When

    func isShunned(at now: Instant) -> Bool {
        standing.shunnedUntil.map { now < $0 } ?? false
    }

    /// Whether anything can be compared, as far as it goes.
    func isComparable(at now: Instant) -> Bool {
        slot != nil && !ranges.isEmpty && !isShunned(at: now)
    }

    /// How often in a row differences were found and nothing came of them.
    private var fruitless: Int {
        guard fruits == 0 else { return 0 }
        let last = differences > 0 && round == nil ? 1 : 0
        return min(standing.fruitless + last, MeshLimit.fruitlessMax)
    }

    /// That nothing came of the last comparisons was not its fault.
    mutating func forgive() {
        standing.fruitless = 0
        differences = 0
    }

    /// Whether another neighbour is rather to be compared with.
    func isResting(at now: Instant) -> Bool {
        if let doubtedUntil = silence.doubtedUntil, now < doubtedUntil { return true }
        guard let startedAt, fruitless > 0 else { return false }
        return now < startedAt + MeshLimit.roundInterval * (1 << fruitless)
    }

    /// Compares soon.
    mutating func want(_ groups: SyncGroups, at time: Instant, isUrgent: Bool = false) {
        guard slot != nil, !groups.isEmpty else { return }
        var time = time
        if let startedAt, !isUrgent { time = max(time, startedAt + MeshLimit.roundGap * (1 << fruitless)) }
        if let doubtedUntil = silence.doubtedUntil, !isUrgent { time = max(time, doubtedUntil) }
        guard var known = wish else {
            wish = Wish(groups: groups, at: time, isUrgent: isUrgent)
            return
        }
        known.groups.formUnion(groups)
        known.at = min(known.at, time)
        known.isUrgent = known.isUrgent || isUrgent
        wish = known
    }

    /// While it asks us it need not be asked: what it finds out it tells.
    mutating func wasAsked(at now: Instant) {
        guard !hasCompared, startedAt == nil, let time = wish?.at else { return }
        let later = min(now + MeshLimit.answererDelay, linkedAt + MeshLimit.answererDelayMax)
        wish?.at = max(time, later)
    }

    /// Others come first: it is looked at again in a while.
    mutating func wait(at now: Instant) {
        if wish?.waitingSince == nil { wish?.waitingSince = now }
        wish?.at = now + MeshLimit.roundPollInterval
    }

    mutating func dropWish() {
        wish = nil
    }

    mutating func beginRound(at now: Instant) {
        guard let groups = wish?.groups else { return }
        standing.fruitless = differences == 0 ? 0 : fruitless
        (differences, fruits, offered) = (0, 0, 0)
        wish = nil
        news?.groups.subtract(groups)
        if news?.groups.isEmpty == true { news = nil }
        startedAt = now
        if groups == .all { uncompared = .all }
        round = Round(ranges.filter { groups.contains(SyncGroups($0.scope.group)) }, groups: groups)
    }

    /// What did not come to its end is tried again.
    ///
    /// - Returns: whether everything was compared.
    mutating func endRound(at now: Instant) -> Bool {
        guard let ended = round else { return false }
        round = nil
        let isRest = !uncompared.isEmpty
        uncompared.subtract(ended.groups.subtracting(ended.failed))
        guard ended.failed.isEmpty else {
            failed(ended.failed, at: now)
            return false
        }
        failures = 0
        guard isRest, uncompared.isEmpty else { return false }
        comparedAt = now
        hasCompared = true
        return true
    }

    /// It is tried again, less and less often.
    mutating func failed(_ groups: SyncGroups, at now: Instant) {
        let delay = min(MeshLimit.roundRetryMin * (1 << min(failures, 6)), MeshLimit.roundRetryMax)
        failures += 1
        want(groups, at: now + delay)
    }

    /// It was abandoned: it is believed less and less, and compared with when it is believed again.
    ///
    /// - Parameter lost: of how much of what it has nothing came.
    mutating func wasSilent(at now: Instant, lost: Int) {
        if counts.supplied - silence.suppliedBefore > lost { silence.count = 0 }
        silence.suppliedBefore = counts.supplied
        silence.doubtedUntil = now + MeshLimit.doubtedMin * (1 << min(silence.count, MeshLimit.doubledMax))
        silence.count += 1
        want(.all, at: now)
    }

    func mayOffer(at now: Instant) -> Bool {
        isComparable(at: now) && silence.doubtedUntil.map { $0 <= now } ?? true
    }

    /// Nothing is compared or fetched from now on.
    mutating func shun(at now: Instant) {
        standing.shunnedUntil = now + MeshLimit.shunnedFor
        standing.faults = TokenBucket()
        round = nil
        wish = nil
        news = nil
        isShort = false
    }

    // MARK: - What it fetches

    mutating func fetches(_ ids: [RecordID], at now: Instant) {
        // It fetches what it was told of. A neighbour that makes ids up has sent as many bytes as it gets back.
        fetched.idBytes += 32 * ids.count
        let returned = fetched.idBytes / MeshLimit.answerBytesPerToken
        fetched.idBytes %= MeshLimit.answerBytesPerToken
        tokens.questions.charge(-Int64(returned), of: MeshLimit.questions, at: now)
        // Who never says that anything is stored is remembered no longer than it takes others.
        if fetched.ids.count + ids.count > MeshLimit.suppliedMax { fetched.ids.removeAll(keepingCapacity: true) }
        fetched.ids.formUnion(ids)
    }

    /// - Returns: those that it had asked for.
    mutating func stored(_ ids: [RecordID]) -> [RecordID] {
        let known = ids.filter { fetched.ids.remove($0) != nil }
        counts.given += known.count
        return known
    }
}

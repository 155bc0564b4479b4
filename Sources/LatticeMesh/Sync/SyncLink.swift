import LatticeCore
import LatticeWire

/// Reconciling with one neighbour.
struct SyncLink: Sendable {
    /// A round that should begin.
    struct Wish: Hashable, Sendable {
        var groups: SyncGroups
        var at: Instant
        /// Since when it could have begun; `nil` if it cannot yet.
        var waitingSince: Instant?
        /// It begins before others, and however recent the last round was.
        var isUrgent = false
    }

    /// Records gained here that the neighbour may lack.
    struct News: Hashable, Sendable {
        var groups: SyncGroups
        var at: Instant
        let until: Instant
    }

    /// What is remembered about a peer when its link ends.
    struct Reputation: Hashable, Sendable {
        var fruitless = 0
        var faults = TokenBucket()
        var shunnedUntil: Instant?
    }

    /// Rate limits, for what it sends and what we send.
    struct Tokens: Sendable {
        var keepings = TokenBucket()
        var offersIn = TokenBucket()
        var offersOut = TokenBucket()
        var fetches = TokenBucket()
    }

    /// Records exchanged since the link connected.
    struct Counts: Sendable {
        var gained = 0
        var given = 0
        var served = 0
        var lacked = 0
    }

    private struct Silence: Sendable {
        /// How often in a row it owed records and hardly sent any.
        var count = 0
        /// Its ids are not believed until then.
        var doubtedUntil: Instant?
        var suppliedBefore = 0
    }

    private struct Fetched: Sendable {
        /// Bytes of requested ids that do not make a token yet.
        var idBytes = 0
        /// Ids that it requested and has not reported as stored.
        var ids: Set<RecordID> = []
    }

    let id: LinkID
    let peer: PeerID
    /// We dialled, so we begin.
    let isOurs: Bool
    /// `nil` if more links have records for us than there are slots: nothing is requested from it then.
    let slot: SourceSlot?
    let linkedAt: Instant

    var keeping: Keeping?
    /// Scopes that both sides keep, ascending.
    private(set) var ranges: [SyncRange] = []

    // MARK: Ours

    var round: Round?
    private(set) var wish: Wish?
    var news: News?
    private(set) var startedAt: Instant?
    var comparedAt: Instant?
    /// Whether a round of ours over everything has succeeded.
    var hasCompared = false
    /// Failed rounds in a row.
    private(set) var failures = 0
    var reputation: Reputation
    /// Since the last round began: differences found, and records exchanged because of them.
    var differences = 0
    var fruits = 0
    /// Some of its records were forgotten or never noted.
    var isShort = false
    private var silence = Silence()
    /// Groups not yet covered of a round over everything.
    private var uncompared: SyncGroups = []

    // MARK: Theirs

    var questions = SyncQuestions()
    var tokens = Tokens()
    /// Ids that it offered since our last round with it.
    var offered = 0
    private var fetched = Fetched()
    var counts = Counts()

    init(_ link: LinkRow, slot: SourceSlot?, reputation: Reputation?, at now: Instant) {
        id = link.id
        peer = link.peer
        isOurs = link.isOurs
        self.slot = slot
        self.reputation = reputation ?? Reputation()
        linkedAt = now
    }

    // MARK: - What both sides keep

    /// - Returns: whether there is more to reconcile than before.
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

    // MARK: - Schedule

    func isShunned(at now: Instant) -> Bool {
        reputation.shunnedUntil.map { now < $0 } ?? false
    }

    /// Whether we can reconcile with it at all.
    func isComparable(at now: Instant) -> Bool {
        slot != nil && !ranges.isEmpty && !isShunned(at: now)
    }

    /// Rounds in a row that found differences without result.
    private var fruitless: Int {
        guard fruits == 0 else { return 0 }
        let last = differences > 0 && round == nil ? 1 : 0
        return min(reputation.fruitless + last, MeshLimit.fruitlessMax)
    }

    /// The last fruitless rounds were not its fault.
    mutating func forgive() {
        reputation.fruitless = 0
        differences = 0
    }

    /// Whether other neighbours should be preferred for a round.
    func isResting(at now: Instant) -> Bool {
        if let doubtedUntil = silence.doubtedUntil, now < doubtedUntil { return true }
        guard let startedAt, fruitless > 0 else { return false }
        return now < startedAt + MeshLimit.roundInterval * (1 << fruitless)
    }

    /// Schedules a round.
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

    /// While it asks us questions we need not ask it: it offers what it finds.
    mutating func wasAsked(at now: Instant) {
        guard !hasCompared, startedAt == nil, let time = wish?.at else { return }
        let later = min(now + MeshLimit.answererDelay, linkedAt + MeshLimit.answererDelayMax)
        wish?.at = max(time, later)
    }

    /// Other rounds come first; try again after a while.
    mutating func wait(at now: Instant) {
        if wish?.waitingSince == nil { wish?.waitingSince = now }
        wish?.at = now + MeshLimit.roundPollInterval
    }

    mutating func dropWish() {
        wish = nil
    }

    mutating func beginRound(at now: Instant) {
        guard let groups = wish?.groups else { return }
        reputation.fruitless = differences == 0 ? 0 : fruitless
        (differences, fruits, offered) = (0, 0, 0)
        wish = nil
        news?.groups.subtract(groups)
        if news?.groups.isEmpty == true { news = nil }
        startedAt = now
        if groups == .all { uncompared = .all }
        round = Round(ranges.filter { groups.contains(SyncGroups($0.scope.group)) }, groups: groups)
    }

    /// Schedules another round for the groups that failed.
    ///
    /// - Returns: whether everything is reconciled.
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

    /// Tries again, with growing delays.
    mutating func failed(_ groups: SyncGroups, at now: Instant) {
        let delay = min(MeshLimit.roundRetryMin * (1 << min(failures, 6)), MeshLimit.roundRetryMax)
        failures += 1
        want(groups, at: now + delay)
    }

    /// It was abandoned: its ids are not believed for a while, which grows each time, and the next round comes after
    /// that.
    ///
    /// - Parameter lost: how many of its ids were dropped.
    mutating func wasSilent(at now: Instant, lost: Int) {
        if counts.served - silence.suppliedBefore > lost { silence.count = 0 }
        silence.suppliedBefore = counts.served
        silence.doubtedUntil = now + MeshLimit.doubtedMin * (1 << min(silence.count, MeshLimit.doubledMax))
        silence.count += 1
        want(.all, at: now)
    }

    func mayOffer(at now: Instant) -> Bool {
        isComparable(at: now) && silence.doubtedUntil.map { $0 <= now } ?? true
    }

    /// Stops reconciling with it and fetching from it.
    mutating func shun(at now: Instant) {
        reputation.shunnedUntil = now + MeshLimit.shunnedFor
        reputation.faults = TokenBucket()
        round = nil
        wish = nil
        news = nil
        isShort = false
    }

    // MARK: - Serving it

    mutating func fetches(_ ids: [RecordID], at now: Instant) {
        // It fetches ids that we named, so their cost is returned. A neighbour that invents ids has sent as many bytes
        // as it gets back.
        fetched.idBytes += 32 * ids.count
        let returned = fetched.idBytes / MeshLimit.answerBytesPerToken
        fetched.idBytes %= MeshLimit.answerBytesPerToken
        questions.giveBack(returned, at: now)
        // A neighbour that never reports anything as stored is forgotten as fast as it requests.
        if fetched.ids.count + ids.count > MeshLimit.suppliedMax { fetched.ids.removeAll(keepingCapacity: true) }
        fetched.ids.formUnion(ids)
    }

    /// - Returns: those that it had requested.
    mutating func stored(_ ids: [RecordID]) -> [RecordID] {
        let known = ids.filter { fetched.ids.remove($0) != nil }
        counts.given += known.count
        return known
    }
}

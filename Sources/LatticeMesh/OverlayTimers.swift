import DequeModule
import LatticeCore
import LatticeWire

/// The timers of the overlay: when to search for a neighbour and when to shuffle. It also remembers the shuffles that
/// pass through here.
struct OverlayTimers: Sendable {
    private(set) var seekAt: Instant?
    private var seekDelay = MeshLimit.seekDelayMin
    private(set) var shuffleAt: Instant?
    private var shuffleDelay = MeshLimit.shuffleDelayMin
    /// The deadline for an answer to our own shuffle.
    private var answerUntil: Instant?
    var mergeAt: Instant?
    /// When each open offer lapses, oldest first. Each may account for one link beyond the slots.
    private var offersUntil: Deque<Instant> = []
    var evictions = TokenBucket()
    /// Peers that were evicted, and those that came back and were evicted again.
    private var givenUp = RecentSet<PeerID>(countMax: MeshLimit.givenUpMax)
    private var givenUpTwice = RecentSet<PeerID>(countMax: MeshLimit.givenUpMax)

    private struct Passing: Sendable {
        let origin: PeerID
        let giver: LinkID
    }

    /// Shuffles of others that we relayed, and the links that their answers go to.
    private var passing: Deque<Passing> = []

    var nextDeadline: Instant? {
        var earliest = seekAt
        if let shuffleAt { earliest = min(earliest ?? shuffleAt, shuffleAt) }
        if let mergeAt { earliest = min(earliest ?? mergeAt, mergeAt) }
        if let trimAt = offersUntil.first { earliest = min(earliest ?? trimAt, trimAt) }
        return earliest
    }

    mutating func linked(at now: Instant, room: Int, using generator: inout SeededGenerator) {
        if room == 0 {
            seekAt = nil
            seekDelay = MeshLimit.seekDelayMin
        } else if seekAt == nil {
            seekAt = now + Self.jittered(seekDelay, using: &generator)
        }
        if shuffleAt == nil { shuffleAt = now + Self.jittered(shuffleDelay, using: &generator) }
        if mergeAt == nil { mergeAt = now + Self.jittered(MeshLimit.mergeInterval, using: &generator) }
    }

    /// A neighbour is gone: search for another soon.
    mutating func seekSoon(at now: Instant) {
        seekDelay = MeshLimit.seekDelayMin
        let soon = now + seekDelay
        seekAt = min(seekAt ?? soon, soon)
    }

    /// - Returns: whether a search is due.
    mutating func seeks(at now: Instant, using generator: inout SeededGenerator) -> Bool {
        guard let time = seekAt, time <= now else { return false }
        seekDelay = min(seekDelay * 2, MeshLimit.seekDelayMax)
        seekAt = now + Self.jittered(seekDelay, using: &generator)
        return true
    }

    /// No searches until a link opens or closes.
    mutating func rest() {
        seekAt = nil
        seekDelay = MeshLimit.seekDelayMin
    }

    mutating func gaveUp(_ peer: PeerID) {
        if !givenUp.insert(peer) { givenUpTwice.insert(peer) }
    }

    /// Whether an evicted peer that comes back has found nobody else: it has no link at all, or this is its second
    /// return.
    func hasNobodyElse(_ peer: PeerID, isUrgent: Bool) -> Bool {
        givenUpTwice.contains(peer) || isUrgent && givenUp.contains(peer)
    }

    /// No neighbour is left, so walks and shuffles have nowhere to go.
    mutating func pause() {
        seekAt = nil
        shuffleAt = nil
        mergeAt = nil
        offersUntil = []
    }

    /// - Parameter isHungry: few addresses are known, so the delay doubles instead of jumping to its maximum.
    /// - Returns: whether a shuffle is due.
    mutating func shuffles(at now: Instant, isHungry: Bool, using generator: inout SeededGenerator) -> Bool {
        guard let time = shuffleAt, time <= now else { return false }
        shuffleDelay = isHungry ? min(shuffleDelay * 2, MeshLimit.shuffleDelayMax) : MeshLimit.shuffleDelayMax
        shuffleAt = now + Self.jittered(shuffleDelay, using: &generator)
        answerUntil = now + MeshLimit.shuffleTimeout
        return true
    }

    /// An answer to our own shuffle has come.
    ///
    /// - Returns: whether we were waiting for one.
    mutating func answered(at now: Instant) -> Bool {
        guard let until = answerUntil, now <= until else { return false }
        answerUntil = nil
        return true
    }

    /// A neighbour was offered a newcomer.
    mutating func offered(at now: Instant) {
        if offersUntil.count >= MeshLimit.linksMax { offersUntil.removeFirst() }
        offersUntil.append(now + MeshLimit.offerTimeout)
    }

    /// - Returns: how many offers are still open, if some have lapsed; else `nil`.
    mutating func lapsed(at now: Instant) -> Int? {
        guard let first = offersUntil.first, first <= now else { return nil }
        while let first = offersUntil.first, first <= now { offersUntil.removeFirst() }
        return offersUntil.count
    }

    mutating func passed(_ origin: PeerID, from giver: LinkID) {
        if passing.count >= MeshLimit.shufflesUnderWayMax { passing.removeFirst() }
        passing.append(Passing(origin: origin, giver: giver))
    }

    /// The link that gets the answer to this peer's shuffle; each shuffle is answered once.
    mutating func giver(of origin: PeerID) -> LinkID? {
        guard let index = passing.lastIndex(where: { $0.origin == origin }) else { return nil }
        return passing.remove(at: index).giver
    }

    /// A random duration from half of this to all of it, so that peers that started together drift apart.
    private static func jittered(_ duration: Duration, using generator: inout SeededGenerator) -> Duration {
        let half = duration.nanoseconds / 2
        return .nanoseconds(half + Int64.random(in: 0...half, using: &generator))
    }
}

import DequeModule
import LatticeCore
import LatticeWire

/// The clockwork of the overlay: when to look for another neighbour, when to exchange addresses, and whose exchanges pass
/// through here.
struct OverlayTimers: Sendable {
    private(set) var seekAt: Instant?
    private var seekDelay = MeshLimit.seekDelayMin
    private(set) var shuffleAt: Instant?
    private var shuffleDelay = MeshLimit.shuffleDelayMin
    /// Until when an answer to our own shuffle counts.
    private var answerUntil: Instant?
    var mergeAt: Instant?
    /// When the offers that stand lapse, the oldest first. For each there may be a link beyond the places there are.
    private var offersUntil: Deque<Instant> = []
    var evictions = TokenBucket()
    /// Peers that were given up for others, and those of them that came back and were given up again.
    private var givenUp = RecentSet<PeerID>(countMax: MeshLimit.givenUpMax)
    private var givenUpTwice = RecentSet<PeerID>(countMax: MeshLimit.givenUpMax)

    private struct Passing: Sendable {
        let origin: PeerID
        let giver: LinkID
    }

    /// Shuffles of others that went on from here: to whom their answers go.
    private var passing: Deque<Passing> = []

    var nextDeadline: Instant? {
        var earliest = seekAt
        if let shuffleAt { earliest = min(earliest ?? shuffleAt, shuffleAt) }
        if let mergeAt { earliest = min(earliest ?? mergeAt, mergeAt) }
        if let trimAt = offersUntil.first { earliest = min(earliest ?? trimAt, trimAt) }
        return earliest
    }

    /// There is another neighbour.
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

    /// A neighbour is gone: another is looked for soon.
    mutating func seekSoon(at now: Instant) {
        seekDelay = MeshLimit.seekDelayMin
        let soon = now + seekDelay
        seekAt = min(seekAt ?? soon, soon)
    }

    /// - Returns: whether it is time to look for a neighbour.
    mutating func seeks(at now: Instant, using generator: inout SeededGenerator) -> Bool {
        guard let time = seekAt, time <= now else { return false }
        seekDelay = min(seekDelay * 2, MeshLimit.seekDelayMax)
        seekAt = now + Self.jittered(seekDelay, using: &generator)
        return true
    }

    /// Nothing is looked for until a link comes or goes.
    mutating func rest() {
        seekAt = nil
        seekDelay = MeshLimit.seekDelayMin
    }

    mutating func gaveUp(_ peer: PeerID) {
        if !givenUp.insert(peer) { givenUpTwice.insert(peer) }
    }

    /// Whether somebody who comes back after having been given up has found nobody else: it has no link at all, or it comes for
    /// the second time.
    func hasNobodyElse(_ peer: PeerID, isUrgent: Bool) -> Bool {
        givenUpTwice.contains(peer) || isUrgent && givenUp.contains(peer)
    }

    /// Nobody is there to look for others with.
    mutating func pause() {
        seekAt = nil
        shuffleAt = nil
        mergeAt = nil
        offersUntil = []
    }

    /// - Parameter isHungry: few addresses are known, so the next exchange is not put off for long.
    /// - Returns: whether it is time to exchange addresses.
    mutating func shuffles(at now: Instant, isHungry: Bool, using generator: inout SeededGenerator) -> Bool {
        guard let time = shuffleAt, time <= now else { return false }
        shuffleDelay = isHungry ? min(shuffleDelay * 2, MeshLimit.shuffleDelayMax) : MeshLimit.shuffleDelayMax
        shuffleAt = now + Self.jittered(shuffleDelay, using: &generator)
        answerUntil = now + MeshLimit.shuffleTimeout
        return true
    }

    /// An answer to our own shuffle has come.
    ///
    /// - Returns: whether one was waited for.
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

    /// - Returns: how many offers still stand, if some have lapsed.
    mutating func lapsed(at now: Instant) -> Int? {
        guard let first = offersUntil.first, first <= now else { return nil }
        while let first = offersUntil.first, first <= now { offersUntil.removeFirst() }
        return offersUntil.count
    }

    mutating func passed(_ origin: PeerID, from giver: LinkID) {
        if passing.count >= MeshLimit.shufflesUnderWayMax { passing.removeFirst() }
        passing.append(Passing(origin: origin, giver: giver))
    }

    /// Who is to have the answer to this peer's shuffle; each is answered once.
    mutating func giver(of origin: PeerID) -> LinkID? {
        guard let index = passing.lastIndex(where: { $0.origin == origin }) else { return nil }
        return passing.remove(at: index).giver
    }

    /// Between half of it and all of it, so that peers that started together do not stay in step.
    private static func jittered(_ duration: Duration, using generator: inout SeededGenerator) -> Duration {
        let half = duration.nanoseconds / 2
        return .nanoseconds(half + Int64.random(in: 0...half, using: &generator))
    }
}

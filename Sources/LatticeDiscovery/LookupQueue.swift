import DequeModule
import LatticeCore
import OrderedCollections

/// Decides which announcement is looked up when: few at a time, IPv4 rather than IPv6, again after a while (so that a peer
/// that came back on another port under its old name is noticed), ever more rarely when nobody answers.
struct LookupQueue: Sendable {
    enum Event: Hashable, Sendable {
        /// The browser saw the instance; once for each protocol.
        case added(ServiceInstance)
        /// The browser saw it go; once for each protocol.
        case removed(ServiceInstance)
        /// Its host, port and TXT record are known now.
        case located(ServiceInstance)
        /// An address of its host is known now too.
        case answered(ServiceInstance, AddressFamily, InstanceAnswer)
        /// The responder gave up.
        case failed(ServiceInstance)
        /// Somebody came or went: what is known may be about to change.
        case hurried
        /// A deadline has passed.
        case woke
    }

    enum Effect: Hashable, Sendable {
        /// Look up host, port and TXT record.
        case locate(ServiceInstance)
        /// Look up an address of the host, beside what is being looked up.
        case ask(ServiceInstance, AddressFamily)
        /// End the lookup, whether or not it has answered.
        case stop(ServiceInstance)
        case seen(ServiceInstance, InstanceAnswer)
        case gone(ServiceInstance)
        /// The table is full, and what is announced beyond it is passed over; told once until half of it is empty.
        case crowded
    }

    /// Where one instance stands, and how many rounds in a row have ended without an answer.
    private enum Stage {
        /// It stands in the queue. Next: `locating`.
        case waiting(failures: Int)
        /// Its host, port and TXT record are being looked up. Next: `asking`, or `resting`.
        case locating(failures: Int, until: Instant)
        /// An IPv4 address of its host is being looked up. Next: `askingBoth`, or `resting`.
        case asking(failures: Int, until: Instant)
        /// An IPv6 address too. Next: `preferring`, or `resting`.
        case askingBoth(failures: Int, until: Instant)
        /// There is an IPv6 address, and IPv4 has a moment more. Next: `resting`.
        case preferring(failures: Int, InstanceAnswer, until: Instant)
        /// Nothing is done until then. Next: `waiting`.
        case resting(failures: Int, until: Instant)
        /// It is of too many that are announced early, and will soon be gone. Next: none.
        case passedOver
    }

    private struct Entry {
        /// How many protocols see it.
        var browsedCount: Int
        var stage: Stage
        /// How many times it was looked up since it came or something stirred: the first answers may be of a peer that
        /// has just gone and comes back under the same name.
        var refreshes = 0
        var isTold: Bool
        /// Whether it was left alone once because its name may still be being probed for.
        var hasDeferred = false
    }

    /// Each lookup in the system responder costs a thread, five descriptors and a bus connection.
    static let activeCountMax = 8
    /// So many of those that are announced early are looked up: enough links to begin with. A crowd that begins at once would
    /// otherwise cost the system responder twice as much, and everybody is found by their lasting name soon.
    static let earlyCountMax = 8
    /// For how long a name is left alone whose peer is known by another that is announced while this one is probed for: until
    /// then there is no answer (RFC 6762 section 8.1), and a lookup would wait for it in vain.
    static let probingDelay = Duration.milliseconds(1_250)
    /// Twice the peers of a `SightingTable`: most machines have a loopback interface and one other.
    static let instanceCountMax = 2 * SightingTable.peerCountMax
    /// A peer that is just starting is browsed 0.8 s before its name is probed and its port known (RFC 6762
    /// section 8.1); one lost packet is asked for again after a second.
    static let locateDelayMax = Duration.milliseconds(2_500)
    /// An IPv4 address is asked for first; a known one is answered within this, and IPv6 need not be asked for.
    static let aloneDelay = Duration.milliseconds(150)
    /// A record is multicast at most once a second (RFC 6762 section 6), so that one which somebody else has just asked
    /// for comes late.
    static let addressDelayMax = Duration.milliseconds(2_500)
    /// A host answers for both families at the same time, so IPv4 is not long in coming once IPv6 is there.
    static let preferenceDelay = Duration.milliseconds(250)
    static let retryDelayMin = Duration.seconds(1)
    static let retryDelayMax = Duration.seconds(60)
    /// A quarter of a second of pause for each instance keeps a crowded network at four lookups a second.
    static let refreshPauseEach = Duration.milliseconds(250)
    /// Doubling from here to the delay of a quiet network.
    static let hurriedDelayMin = Duration.milliseconds(500)
    /// After so many failed refreshes what was told is taken back, although nobody said goodbye.
    static let failuresBeforeGone = 3

    private let refreshDelayMin: Duration
    private var entries: OrderedDictionary<ServiceInstance, Entry> = [:]
    private var waiting: Deque<ServiceInstance> = []
    private var activeCount = 0
    /// How many are announced early whose lasting name will be this.
    private var earlyCounts: [ServiceInstance: Int] = [:]
    private var isCrowded = false

    init(refreshDelayMin: Duration) {
        self.refreshDelayMin = refreshDelayMin
    }

    var count: Int { entries.count }

    /// When `woke` is due; `nil` when nothing is.
    var nextDeadline: Instant? {
        entries.values.lazy.compactMap { entry in
            switch entry.stage {
            case .waiting, .passedOver: nil
            case .locating(_, let until), .asking(_, let until), .askingBoth(_, let until): until
            case .preferring(_, _, let until), .resting(_, let until): until
            }
        }.min()
    }

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .added(let instance): added(instance, at: now, into: &effects)
        case .removed(let instance): removed(instance, into: &effects)
        case .located(let instance): located(instance, at: now, into: &effects)
        case .answered(let instance, let family, let answer):
            answered(instance, family, answer, at: now, into: &effects)
        case .failed(let instance): failed(instance, at: now, into: &effects)
        case .hurried: hurried(at: now)
        case .woke: woke(at: now, into: &effects)
        }
        startWaiting(at: now, into: &effects)
        return effects
    }

    private mutating func added(_ instance: ServiceInstance, at now: Instant, into effects: inout [Effect]) {
        if entries[instance] != nil {
            entries[instance]?.browsedCount += 1
            return
        }
        guard entries.count < Self.instanceCountMax else {
            if !isCrowded { effects.append(.crowded) }
            isCrowded = true
            return
        }
        let lasting = EarlyAnnouncement.lasting(instance)
        let isPassedOver = lasting != nil && earlyCounts.values.reduce(0, +) >= Self.earlyCountMax
        entries[instance] = Entry(
            browsedCount: 1, stage: isPassedOver ? .passedOver : .waiting(failures: 0), isTold: false)
        if !isPassedOver { waiting.append(instance) }
        if let lasting {
            earlyCounts[lasting, default: 0] += 1
            deferLookup(lasting, at: now, into: &effects)
        } else if earlyCounts[instance] != nil {
            deferLookup(instance, at: now, into: &effects)
        }
    }

    private mutating func deferLookup(_ instance: ServiceInstance, at now: Instant, into effects: inout [Effect]) {
        guard let entry = entries[instance], !entry.isTold, !entry.hasDeferred else { return }
        switch entry.stage {
        case .waiting: waiting.removeAll { $0 == instance }
        case .locating: release(instance, into: &effects)
        // It is known already, or was not for long.
        case .asking, .askingBoth, .preferring, .resting, .passedOver: return
        }
        entries[instance]?.hasDeferred = true
        entries[instance]?.stage = .resting(failures: 0, until: now.advanced(by: Self.probingDelay))
    }

    private mutating func forgetEarly(_ instance: ServiceInstance) {
        guard let lasting = EarlyAnnouncement.lasting(instance), let count = earlyCounts[lasting] else { return }
        earlyCounts[lasting] = count == 1 ? nil : count - 1
    }

    private mutating func removed(_ instance: ServiceInstance, into effects: inout [Effect]) {
        guard let entry = entries[instance] else { return }
        guard entry.browsedCount == 1 else {
            entries[instance]?.browsedCount -= 1
            return
        }
        switch entry.stage {
        case .waiting: waiting.removeAll { $0 == instance }
        case .locating, .asking, .askingBoth, .preferring: release(instance, into: &effects)
        case .resting, .passedOver: break
        }
        entries[instance] = nil
        forgetEarly(instance)
        if entries.count < Self.instanceCountMax / 2 { isCrowded = false }
        if entry.isTold { effects.append(.gone(instance)) }
    }

    private mutating func located(_ instance: ServiceInstance, at now: Instant, into effects: inout [Effect]) {
        guard case .locating(let failures, _)? = entries[instance]?.stage else { return }
        entries[instance]?.stage = .asking(failures: failures, until: now.advanced(by: Self.aloneDelay))
        effects.append(.ask(instance, .v4))
    }

    private mutating func answered(
        _ instance: ServiceInstance, _ family: AddressFamily, _ answer: InstanceAnswer, at now: Instant,
        into effects: inout [Effect]
    ) {
        switch (family, entries[instance]?.stage) {
        case (.v4, .asking), (.v4, .askingBoth), (.v4, .preferring):
            settle(instance, answer, at: now, into: &effects)
        case (.v6, .askingBoth(let failures, _)):
            let until = now.advanced(by: Self.preferenceDelay)
            entries[instance]?.stage = .preferring(failures: failures, answer, until: until)
        case (_, .waiting), (_, .locating), (.v6, .asking), (.v6, .preferring), (_, .resting), (_, .passedOver),
            (_, nil):
            break
        }
    }

    private mutating func settle(
        _ instance: ServiceInstance, _ answer: InstanceAnswer, at now: Instant, into effects: inout [Effect]
    ) {
        release(instance, into: &effects)
        let refreshes = entries[instance]?.refreshes ?? 0
        entries[instance]?.refreshes = refreshes + 1
        let until = now.advanced(by: refreshDelay(after: refreshes))
        entries[instance]?.stage = .resting(failures: 0, until: until)
        entries[instance]?.isTold = true
        effects.append(.seen(instance, answer))
    }

    private func refreshDelay(after refreshes: Int) -> Duration {
        let hurried = min(Self.hurriedDelayMin * (1 << min(refreshes, 10)), refreshDelayMin)
        return max(hurried, Self.refreshPauseEach * entries.count)
    }

    private mutating func hurried(at now: Instant) {
        let soon = now.advanced(by: refreshDelay(after: 0))
        for (instance, entry) in entries.elements {
            entries[instance]?.refreshes = 0
            guard case .resting(failures: 0, let until) = entry.stage, soon < until else { continue }
            entries[instance]?.stage = .resting(failures: 0, until: soon)
        }
    }

    /// The responder gave up, on the instance or on one of the families: the other may still answer.
    private mutating func failed(_ instance: ServiceInstance, at now: Instant, into effects: inout [Effect]) {
        guard case .locating(let failures, _)? = entries[instance]?.stage else { return }
        endRound(instance, failures: failures + 1, at: now, into: &effects)
    }

    private mutating func endRound(
        _ instance: ServiceInstance, failures: Int, at now: Instant, into effects: inout [Effect]
    ) {
        release(instance, into: &effects)
        let backoff = min(Self.retryDelayMin * (1 << min(failures - 1, 6)), Self.retryDelayMax)
        entries[instance]?.stage = .resting(failures: failures, until: now.advanced(by: backoff))
        if failures == Self.failuresBeforeGone, entries[instance]?.isTold == true {
            entries[instance]?.isTold = false
            effects.append(.gone(instance))
        }
    }

    private mutating func woke(at now: Instant, into effects: inout [Effect]) {
        for (instance, entry) in entries.elements {
            switch entry.stage {
            case .locating(let failures, let until) where until <= now,
                .askingBoth(let failures, let until) where until <= now:
                endRound(instance, failures: failures + 1, at: now, into: &effects)
            case .asking(let failures, let until) where until <= now:
                let until = now.advanced(by: Self.addressDelayMax)
                entries[instance]?.stage = .askingBoth(failures: failures, until: until)
                effects.append(.ask(instance, .v6))
            case .preferring(_, let answer, let until) where until <= now:
                settle(instance, answer, at: now, into: &effects)
            case .resting(let failures, let until) where until <= now:
                entries[instance]?.stage = .waiting(failures: failures)
                waiting.append(instance)
            case .waiting, .locating, .asking, .askingBoth, .preferring, .resting, .passedOver: break
            }
        }
    }

    private mutating func startWaiting(at now: Instant, into effects: inout [Effect]) {
        while activeCount < Self.activeCountMax, let instance = waiting.popFirst() {
            guard case .waiting(let failures)? = entries[instance]?.stage else { continue }
            activeCount += 1
            entries[instance]?.stage = .locating(failures: failures, until: now.advanced(by: Self.locateDelayMax))
            effects.append(.locate(instance))
        }
    }

    private mutating func release(_ instance: ServiceInstance, into effects: inout [Effect]) {
        activeCount -= 1
        effects.append(.stop(instance))
    }
}

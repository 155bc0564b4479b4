import DequeModule
import LatticeCore
import OrderedCollections

/// Decides when to look up which announcement: few at a time, IPv4 before IPv6, repeatedly (to notice a peer that came
/// back on another port under its old name), and less often if nobody answers.
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
        /// Somebody came or went: known answers may change soon.
        case hurried
        /// Nobody looks any more.
        case ended
        case woke
    }

    enum Effect: Hashable, Sendable {
        /// Look up host, port and TXT record.
        case locate(ServiceInstance)
        /// Look up an address of the host, in addition to the current lookup.
        case ask(ServiceInstance, AddressFamily)
        /// End the lookup, answered or not.
        case stop(ServiceInstance)
        case seen(ServiceInstance, InstanceAnswer)
        case gone(ServiceInstance)
        /// The table is full, and further announcements are skipped; sent once until it is half empty.
        case crowded
    }

    /// The state of an instance, with its number of failed rounds in a row.
    private enum Stage {
        /// Queued. Next: `locating`.
        case waiting(failures: Int)
        /// Its host, port and TXT record are being looked up. Next: `asking`, or `resting`.
        case locating(failures: Int, until: Instant)
        /// An IPv4 address of its host is being looked up. Next: `askingBoth`, or `resting`.
        case asking(failures: Int, until: Instant)
        /// An IPv6 address is being looked up, too. Next: `preferring`, or `resting`.
        case askingBoth(failures: Int, until: Instant)
        /// There is an IPv6 address, and IPv4 has a moment more. Next: `resting`.
        case preferring(failures: Int, InstanceAnswer, until: Instant)
        /// Idle until then. Next: `waiting`.
        case resting(failures: Int, until: Instant)
        /// One of too many early announcements, which will soon be gone. Next: none.
        case passedOver
    }

    private struct Entry {
        /// The number of protocols that see it.
        var browsedCount: Int
        var stage: Stage
        /// Lookups since it came or `hurried`: the first answers may be about a peer that has just gone and comes back
        /// under the same name.
        var refreshes = 0
        var isTold: Bool
        /// Whether its lookup was deferred once because its name may still be being probed.
        var hasDeferred = false
    }

    /// Each lookup in the system responder costs a thread, five descriptors and a bus connection.
    static let activeCountMax = 8
    /// Early announcements that are looked up: enough for the first links. A crowd that starts at once would otherwise
    /// cost the system's responder twice as much, and everybody is soon found by their lasting name.
    static let earlyCountMax = 8
    /// How long to leave a name alone while its peer is known by an early announcement: there is no answer before its
    /// probing ends (RFC 6762 section 8.1), so a lookup would wait in vain.
    static let probingDelay = Duration.milliseconds(1_250)
    /// Twice the peers of a `SightingTable`: most machines have a loopback interface and one other.
    static let instanceCountMax = 2 * SightingTable.peerCountMax
    /// A peer that is just starting is browsed 0.8 s before its name is probed and its port known (RFC 6762
    /// section 8.1); one lost packet is asked for again after a second.
    static let locateDelayMax = Duration.milliseconds(2_500)
    /// IPv4 gets this long alone; a known address is answered in that time, and IPv6 is not needed.
    static let aloneDelay = Duration.milliseconds(150)
    /// A record is multicast at most once a second (RFC 6762 section 6), so one that somebody else has just requested
    /// comes late.
    static let addressDelayMax = Duration.milliseconds(2_500)
    /// A host answers for both families at once, so IPv4 follows IPv6 quickly.
    static let preferenceDelay = Duration.milliseconds(250)
    static let retryDelayMin = Duration.seconds(1)
    static let retryDelayMax = Duration.seconds(60)
    /// A pause of a quarter of a second for each instance limits a crowded network to four lookups a second.
    static let refreshPauseEach = Duration.milliseconds(250)
    /// The first delay; it doubles up to the delay of a quiet network.
    static let hurriedDelayMin = Duration.milliseconds(500)
    /// Failed refreshes after which the instance is reported as gone, even without a goodbye.
    static let failuresBeforeGone = 3

    private let refreshDelayMin: Duration
    private var entries: OrderedDictionary<ServiceInstance, Entry> = [:]
    private var waiting: Deque<ServiceInstance> = []
    private var activeCount = 0
    /// The number of early announcements by the lasting name that they stand for.
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
        case .ended:
            for instance in Array(entries.keys) { forget(instance, into: &effects) }
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
        // It is known already, or has been looked up in vain for a while.
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
        forget(instance, into: &effects)
    }

    private mutating func forget(_ instance: ServiceInstance, into effects: inout [Effect]) {
        guard let entry = entries[instance] else { return }
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

import DequeModule
import LatticeCore
import OrderedCollections

/// Decides which announcement is looked up when: few at a time, IPv4 before IPv6, again after a while (so that a peer
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
        case answered(ServiceInstance, InstanceAnswer)
        /// The responder gave up.
        case failed(ServiceInstance)
        /// A deadline has passed.
        case woke
    }

    enum Effect: Hashable, Sendable {
        /// Look up host, port and TXT record.
        case locate(ServiceInstance)
        /// Look up an address of the host, in place of whatever is being looked up.
        case ask(ServiceInstance, AddressFamily)
        /// End the lookup, whether or not it has answered.
        case stop(ServiceInstance)
        case seen(ServiceInstance, InstanceAnswer)
        case gone(ServiceInstance)
        /// The table is full, and what is announced beyond it is passed over; told once until half of it is empty.
        case crowded
    }

    /// Where one instance stands.
    private enum Stage {
        /// It stands in the queue. Next: `locating`.
        case waiting(Course)
        /// Its host, port and TXT record are being looked up. Next: `asking`, or `resting`.
        case locating(Course, until: Instant)
        /// An address of its host is being looked up. Next: `asking` for the other family, or `resting`.
        case asking(Course, isSecond: Bool, until: Instant)
        /// Nothing is done until then. Next: `waiting`.
        case resting(Course, until: Instant)
    }

    /// What one round of looking up hands on to the next.
    private struct Course {
        /// The family to ask for first: IPv4, or the one that answered last.
        var family = AddressFamily.v4
        /// Rounds without an answer since the last answer.
        var failures = 0
    }

    private struct Entry {
        /// How many protocols see it.
        var browsedCount: Int
        var stage: Stage
        var isTold: Bool
    }

    /// Each lookup in the system responder costs a thread, five descriptors and a bus connection.
    static let activeCountMax = 16
    /// Twice the peers of a `SightingTable`: most machines have a loopback interface and one other.
    static let instanceCountMax = 2 * SightingTable.peerCountMax
    /// A peer that is just starting is browsed 0.8 s before its name is probed and its port known (RFC 6762
    /// section 8.1); one lost packet is asked for again after a second.
    static let locateDelayMax = Duration.milliseconds(2_500)
    /// An answer on a local network takes 10 to 150 ms. With a shorter wait a peer that has no IPv4 address is found
    /// sooner, a slow one by the wrong family.
    static let firstAddressDelayMax = Duration.milliseconds(500)
    static let secondAddressDelayMax = Duration.milliseconds(1_500)
    static let retryDelayMin = Duration.seconds(1)
    static let retryDelayMax = Duration.seconds(60)
    /// A quarter of a second of pause for each instance keeps a crowded network at four lookups a second.
    static let refreshPauseEach = Duration.milliseconds(250)
    /// After so many failed refreshes what was told is taken back, although nobody said goodbye.
    static let failuresBeforeGone = 3

    private let refreshDelayMin: Duration
    private var entries: OrderedDictionary<ServiceInstance, Entry> = [:]
    private var waiting: Deque<ServiceInstance> = []
    private var activeCount = 0
    private var isCrowded = false

    init(refreshDelayMin: Duration) {
        self.refreshDelayMin = refreshDelayMin
    }

    var count: Int { entries.count }

    /// When `woke` is due; `nil` when nothing is.
    var nextDeadline: Instant? {
        entries.values.lazy.compactMap { entry in
            switch entry.stage {
            case .waiting: nil
            case .locating(_, let until), .asking(_, _, let until), .resting(_, let until): until
            }
        }.min()
    }

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .added(let instance): added(instance, into: &effects)
        case .removed(let instance): removed(instance, into: &effects)
        case .located(let instance): located(instance, at: now, into: &effects)
        case .answered(let instance, let answer): answered(instance, answer, at: now, into: &effects)
        case .failed(let instance): failed(instance, at: now, into: &effects)
        case .woke: woke(at: now, into: &effects)
        }
        startWaiting(at: now, into: &effects)
        return effects
    }

    private mutating func added(_ instance: ServiceInstance, into effects: inout [Effect]) {
        if entries[instance] != nil {
            entries[instance]?.browsedCount += 1
            return
        }
        guard entries.count < Self.instanceCountMax else {
            if !isCrowded { effects.append(.crowded) }
            isCrowded = true
            return
        }
        entries[instance] = Entry(browsedCount: 1, stage: .waiting(Course()), isTold: false)
        waiting.append(instance)
    }

    private mutating func removed(_ instance: ServiceInstance, into effects: inout [Effect]) {
        guard let entry = entries[instance] else { return }
        guard entry.browsedCount == 1 else {
            entries[instance]?.browsedCount -= 1
            return
        }
        switch entry.stage {
        case .waiting: waiting.removeAll { $0 == instance }
        case .locating, .asking: release(instance, into: &effects)
        case .resting: break
        }
        entries[instance] = nil
        if entries.count < Self.instanceCountMax / 2 { isCrowded = false }
        if entry.isTold { effects.append(.gone(instance)) }
    }

    private mutating func located(_ instance: ServiceInstance, at now: Instant, into effects: inout [Effect]) {
        guard case .locating(let course, _)? = entries[instance]?.stage else { return }
        let until = now.advanced(by: Self.firstAddressDelayMax)
        entries[instance]?.stage = .asking(course, isSecond: false, until: until)
        effects.append(.ask(instance, course.family))
    }

    private mutating func answered(
        _ instance: ServiceInstance, _ answer: InstanceAnswer, at now: Instant, into effects: inout [Effect]
    ) {
        guard case .asking(let course, _, _)? = entries[instance]?.stage else { return }
        release(instance, into: &effects)
        let refreshDelay = max(refreshDelayMin, Self.refreshPauseEach * entries.count)
        let next = Course(family: course.family)
        entries[instance]?.stage = .resting(next, until: now.advanced(by: refreshDelay))
        entries[instance]?.isTold = true
        effects.append(.seen(instance, answer))
    }

    private mutating func failed(_ instance: ServiceInstance, at now: Instant, into effects: inout [Effect]) {
        switch entries[instance]?.stage {
        case .asking(var course, isSecond: false, _):
            course.family = course.family.other
            let until = now.advanced(by: Self.secondAddressDelayMax)
            entries[instance]?.stage = .asking(course, isSecond: true, until: until)
            effects.append(.ask(instance, course.family))
        case .locating(let course, _), .asking(let course, isSecond: true, _):
            failedRound(instance, course, at: now, into: &effects)
        case .waiting, .asking, .resting, nil:
            break
        }
    }

    private mutating func failedRound(
        _ instance: ServiceInstance, _ course: Course, at now: Instant, into effects: inout [Effect]
    ) {
        release(instance, into: &effects)
        let backoff = min(Self.retryDelayMin * (1 << min(course.failures, 6)), Self.retryDelayMax)
        let next = Course(failures: course.failures + 1)
        entries[instance]?.stage = .resting(next, until: now.advanced(by: backoff))
        if next.failures == Self.failuresBeforeGone, entries[instance]?.isTold == true {
            entries[instance]?.isTold = false
            effects.append(.gone(instance))
        }
    }

    private mutating func woke(at now: Instant, into effects: inout [Effect]) {
        for (instance, entry) in entries.elements {
            switch entry.stage {
            case .locating(_, let until) where until <= now, .asking(_, _, let until) where until <= now:
                failed(instance, at: now, into: &effects)
            case .resting(let course, let until) where until <= now:
                entries[instance]?.stage = .waiting(course)
                waiting.append(instance)
            case .waiting, .locating, .asking, .resting: break
            }
        }
    }

    private mutating func startWaiting(at now: Instant, into effects: inout [Effect]) {
        while activeCount < Self.activeCountMax, let instance = waiting.popFirst() {
            guard case .waiting(let course)? = entries[instance]?.stage else { continue }
            activeCount += 1
            entries[instance]?.stage = .locating(course, until: now.advanced(by: Self.locateDelayMax))
            effects.append(.locate(instance))
        }
    }

    private mutating func release(_ instance: ServiceInstance, into effects: inout [Effect]) {
        activeCount -= 1
        effects.append(.stop(instance))
    }
}

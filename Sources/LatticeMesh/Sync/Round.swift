import DequeModule
import LatticeCore
import LatticeWire

/// A set of groups of kinds.
struct SyncGroups: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ group: SyncScope.Group) {
        rawValue = 1 << UInt8(group.rawValue)
    }

    static let all = SyncScope.Group.allCases.reduce(into: SyncGroups()) { $0.insert(SyncGroups($1)) }
}

/// A scope that two peers can reconcile, and its earliest date.
struct SyncRange: Hashable, Sendable {
    let scope: SyncScope
    let since: HybridTime
}

/// Our reconciling with one neighbour, scope by scope.
struct Round: Sendable {
    enum Phase: Hashable, Sendable {
        /// Our next message is being written. Next: `resting`, `ready`, gone.
        case making(until: Instant)
        /// Writing failed and will be tried again. Next: `making`.
        case resting(until: Instant)
        /// Our question waits until there is space for the ids of the answer. Next: `asking`.
        case ready([UInt8])
        /// Our question is sent. Next: `making`, gone.
        case asking(since: Instant)
    }

    struct Session: Sendable {
        let number: UInt32
        let range: SyncRange
        fileprivate(set) var phase: Phase
        /// The other side's last message; empty at the beginning.
        fileprivate(set) var heard: [UInt8] = []
        fileprivate var questions = 0
        fileprivate var tries = 0
    }

    let groups: SyncGroups
    private(set) var sessions: [Session] = []
    private var waiting: Deque<SyncRange>
    /// Groups with a scope that did not complete.
    private(set) var failed: SyncGroups = []
    private var reopenings = 0
    private var patience = MeshLimit.roundPatience

    init(_ ranges: [SyncRange], groups: SyncGroups) {
        self.groups = groups
        waiting = Deque(ranges)
    }

    var isOver: Bool { sessions.isEmpty && waiting.isEmpty }

    /// Sessions whose answers may still bring ids.
    var pendingCount: Int {
        sessions.count { session in
            switch session.phase {
            case .asking: true
            case .making, .resting: !session.heard.isEmpty
            case .ready: false
            }
        }
    }

    func session(_ number: UInt32) -> Session? {
        sessions.first { $0.number == number }
    }

    /// Opens a session for the next scope.
    mutating func openNext(number: UInt32, at now: Instant) -> Session? {
        guard sessions.count < MeshLimit.sessionsPerRoundMax, let range = waiting.popFirst() else { return nil }
        let session = Session(number: number, range: range, phase: .making(until: now + MeshLimit.workTimeout))
        sessions.append(session)
        return session
    }

    // MARK: - Sessions

    /// Our message is written.
    ///
    /// - Returns: `false` if this session has needed more questions than any honest one.
    mutating func made(_ number: UInt32, _ message: [UInt8], hasLearned: Bool) -> Bool {
        guard let index = index(of: number) else { return true }
        if hasLearned { patience = min(patience + MeshLimit.roundPatienceEarned, MeshLimit.roundPatience) }
        sessions[index].tries = 0
        sessions[index].phase = .ready(message)
        sessions[index].questions += 1
        return sessions[index].questions <= MeshLimit.questionsPerSessionMax
    }

    mutating func notMade(_ number: UInt32, at now: Instant) {
        guard let index = index(of: number) else { return }
        sessions[index].tries += 1
        guard sessions[index].tries < MeshLimit.workTriesMax else { return end(number, well: false) }
        let delay = MeshLimit.workRetryMin * (1 << (sessions[index].tries - 1))
        sessions[index].phase = .resting(until: now + delay)
    }

    mutating func asked(_ number: UInt32, at now: Instant) {
        guard let index = index(of: number) else { return }
        sessions[index].phase = .asking(since: now)
    }

    /// - Returns: the session that this answers.
    mutating func answered(_ answer: Comparison, at now: Instant) -> Session? {
        guard let index = index(of: answer.session) else { return nil }
        guard sessions[index].range == SyncRange(scope: answer.scope, since: answer.since) else { return nil }
        guard case .asking(let since) = sessions[index].phase else { return nil }
        patience = patience - (now - since)
        sessions[index].heard = answer.message
        sessions[index].phase = .making(until: now + MeshLimit.workTimeout)
        return sessions[index]
    }

    /// Whether it has waited so long in total that it could go on forever.
    var isOutOfPatience: Bool { patience <= .zero }

    mutating func end(_ number: UInt32, well: Bool) {
        guard let index = index(of: number) else { return }
        let range = sessions.remove(at: index).range
        if !well { failed.insert(SyncGroups(range.scope.group)) }
    }

    /// Restarts a scope from another date; too many restarts count as a failure.
    mutating func reopen(_ number: UInt32, as range: SyncRange) {
        reopenings += 1
        end(number, well: reopenings <= MeshLimit.reopeningsMax)
        if reopenings <= MeshLimit.reopeningsMax { waiting.append(range) }
    }

    // MARK: - Time

    /// Ends sessions that have taken too long. After an unanswered question the waiting scopes are not tried either.
    mutating func lapse(at now: Instant) {
        for session in sessions {
            switch session.phase {
            case .making(let until) where until <= now: end(session.number, well: false)
            case .asking(let since) where since + MeshLimit.questionTimeout <= now:
                end(session.number, well: false)
                for range in waiting { failed.insert(SyncGroups(range.scope.group)) }
                waiting.removeAll()
            case .making, .asking, .resting, .ready: break
            }
        }
    }

    /// Steps to try again.
    mutating func rested(at now: Instant) -> [Session] {
        var again: [Session] = []
        for index in sessions.indices {
            guard case .resting(let until) = sessions[index].phase, until <= now else { continue }
            sessions[index].phase = .making(until: now + MeshLimit.workTimeout)
            again.append(sessions[index])
        }
        return again
    }

    var nextDeadline: Instant? {
        var earliest: Instant?
        for session in sessions {
            let time: Instant
            switch session.phase {
            case .making(let until), .resting(let until): time = until
            case .asking(let since): time = since + MeshLimit.questionTimeout
            case .ready: continue
            }
            earliest = min(earliest ?? time, time)
        }
        return earliest
    }

    private func index(of number: UInt32) -> Int? {
        sessions.firstIndex { $0.number == number }
    }
}

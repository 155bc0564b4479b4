import LatticeCore

/// Decides which source runs, what to report to the reader, and which problem there is.
struct DiscoveryMachine: Sendable {
    /// One run of a source's thread; late reports of an earlier run are ignored.
    struct Session: Hashable, Sendable {
        let source: Sighting.Source
        let number: Int
    }

    enum Event: Hashable, Sendable {
        case began
        /// The trouble with the current interfaces, if any.
        case network(DiscoveryTrouble?)
        case report(ResponderReport, Session)
        case woke
    }

    enum Effect: Hashable, Sendable {
        case start(Session)
        /// Withdraw its announcements and end it.
        case end(Session)
        case tell(DiscoveryEvent)
    }

    private enum Phase {
        /// It has no thread. Next: `asked`.
        case vacant
        /// It was started and has not reported yet. Next: any but `vacant`.
        case asked(since: Instant)
        /// No daemon is there, or it has gone; its thread tries again. Next: `answered`.
        case absent
        /// It is there and not yet announced. Next: `running`, `absent`.
        case answered
        /// It advertises and browses. Next: `absent`, `vacant`.
        case running
    }

    private struct Seat {
        var phase = Phase.vacant
        var session: Session?
        var table: SightingTable
        var refusal: String?
        /// The reader got `running` and not yet `stopped`.
        var isTold = false
        /// When to end it, because another has taken over.
        var endAt: Instant?
        /// When to report its finds as lost, although it is gone already.
        var forgetAt: Instant?
    }

    /// How long `auto` waits for the daemon before it also starts the embedded stack.
    static let answerDelayMax = Duration.milliseconds(200)
    /// Long enough for one source to find what the other had found, so that no sighting flaps on the change.
    static let overlap = Duration.seconds(3)

    private let mode: DiscoveryMode
    private var system: Seat
    private var embedded: Seat
    private var networkTrouble: DiscoveryTrouble?
    private var told: DiscoveryTrouble?
    private var sessionCount = 0
    private var hasChosen = false

    init(mode: DiscoveryMode, ownPeer: PeerPrefix) {
        self.mode = mode
        system = Seat(table: SightingTable(source: .system, ownPeer: ownPeer))
        embedded = Seat(table: SightingTable(source: .embedded, ownPeer: ownPeer))
    }

    /// Announcements skipped in total.
    var refusedCount: Int { system.table.refusedCount + embedded.table.refusedCount }

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .began: began(at: now, into: &effects)
        case .network(let trouble): networkTrouble = trouble
        case .report(let report, let session):
            switch session.source {
            case .system where session == system.session: systemReported(report, at: now, into: &effects)
            case .embedded where session == embedded.session: embeddedReported(report, at: now, into: &effects)
            case .system, .embedded, .given, .neighbour: break
            }
        case .woke: break
        }
        passTime(at: now, into: &effects)
        reportTrouble(into: &effects)
        return effects
    }

    private mutating func began(at now: Instant, into effects: inout [Effect]) {
        switch mode {
        case .auto, .system: start(.system, \.system, at: now, into: &effects)
        case .embedded: start(.embedded, \.embedded, at: now, into: &effects)
        case .off: break
        }
    }

    private mutating func systemReported(_ report: ResponderReport, at now: Instant, into effects: inout [Effect]) {
        switch report {
        case .absent, .refused:
            system.phase = .absent
            if case .refused(let reason) = report { system.refusal = reason } else { system.refusal = nil }
            startEmbedded(at: now, into: &effects)
        case .answered:
            if system.forgetAt != nil { forget(\.system, .system, into: &effects) }
            system.phase = .answered
            choose(.system, into: &effects)
        case .running:
            runs(\.system, .system, into: &effects)
            if embedded.session != nil { embedded.endAt = now.advanced(by: Self.overlap) }
        case .stopped:
            system.phase = .absent
            embedded.endAt = nil
            startEmbedded(at: now, into: &effects)
            // It was about to end, and is the one in use again.
            if embedded.isTold { effects.append(.tell(.running(.embedded))) }
            if mode == .auto {
                system.forgetAt = now.advanced(by: Self.overlap)
            } else {
                forget(\.system, .system, into: &effects)
            }
        case .seen, .gone: found(report, \.system, into: &effects)
        case .crowded: break
        }
    }

    private mutating func embeddedReported(_ report: ResponderReport, at now: Instant, into effects: inout [Effect]) {
        switch report {
        case .absent, .answered, .crowded: break
        case .running: runs(\.embedded, .embedded, into: &effects)
        case .stopped:
            embedded.phase = .absent
            forget(\.embedded, .embedded, into: &effects)
        case .refused(let reason):
            embedded.phase = .absent
            embedded.refusal = reason
        case .seen, .gone: found(report, \.embedded, into: &effects)
        }
    }

    private mutating func runs(
        _ seat: WritableKeyPath<DiscoveryMachine, Seat>, _ source: Sighting.Source, into effects: inout [Effect]
    ) {
        self[keyPath: seat].phase = .running
        self[keyPath: seat].refusal = nil
        guard !self[keyPath: seat].isTold else { return }
        self[keyPath: seat].isTold = true
        effects.append(.tell(.running(source)))
    }

    private mutating func found(
        _ report: ResponderReport, _ seat: WritableKeyPath<DiscoveryMachine, Seat>, into effects: inout [Effect]
    ) {
        var events: [DiscoveryEvent] = []
        if case .seen(let instance, let answer) = report {
            self[keyPath: seat].table.seen(instance, answer, into: &events)
        }
        if case .gone(let instance) = report { self[keyPath: seat].table.gone(instance, into: &events) }
        effects += events.map(Effect.tell)
    }

    private mutating func passTime(at now: Instant, into effects: inout [Effect]) {
        if case .asked(let since) = system.phase, since.advanced(by: Self.answerDelayMax) <= now {
            startEmbedded(at: now, into: &effects)
        }
        if let endAt = embedded.endAt, endAt <= now, let session = embedded.session {
            effects.append(.end(session))
            embedded.session = nil
            embedded.phase = .vacant
            embedded.refusal = nil
            forget(\.embedded, .embedded, into: &effects)
        }
        if let forgetAt = system.forgetAt, forgetAt <= now { forget(\.system, .system, into: &effects) }
    }

    private mutating func startEmbedded(at now: Instant, into effects: inout [Effect]) {
        guard mode == .auto, embedded.session == nil else { return }
        start(.embedded, \.embedded, at: now, into: &effects)
        choose(.embedded, into: &effects)
    }

    private mutating func choose(_ source: Sighting.Source, into effects: inout [Effect]) {
        guard mode == .auto, !hasChosen else { return }
        hasChosen = true
        effects.append(.tell(.chosen(source)))
    }

    private mutating func start(
        _ source: Sighting.Source, _ seat: WritableKeyPath<DiscoveryMachine, Seat>, at now: Instant,
        into effects: inout [Effect]
    ) {
        sessionCount += 1
        let session = Session(source: source, number: sessionCount)
        self[keyPath: seat].session = session
        self[keyPath: seat].phase = .asked(since: now)
        effects.append(.start(session))
    }

    /// Reports the finds of a source that is gone as lost.
    private mutating func forget(
        _ seat: WritableKeyPath<DiscoveryMachine, Seat>, _ source: Sighting.Source, into effects: inout [Effect]
    ) {
        var events: [DiscoveryEvent] = []
        self[keyPath: seat].table.clear(into: &events)
        if self[keyPath: seat].isTold { events.append(.stopped(source)) }
        self[keyPath: seat].isTold = false
        self[keyPath: seat].endAt = nil
        self[keyPath: seat].forgetAt = nil
        effects += events.map(Effect.tell)
    }

    /// Reports each problem once when it begins; network problems have precedence over responder problems.
    private mutating func reportTrouble(into effects: inout [Effect]) {
        let trouble = networkTrouble ?? responderTrouble
        guard trouble != told else { return }
        told = trouble
        effects.append(.tell(trouble.map(DiscoveryEvent.trouble) ?? .recovered))
    }

    private var responderTrouble: DiscoveryTrouble? {
        switch (mode, system.phase, embedded.phase) {
        case (.off, _, _), (_, .running, _), (_, _, .running): nil
        case (.system, .absent, _): system.refusal.map(DiscoveryTrouble.refused) ?? .noDaemon
        case (.auto, _, .absent), (.embedded, _, .absent): embedded.refusal.map(DiscoveryTrouble.refused)
        case (.system, _, _), (.auto, _, _), (.embedded, _, _): told.flatMap { $0.isOfResponder ? $0 : nil }
        }
    }
}

extension DiscoveryTrouble {
    /// Whether it is over only when a responder runs, not when one is merely tried again.
    fileprivate var isOfResponder: Bool {
        switch self {
        case .noDaemon, .refused: true
        case .noInterface, .interfaceMissing, .noMulticast: false
        }
    }
}

import LatticeCore
import LatticeWire
import OrderedCollections

/// Whom discovery has sighted and when to dial them next. It decides when to dial; which link stays is not its matter.
///
/// Of two peers the one with the smaller id dials at once, the other leaves it 2 s; failures back off exponentially
/// with jitter and a new sighting starts afresh.
struct Candidates: Sendable {
    /// Who is meant: a peer, or an address of which nothing else is known.
    enum Key: Hashable, Sendable {
        case peer(PeerPrefix)
        case address(PeerAddress)
    }

    enum Phase: Hashable, Sendable {
        /// A person has to ask for it. Next: `waiting`.
        case resting
        /// Next: `dialling` when its time has come.
        case waiting(until: Instant)
        /// Next: `linked`, `waiting`.
        case dialling(DialID)
        /// A link to it exists. Next: `waiting`, `resting`.
        case linked
    }

    struct Candidate: Sendable {
        let key: Key
        var sightings: [Sighting]
        var phase: Phase
        /// Failed rounds over all its addresses since it last answered.
        var failures = 0
        var nextAddress = 0
        var isUnreachableTold = false
        /// Asked for by a person: dialled whatever the policy says of strangers.
        var isWanted: Bool
        var lastFailure: String?

        var peer: PeerPrefix? {
            if case .peer(let prefix) = key { prefix } else { sightings.compactMap(\.peer).first }
        }
    }

    private let me: PeerPrefix
    private(set) var candidates: OrderedDictionary<Key, Candidate> = [:]
    private var dials: [DialID: (key: Key, sighting: Sighting)] = [:]
    private var lastDial: UInt64 = 0
    private var generator: SeededGenerator

    init(me: PeerPrefix, generator: SeededGenerator) {
        self.me = me
        self.generator = generator
    }

    /// When something is to be done next.
    var nextDeadline: Instant? {
        guard dials.count < MeshLimit.dialsMax else { return nil }
        return candidates.values.compactMap { candidate in
            if case .waiting(let until) = candidate.phase { until } else { nil }
        }.min()
    }

    mutating func sighted(_ sighting: Sighting, mayDial: Bool, isLinked: Bool, at now: Instant) {
        let key = sighting.peer.map(Key.peer) ?? .address(sighting.address)
        if sighting.peer == me { return }
        var candidate = candidates[key] ?? Candidate(key: key, sightings: [], phase: .resting, isWanted: false)
        guard candidates[key] != nil || candidates.count < MeshLimit.candidatesMax else { return }
        if !candidate.sightings.contains(sighting) {
            if candidate.sightings.count == MeshLimit.addressesPerCandidateMax { candidate.sightings.removeLast() }
            candidate.sightings.insert(sighting, at: 0)
            candidate.nextAddress = 0
        }
        if sighting.source == .given { candidate.isWanted = true }
        candidate.failures = 0
        candidate.isUnreachableTold = false
        switch candidate.phase {
        case .dialling, .linked: break
        case .resting, .waiting:
            if isLinked {
                candidate.phase = .linked
            } else if mayDial || candidate.isWanted {
                candidate.phase = .waiting(until: now + firstDelay(to: candidate))
            }
        }
        candidates[key] = candidate
    }

    mutating func lost(_ sighting: Sighting) {
        guard let key = sighting.peer.map(Key.peer), var candidate = candidates[key] else { return }
        candidate.sightings.removeAll { $0 == sighting }
        candidate.nextAddress = 0
        switch candidate.phase {
        case .resting where candidate.sightings.isEmpty, .waiting where candidate.sightings.isEmpty:
            candidates[key] = nil
        case .resting, .waiting, .dialling, .linked:
            candidates[key] = candidate
        }
    }

    /// A person asks for this peer.
    ///
    /// - Returns: whether it is known.
    mutating func want(_ prefix: PeerPrefix, at now: Instant) -> Bool {
        guard var candidate = candidates[.peer(prefix)] else { return false }
        candidate.isWanted = true
        candidate.failures = 0
        switch candidate.phase {
        case .dialling, .linked: break
        case .resting, .waiting: candidate.phase = .waiting(until: now)
        }
        candidates[.peer(prefix)] = candidate
        return true
    }

    /// Starts every dial whose time has come, as far as the limit allows.
    mutating func due(at now: Instant, into effects: inout [MeshEffect]) {
        for (key, candidate) in candidates {
            guard dials.count < MeshLimit.dialsMax else { return }
            guard case .waiting(let until) = candidate.phase, until <= now else { continue }
            guard !candidate.sightings.isEmpty else {
                candidates[key]?.phase = .resting
                continue
            }
            lastDial += 1
            let dial = DialID(rawValue: lastDial)
            let sighting = candidate.sightings[candidate.nextAddress % candidate.sightings.count]
            dials[dial] = (key, sighting)
            candidates[key]?.phase = .dialling(dial)
            effects.append(.dial(dial, sighting.address))
        }
    }

    /// The next address follows at once; after the last one the candidate is left alone for a while.
    mutating func dialFailed(_ dial: DialID, _ reason: String, at now: Instant, into effects: inout [MeshEffect]) {
        guard let (key, sighting) = dials.removeValue(forKey: dial), var candidate = candidates[key] else { return }
        guard candidate.phase == .dialling(dial) else { return }
        candidate.lastFailure = reason
        candidate.nextAddress += 1
        if candidate.nextAddress < candidate.sightings.count {
            candidate.phase = .waiting(until: now)
        } else {
            if !candidate.isUnreachableTold {
                candidate.isUnreachableTold = true
                effects.append(.unreachable(sighting, reason: reason))
            }
            rest(&candidate, at: now)
        }
        candidates[key] = candidate.sightings.isEmpty ? nil : candidate
    }

    /// Whom a dial reached.
    enum Reached: Hashable, Sendable {
        /// Whoever was meant, or an address of which nobody in particular was expected; `isWanted` by a person.
        case expected(Sighting, isWanted: Bool)
        /// Somebody else than was announced there.
        case mistaken(Sighting)
        case forgotten
    }

    mutating func reached(_ dial: DialID, _ peer: PeerID, at now: Instant) -> Reached {
        guard let (key, sighting) = dials.removeValue(forKey: dial), var candidate = candidates[key] else {
            return .forgotten
        }
        if sighting.source != .given, let expected = sighting.peer, expected != peer.prefix {
            candidate.sightings.removeAll { $0 == sighting }
            candidate.phase = .waiting(until: now)
            candidate.lastFailure = "somebody else answers at \(sighting.address)"
            candidates[key] = candidate.sightings.isEmpty ? nil : candidate
            return .mistaken(sighting)
        }
        candidate.phase = .linked
        candidate.isUnreachableTold = false
        candidate.lastFailure = nil
        if case .address = key {
            // Remembered, so that the end of that peer's link is found to concern this address.
            candidate.sightings = candidate.sightings.map { known in
                Sighting(
                    source: known.source, peer: peer.prefix, name: known.name, meshTag: known.meshTag,
                    address: known.address
                )
            }
        }
        candidates[key] = candidate
        return .expected(sighting, isWanted: candidate.isWanted)
    }

    mutating func forget(_ address: PeerAddress) {
        candidates[.address(address)] = nil
    }

    /// A link to this peer exists: nothing is to be dialled for it.
    mutating func linked(_ peer: PeerID) {
        for (key, candidate) in candidates where candidate.peer == peer.prefix {
            if case .dialling = candidate.phase { continue }
            candidates[key]?.phase = .linked
        }
    }

    /// No link to this peer exists any more.
    ///
    /// - Parameter wasStable: it held long enough to be taken for a good one.
    mutating func unlinked(_ peer: PeerID, _ end: LinkEnd, wasStable: Bool, at now: Instant) {
        for (key, known) in candidates where known.peer == peer.prefix {
            guard known.phase == .linked else { continue }
            var candidate = known
            candidate.lastFailure = end.description
            if wasStable { candidate.failures = 0 }
            switch end {
            case .goodbye(let goodbye) where goodbye.code == .leaving:
                // It comes back with a new sighting; an address that a person gave is tried on and on.
                candidate.failures += 1
                candidate.isUnreachableTold = true  // It said so itself.
                if candidate.isWanted { rest(&candidate, at: now) } else { candidate.phase = .resting }
            case .refused(.duplicate), .refusedByUs(.duplicate):
                candidate.phase = .waiting(until: now + MeshLimit.courtesyDelay)
            case .refused, .refusedByUs:
                candidate.phase = .waiting(until: now + MeshLimit.retryDelayMax)
            case .goodbye, .silent, .broken, .fault, .left:
                rest(&candidate, at: now)
            }
            candidates[key] = candidate.sightings.isEmpty ? nil : candidate
        }
    }

    private mutating func rest(_ candidate: inout Candidate, at now: Instant) {
        let doublings = min(candidate.failures, 7)
        candidate.failures += 1
        candidate.nextAddress = 0
        let longest = min(MeshLimit.retryDelayMin * (1 << doublings), MeshLimit.retryDelayMax)
        let jittered = longest.nanoseconds / 2 + Int64.random(in: 0...longest.nanoseconds / 2, using: &generator)
        candidate.phase = .waiting(until: now + .nanoseconds(jittered))
    }

    private func firstDelay(to candidate: Candidate) -> Duration {
        guard let peer = candidate.peer, !candidate.isWanted else { return .zero }
        return me < peer ? .zero : MeshLimit.courtesyDelay
    }
}

extension Instant {
    static func + (instant: Instant, duration: Duration) -> Instant {
        instant.advanced(by: duration)
    }

    static func - (left: Instant, right: Instant) -> Duration {
        right.duration(to: left)
    }
}

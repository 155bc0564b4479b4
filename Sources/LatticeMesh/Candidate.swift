import LatticeCore
import LatticeWire

/// A peer or an address that we may link with.
struct Candidate: Sendable {
    /// A peer, or an address about which nothing else is known.
    enum Key: Hashable, Sendable {
        case peer(PeerPrefix)
        case address(PeerAddress)
        /// A member of a closed mesh, who gives its identity only over a link.
        case alias(PeerPrefix)
    }

    enum Phase: Hashable, Sendable {
        /// A person has to ask for it. Next: `waiting`.
        case resting
        /// Next: `dialling` when it is due and a slot is free.
        case waiting(until: Instant)
        /// Next: `linked`, `waiting`.
        case dialling(DialID)
        /// A link to it exists. Next: `waiting`, `resting`.
        case linked
    }

    /// Why it is dialled even if no slot is free.
    enum Insistence: Hashable, Sendable {
        case none
        /// It will split a link of ours.
        case toSplit
        /// It will replace this link, whose peer is closing it.
        case toReplace(LinkID)
        /// A person asks for it, or it is in another part of a split mesh: it should make a slot, too.
        case urgent
    }

    let key: Key
    /// Its full id, once a link or a neighbour gave it; mDNS announces only a prefix, which is too short to pass on.
    var id: PeerID?
    var sightings: [Sighting]
    /// The first card that a neighbour gave.
    var announcedCard: PeerCard?
    var isOnlyAnnounced = false
    var phase: Phase
    /// Failed rounds over all its addresses since it last answered.
    var failures = 0
    var nextAddress = 0
    var isUnreachableReported = false
    /// A person asked for it: linked regardless of the policy for strangers.
    var isWanted = false
    var insistence = Insistence.none
    /// A neighbour says that it has a free slot for us: dialled before others.
    var isOffered = false
    var lastFailure: LinkEnd?
    var knownSince: Instant
    /// `nil` while only neighbours know it.
    var lastSightedAt: Instant?
    /// When it was last taken for part of a split mesh.
    var mergedAt: Instant?

    var peer: PeerPrefix? {
        switch key {
        case .peer(let prefix): prefix
        case .address: sightings.lazy.compactMap(\.peer).first
        case .alias: id?.prefix
        }
    }

    var isAlias: Bool {
        if case .alias = key { true } else { false }
    }

    /// Whether it is in HyParView's passive view: known only from neighbours, and no link to it exists or is under way.
    var isInReserve: Bool {
        switch phase {
        case .resting, .waiting: isOnlyAnnounced
        case .dialling, .linked: false
        }
    }

    var waitsUntil: Instant? {
        if case .waiting(let until) = phase { until } else { nil }
    }

    /// Whether it may be gone although discovery has not reported it yet.
    func mayHaveGone(at now: Instant) -> Bool {
        guard !isWanted, let lastSightedAt else { return false }
        return now - lastSightedAt < MeshLimit.farewellDelay
    }

    /// What may be passed on about it: the card from a neighbour, or the address where it was sighted.
    var card: PeerCard? {
        guard failures == 0 else { return nil }
        if let announcedCard { return announcedCard }
        guard let id, let sighting = sightings.first(where: { $0.source != .given }) ?? sightings.first else {
            return nil
        }
        return PeerCard(peer: id, address: sighting.address)
    }
}

/// Candidates by key, in an array whose order depends only on the operations on it.
struct CandidateTable: Sendable {
    private(set) var all: [Candidate] = []
    private var places: [Candidate.Key: Int] = [:]

    var count: Int { all.count }

    func index(of key: Candidate.Key) -> Int? {
        places[key]
    }

    subscript(_ index: Int) -> Candidate {
        get { all[index] }
        _modify { yield &all[index] }
    }

    @discardableResult
    mutating func add(_ candidate: Candidate) -> Int {
        precondition(places[candidate.key] == nil, "a candidate is added once")
        places[candidate.key] = all.count
        all.append(candidate)
        return all.count - 1
    }

    mutating func replace(at index: Int, with candidate: Candidate) {
        precondition(places[candidate.key] == nil, "a candidate is added once")
        places[all[index].key] = nil
        places[candidate.key] = index
        all[index] = candidate
    }

    /// Moves the last candidate into the gap.
    mutating func remove(at index: Int) {
        places[all[index].key] = nil
        let last = all.removeLast()
        guard index < all.count else { return }
        all[index] = last
        places[last.key] = index
    }
}

extension Candidate.Key {
    var isPeer: Bool {
        switch self {
        case .peer: true
        case .address, .alias: false
        }
    }
}

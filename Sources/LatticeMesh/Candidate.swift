import LatticeCore
import LatticeWire

/// A peer, or an address, that a link may be made to.
struct Candidate: Sendable {
    /// Who is meant: a peer, or an address of which nothing else is known.
    enum Key: Hashable, Sendable {
        case peer(PeerPrefix)
        case address(PeerAddress)
        /// Somebody of a closed mesh, who says only over a link who it is.
        case alias(PeerPrefix)
    }

    enum Phase: Hashable, Sendable {
        /// A person has to ask for it. Next: `waiting`.
        case resting
        /// Next: `dialling` when its time has come and there is room.
        case waiting(until: Instant)
        /// Next: `linked`, `waiting`.
        case dialling(DialID)
        /// A link to it exists. Next: `waiting`, `resting`.
        case linked
    }

    /// Why it is dialled even if there is no room for another link.
    enum Insistence: Hashable, Sendable {
        case none
        /// It is to come between us and a neighbour of ours.
        case toSplit
        /// It is to take the place of this link, whose peer gives it up.
        case toReplace(LinkID)
        /// A person asks for it, or it is on the other side of a mesh that has come apart: it is to make room, too.
        case urgent
    }

    let key: Key
    /// Its whole id, once a link or a neighbour told it: what mDNS announces is too short to pass on.
    var id: PeerID?
    var sightings: [Sighting]
    /// What a neighbour told of it first.
    var toldCard: PeerCard?
    /// Whether only neighbours told of it.
    var isOnlyTold = false
    var phase: Phase
    /// Failed rounds over all its addresses since it last answered.
    var failures = 0
    var nextAddress = 0
    var isUnreachableTold = false
    /// Asked for by a person: linked with whatever the policy says of strangers.
    var isWanted = false
    var insistence = Insistence.none
    /// Said to have room for us: dialled before others.
    var isOffered = false
    var lastFailure: String?
    var knownSince: Instant
    /// `nil` while only neighbours told of it.
    var lastSightedAt: Instant?
    /// When it was last taken for a part of the mesh that has come apart.
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

    /// Whether it is of HyParView's passive view: only neighbours told of it, and no link to it exists or is under way.
    var isInReserve: Bool {
        switch phase {
        case .resting, .waiting: isOnlyTold
        case .dialling, .linked: false
        }
    }

    var waitsUntil: Instant? {
        if case .waiting(let until) = phase { until } else { nil }
    }

    /// Whether it may have gone without our having been told yet.
    func mayHaveGone(at now: Instant) -> Bool {
        guard !isWanted, let lastSightedAt else { return false }
        return now - lastSightedAt < MeshLimit.farewellDelay
    }

    /// What may be passed on of it: what a neighbour told, or the address by which it was sighted.
    var card: PeerCard? {
        guard failures == 0 else { return nil }
        if let toldCard { return toldCard }
        guard let id, let sighting = sightings.first(where: { $0.source != .given }) ?? sightings.first else {
            return nil
        }
        return PeerCard(peer: id, address: sighting.address)
    }
}

/// Candidates by key. They lie in one array whose order follows from what was done with it alone.
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

    /// Another takes its place.
    mutating func replace(at index: Int, with candidate: Candidate) {
        precondition(places[candidate.key] == nil, "a candidate is added once")
        places[all[index].key] = nil
        places[candidate.key] = index
        all[index] = candidate
    }

    /// The last candidate takes its place.
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

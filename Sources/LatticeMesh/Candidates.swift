import LatticeCore
import LatticeWire

/// Peers that a link may be made to, and when: sighted by discovery, named by a person, or learned from neighbours
/// (HyParView's passive view). It decides when to dial, not which link stays.
///
/// Of two peers that sight each other, the one with the smaller id dials at once and the other waits 2 s, unless it
/// knows that it cannot be sighted yet. Failures back off exponentially with jitter; a new sighting resets that.
struct Candidates: Sendable {
    let me: PeerPrefix
    let toldMax: Int
    var table = CandidateTable() {
        didSet { isDeadlineStale = true }
    }
    /// Candidates known only from neighbours.
    private var announcedCount = 0
    /// Candidates known by an address or alias, not by identity.
    private var namelessKeys: [Candidate.Key] = []
    var dials: [DialID: (key: Candidate.Key, sighting: Sighting)] = [:]
    /// Dials that may have left by a route that is gone: they will end some time, and nothing waits for them.
    var forsakenDials: Set<DialID> = []
    var lastDial: UInt64 = 0
    var toldDials = TokenBucket()
    /// Dials of addresses from neighbours that the rate limit delayed.
    var dialsDelayed = 0
    var generator: SeededGenerator
    var isDeadlineStale = true
    var earliestInsisted: Instant?
    var earliestOffered: Instant?
    var earliestOrdinary: Instant?
    /// Whether the peers that we sight can sight us. While they cannot, waiting for them to dial is useless: an
    /// announcement is probed first and goes out almost a second after its author sees everybody else (RFC 6762 section
    /// 8.1).
    var isVisible = true
    /// Until then only offered peers are dialled for the last slot, because somebody was full.
    var patientUntil = Instant.zero
    /// Until then the network counts as just changed here, which sighted peers may not have noticed.
    var hastyUntil = Instant.zero

    init(me: PeerPrefix, toldMax: Int, generator: SeededGenerator) {
        self.me = me
        self.toldMax = toldMax
        self.generator = generator
    }

    var count: Int { table.count }

    // MARK: - Known candidates

    mutating func sighted(_ sighting: Sighting, mayDial: Bool, isLinked: Bool, at now: Instant) {
        let key = Self.key(of: sighting)
        if sighting.peer == me { return }
        guard table.index(of: key) != nil || table.count < MeshLimit.candidatesMax else { return }
        let index =
            table.index(of: key) ?? add(Candidate(key: key, sightings: [], phase: .resting, knownSince: now))
        var candidate = table[index]
        if candidate.isOnlyAnnounced {
            candidate.isOnlyAnnounced = false
            announcedCount -= 1
        }
        if !candidate.sightings.contains(sighting) {
            // A sighting replaces hearsay about the same address.
            candidate.sightings.removeAll { $0.source == .neighbour && $0.address == sighting.address }
            if candidate.sightings.count == MeshLimit.addressesPerCandidateMax { candidate.sightings.removeLast() }
            candidate.sightings.insert(sighting, at: 0)
            candidate.nextAddress = 0
        }
        if sighting.source == .given {
            candidate.isWanted = true
            candidate.insistence = .urgent
        }
        candidate.failures = 0
        candidate.isUnreachableReported = false
        candidate.lastSightedAt = now
        switch candidate.phase {
        case .dialling, .linked: break
        case .resting, .waiting:
            if isLinked {
                candidate.phase = .linked
            } else if mayDial || candidate.isWanted {
                candidate.phase = .waiting(until: now + firstDelay(to: candidate, at: now))
            }
        }
        table[index] = candidate
    }

    mutating func lost(_ sighting: Sighting) {
        guard sighting.peer != nil || sighting.alias != nil, let index = table.index(of: Self.key(of: sighting)) else {
            return
        }
        table[index].sightings.removeAll { $0 == sighting }
        table[index].nextAddress = 0
        forgetIfNowhere(index)
    }

    /// A neighbour passes on a peer's card.
    ///
    /// - Parameter isOffered: the peer is said to have a free slot for us now.
    mutating func told(_ card: PeerCard, isOffered: Bool, mayDial: Bool, at now: Instant) {
        guard card.peer.prefix != me, !card.isOwn else { return }
        let key = Candidate.Key.peer(card.peer.prefix)
        var sighting: Sighting {
            Sighting(source: .neighbour, peer: card.peer.prefix, name: nil, meshTag: nil, address: card.address)
        }
        guard let index = table.index(of: key) else {
            let phase = mayDial ? Candidate.Phase.waiting(until: now) : .resting
            var candidate = Candidate(
                key: key, id: card.peer, sightings: [sighting], announcedCard: card, phase: phase, knownSince: now)
            candidate.isOnlyAnnounced = true
            candidate.isOffered = isOffered
            return addTold(candidate)
        }
        if table[index].id == nil { table[index].id = card.peer }
        let sightings = table[index].sightings
        if !sightings.contains(where: { $0.address == card.address }),
            sightings.count < MeshLimit.addressesPerCandidateMax
        {
            table[index].sightings.append(sighting)
            if table[index].announcedCard == nil { table[index].announcedCard = card }
        }
        if isOffered, mayDial, table[index].waitsUntil != nil, table[index].failures == 0 {
            table[index].isOffered = true
            table[index].phase = .waiting(until: now)
        }
    }

    /// A person asks for this peer.
    ///
    /// - Returns: whether it is known.
    mutating func want(_ prefix: PeerPrefix, at now: Instant) -> Bool {
        guard let index = table.index(of: .peer(prefix)) else { return false }
        table[index].isWanted = true
        insist(on: index, .urgent, at: now)
        return true
    }

    /// Dials this peer even if no slot is free.
    mutating func insist(on prefix: PeerPrefix, _ insistence: Candidate.Insistence, at now: Instant) {
        if let index = table.index(of: .peer(prefix)) { insist(on: index, insistence, at: now) }
    }

    /// Dials one peer that was sighted a while ago and is not in the mesh, even if no slot is free.
    ///
    /// - Returns: whether there is one.
    mutating func insistOnStranger(notIn here: Set<PeerPrefix>, at now: Instant) -> Bool {
        let strangers = table.all.indices.filter { index in
            let candidate = table.all[index]
            guard candidate.peer != nil || candidate.isAlias, !candidate.isOnlyAnnounced else { return false }
            if let peer = candidate.peer, here.contains(peer) { return false }
            guard let until = candidate.waitsUntil, until <= now else { return false }
            if let last = candidate.mergedAt, now - last < MeshLimit.mergeAgainAfter { return false }
            return now - candidate.knownSince >= MeshLimit.mergeInterval
        }
        guard let index = strangers.randomElement(using: &generator) else { return false }
        table[index].mergedAt = now
        insist(on: index, .urgent, at: now)
        return true
    }

    /// Random candidates that may be passed on.
    mutating func cards(countMax: Int) -> [PeerCard] {
        guard countMax > 0, table.count > 0 else { return [] }
        // A random start and a step coprime to the count visit everybody once: the table's order is not random.
        let count = table.count
        let start = Int.random(in: 0..<count, using: &generator)
        var step = Int.random(in: 1...count, using: &generator)
        while Self.greatestCommonDivisor(step, count) != 1 { step = step % count + 1 }
        var cards: [PeerCard] = []
        cards.reserveCapacity(countMax)
        for number in 0..<count where cards.count < countMax {
            let index = (start + number * step) % count
            guard table.all[index].waitsUntil != nil, let card = table.all[index].card else { continue }
            cards.append(card)
        }
        return cards
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : greatestCommonDivisor(right, left % right)
    }

    /// Dials this candidate even if no slot is free.
    private mutating func insist(on index: Int, _ insistence: Candidate.Insistence, at now: Instant) {
        table[index].insistence = insistence
        table[index].failures = 0
        switch table[index].phase {
        case .dialling, .linked: break
        case .resting, .waiting: table[index].phase = .waiting(until: now)
        }
    }

    /// It said goodbye: it returns with a new sighting, and nobody need hear that it does not answer.
    mutating func left(_ prefix: PeerPrefix) {
        guard let index = table.index(of: .peer(prefix)) else { return }
        table[index].isUnreachableReported = true
        if table[index].waitsUntil != nil, !table[index].isWanted { table[index].phase = .resting }
    }

    mutating func forget(_ address: PeerAddress) {
        if let index = table.index(of: .address(address)) { remove(at: index) }
    }

    @discardableResult
    private mutating func add(_ candidate: Candidate) -> Int {
        if !candidate.key.isPeer { namelessKeys.append(candidate.key) }
        return table.add(candidate)
    }

    private mutating func remove(at index: Int) {
        let key = table[index].key
        if !key.isPeer { namelessKeys.removeAll { $0 == key } }
        if table[index].isOnlyAnnounced { announcedCount -= 1 }
        table.remove(at: index)
    }

    /// Whether it has no address left and no link to it exists or is under way.
    func isNowhere(_ candidate: Candidate) -> Bool {
        switch candidate.phase {
        case .resting, .waiting: candidate.sightings.isEmpty
        case .dialling, .linked: false
        }
    }

    mutating func forgetIfNowhere(_ index: Int) {
        if isNowhere(table[index]) { remove(at: index) }
    }

    /// Whether the passive view is full.
    var isReserveFull: Bool { announcedCount >= toldMax }

    /// Whether this card adds nothing.
    func knows(_ card: PeerCard) -> Bool {
        guard let index = table.index(of: .peer(card.peer.prefix)), table.all[index].id == card.peer else {
            return false
        }
        return table.all[index].sightings.contains { $0.address == card.address }
    }

    /// If the passive view is full, the newcomer replaces a random entry. An entry that is said to have a free slot for
    /// us is not protected, because a liar would say that of everybody.
    private mutating func addTold(_ candidate: Candidate) {
        guard announcedCount >= toldMax else {
            guard table.count < MeshLimit.candidatesMax + toldMax else { return }
            announcedCount += 1
            table.add(candidate)
            return
        }
        for _ in 0..<Self.lotsMax {
            let index = Int.random(in: table.all.indices, using: &generator)
            guard table.all[index].isInReserve, table.all[index].insistence == .none else { continue }
            return table.replace(at: index, with: candidate)
        }
    }

    /// Draws for an entry to replace; if none is found, the newcomer is dropped.
    private static let lotsMax = 16

    // MARK: - Links

    /// Every candidate that stands for this peer.
    private func indices(of peer: PeerID) -> [Int] {
        var found: [Int] = []
        if let index = table.index(of: .peer(peer.prefix)) { found.append(index) }
        for key in namelessKeys {
            if let index = table.index(of: key), table.all[index].peer == peer.prefix { found.append(index) }
        }
        return found
    }

    /// A link to this peer exists: nothing is dialled for it.
    ///
    /// - Parameter address: where it says that it listens. An alias sighted there is taken for it; a lie only makes us
    ///   leave the first dial to that peer.
    mutating func linked(_ peer: PeerID, at address: PeerAddress) {
        if let index = table.index(of: .peer(peer.prefix)) { linked(peer, at: index) }
        for key in namelessKeys {
            guard let index = table.index(of: key) else { continue }
            let isSeenThere = table.all[index].isAlias && table.all[index].sightings.contains { $0.address == address }
            if table.all[index].peer == peer.prefix || isSeenThere { linked(peer, at: index) }
        }
    }

    private mutating func linked(_ peer: PeerID, at index: Int) {
        if table.all[index].id != peer { table[index].id = peer }
        switch table.all[index].phase {
        case .dialling, .linked: break
        case .resting, .waiting: table[index].phase = .linked
        }
    }

    ///
    /// - Parameters:
    ///   - wasConnected: records flowed on it.
    ///   - wasStable: it lasted long enough to count as working.
    ///   - isLonely: no other link is left.
    mutating func unlinked(
        _ opened: OpenedLink, _ end: LinkEnd, wasConnected: Bool, wasStable: Bool, isLonely: Bool, mayDial: Bool,
        at now: Instant
    ) {
        if end == .refused(.full) { patientUntil = now + MeshLimit.lastPlaceDelay }
        if end.isForRoom, let card = PeerCard(peer: opened.peer, address: opened.address) {
            // The peer is well: worth remembering for when a slot is free.
            told(card, isOffered: false, mayDial: mayDial, at: now)
            if let index = table.index(of: .peer(opened.peer.prefix)), table[index].waitsUntil != nil {
                table[index].phase = .waiting(until: now + fullDelay(isLonely: isLonely))
            }
        }
        for index in indices(of: opened.peer).sorted(by: >) where table[index].phase == .linked {
            var candidate = table[index]
            candidate.lastFailure = end
            candidate.isOffered = false
            // It was linked, so it is in the same mesh, and a link to it is like any other.
            candidate.insistence = candidate.isWanted && !(end.isForRoom && wasConnected) ? .urgent : .none
            if wasStable { candidate.failures = 0 }
            switch end {
            case .goodbye(let goodbye) where goodbye.code == .leaving:
                // It returns with a new sighting; an address that a person gave is tried again and again.
                candidate.failures += 1
                candidate.isUnreachableReported = true  // It said so itself.
                if candidate.isWanted { rest(&candidate, at: now) } else { candidate.phase = .resting }
            case _ where end.isForRoom && candidate.insistence == .urgent: rest(&candidate, at: now)
            case _ where end.isForRoom:
                candidate.phase = .waiting(until: now + fullDelay(isLonely: isLonely))
            case .refused(.duplicate), .refusedByUs(.duplicate):
                candidate.phase = .waiting(until: now + MeshLimit.courtesyDelay)
            case .refused, .refusedByUs:
                candidate.phase = .waiting(until: now + MeshLimit.retryDelayMax)
            case .blocked: candidate.phase = .resting
            case .goodbye, .silent, .broken, .addressGone, .fault, .left, .rearranged, .dial, .otherThere:
                rest(&candidate, at: now)
            }
            table[index] = candidate
            forgetIfNowhere(index)
        }
    }

    /// A peer without any link waits less before it tries a full peer again.
    private mutating func fullDelay(isLonely: Bool) -> Duration {
        let least = isLonely ? MeshLimit.courtesyDelay : MeshLimit.fullDelay
        return least + .nanoseconds(Int64.random(in: 0...least.nanoseconds, using: &generator))
    }

    mutating func rest(_ candidate: inout Candidate, at now: Instant) {
        let doublings = min(candidate.failures, 7)
        candidate.failures += 1
        candidate.nextAddress = 0
        let longest = min(MeshLimit.retryDelayMin * (1 << doublings), MeshLimit.retryDelayMax)
        let jittered = longest.nanoseconds / 2 + Int64.random(in: 0...longest.nanoseconds / 2, using: &generator)
        candidate.phase = .waiting(until: now + .nanoseconds(jittered))
    }

    private static func key(of sighting: Sighting) -> Candidate.Key {
        if let peer = sighting.peer { return .peer(peer) }
        return sighting.alias.map(Candidate.Key.alias) ?? .address(sighting.address)
    }

    /// Nobody knows who should dial an alias. With random delays mostly one is first, and the other then has its
    /// address.
    private mutating func firstDelay(to candidate: Candidate, at now: Instant) -> Duration {
        guard isVisible else { return .zero }
        let courtesy = now < hastyUntil ? MeshLimit.networkCourtesyDelay : MeshLimit.courtesyDelay
        if candidate.isAlias, !candidate.isWanted {
            return .nanoseconds(Int64.random(in: 0...courtesy.nanoseconds, using: &generator))
        }
        guard let peer = candidate.peer, !candidate.isWanted else { return .zero }
        return me < peer ? .zero : courtesy
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

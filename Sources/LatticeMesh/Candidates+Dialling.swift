import LatticeCore
import LatticeWire

// Dials: when they start, and what they reach.
extension Candidates {
    /// Dials under way, without the forsaken ones.
    var dialCount: Int { dials.count - forsakenDials.count }

    /// The next deadline.
    ///
    /// - Parameter room: links that are wanted and not under way.
    mutating func nextDeadline(room: Int) -> Instant? {
        guard dials.count < MeshLimit.dialsMax else { return nil }
        if isDeadlineStale { findDeadlines() }
        var earliest = earliestInsisted
        guard room > 0 else { return earliest }
        if let offered = earliestOffered { earliest = min(earliest ?? offered, offered) }
        guard let ordinary = earliestOrdinary else { return earliest }
        let time = room == 1 ? max(ordinary, patientUntil) : ordinary
        return min(earliest ?? time, time)
    }

    private mutating func findDeadlines() {
        isDeadlineStale = false
        earliestInsisted = nil
        earliestOffered = nil
        earliestOrdinary = nil
        for index in table.all.indices {
            guard case .waiting(let until) = table.all[index].phase else { continue }
            if table.all[index].insistence != .none {
                earliestInsisted = min(earliestInsisted ?? until, until)
            } else if table.all[index].isOffered {
                earliestOffered = min(earliestOffered ?? until, until)
            } else {
                earliestOrdinary = min(earliestOrdinary ?? until, until)
            }
        }
    }

    /// Starts the dials that are due: all insisted ones, then as many others as slots are free, in random order with
    /// offered peers first. After a full peer there is a pause before the last slot is dialled for: most peers are
    /// full, and nobody splits a link for a single slot.
    mutating func due(at now: Instant, room: Int, into effects: inout [MeshEffect]) {
        guard let deadline = nextDeadline(room: room), deadline <= now else { return }
        var insisted: [Candidate.Key] = []
        var offered: [Candidate.Key] = []
        var ordinary: [Candidate.Key] = []
        for index in table.all.indices {
            guard let until = table.all[index].waitsUntil, until <= now else { continue }
            if table.all[index].insistence != .none {
                insisted.append(table.all[index].key)
            } else if room > 0 {
                if table.all[index].isOffered { offered.append(table.all[index].key) }
                if !table.all[index].isOffered { ordinary.append(table.all[index].key) }
            }
        }
        for key in insisted { dial(key, at: now, into: &effects) }
        var left = room
        for key in offered where left > 0 && dial(key, at: now, into: &effects) { left -= 1 }
        if room == 1, now < patientUntil { return }
        while left > 0, dials.count < MeshLimit.dialsMax, !ordinary.isEmpty {
            ordinary.swapAt(Int.random(in: ordinary.indices, using: &generator), ordinary.count - 1)
            if dial(ordinary.removeLast(), at: now, into: &effects) { left -= 1 }
        }
    }

    @discardableResult
    private mutating func dial(_ key: Candidate.Key, at now: Instant, into effects: inout [MeshEffect]) -> Bool {
        guard dials.count < MeshLimit.dialsMax, let index = table.index(of: key) else { return false }
        guard !table[index].sightings.isEmpty else {
            table[index].phase = .resting
            return false
        }
        let sighting = table[index].sightings[table[index].nextAddress % table[index].sightings.count]
        if sighting.source == .neighbour, !toldDials.take(of: MeshLimit.toldDials, at: now) {
            dialsDelayed += 1
            table[index].phase = .waiting(until: now + MeshLimit.retryDelayMin)
            return false
        }
        lastDial += 1
        let dial = DialID(rawValue: lastDial)
        dials[dial] = (key, sighting)
        table[index].phase = .dialling(dial)
        effects.append(.dial(dial, sighting.address))
        return true
    }

    private mutating func ended(_ dial: DialID) -> (key: Candidate.Key, sighting: Sighting)? {
        forsakenDials.remove(dial)
        return dials.removeValue(forKey: dial)
    }

    /// The next address follows at once. After the last one the candidate backs off, or is forgotten if it is known
    /// only from neighbours.
    mutating func dialFailed(_ dial: DialID, _ end: DialEnd, at now: Instant, into effects: inout [MeshEffect]) {
        guard let (key, sighting) = ended(dial) else { return }
        isDeadlineStale = true
        guard let index = table.index(of: key), table[index].phase == .dialling(dial) else { return }
        var candidate = table[index]
        candidate.lastFailure = .dial(end)
        candidate.nextAddress += 1
        candidate.isOffered = false
        if candidate.insistence != .urgent { candidate.insistence = .none }
        let isLast = candidate.nextAddress >= candidate.sightings.count
        if isLast, !candidate.isWanted { candidate.insistence = .none }
        if candidate.nextAddress < candidate.sightings.count {
            candidate.phase = .waiting(until: now)
        } else {
            let isTold = candidate.isOnlyAnnounced
            if !candidate.isUnreachableReported, !isTold, !candidate.mayHaveGone(at: now) {
                candidate.isUnreachableReported = true
                effects.append(.unreachable(sighting, end))
            }
            rest(&candidate, at: now)
            if isTold, candidate.failures >= MeshLimit.reportedFailuresMax { candidate.sightings = [] }
        }
        table[index] = candidate
        forgetIfNowhere(index)
    }

    /// The network has changed: peers that did not answer may answer now, and dials under way may have left by a route
    /// that is gone.
    mutating func seekAgain(at now: Instant) {
        hastyUntil = now + MeshLimit.networkHaste
        forsakenDials = Set(dials.keys)
        isDeadlineStale = true
        for index in table.all.indices {
            switch table.all[index].phase {
            case .resting, .linked: continue
            // A peer that refused us would refuse again.
            case .waiting where table.all[index].failures == 0: continue
            case .waiting, .dialling: break
            }
            table[index].failures = 0
            table[index].nextAddress = 0
            let isFirst = table.all[index].peer.map { me < $0 } ?? true
            table[index].phase = .waiting(until: isFirst ? now : now + MeshLimit.networkCourtesyDelay)
        }
    }

    enum Reached: Hashable, Sendable {
        /// The expected peer, or an address where nobody in particular was expected; `isWanted` by a person.
        case expected(Sighting, isWanted: Bool, insistence: Candidate.Insistence)
        /// Another peer than the one announced there.
        case mistaken(Sighting)
        case forgotten
    }

    mutating func reached(_ dial: DialID, _ peer: PeerID, at now: Instant) -> Reached {
        guard let (key, sighting) = ended(dial) else { return .forgotten }
        isDeadlineStale = true
        guard let index = table.index(of: key) else { return .forgotten }
        var candidate = table[index]
        if sighting.source != .given, let expected = sighting.peer, expected != peer.prefix {
            candidate.sightings.removeAll { $0 == sighting }
            candidate.phase = .waiting(until: now)
            candidate.lastFailure = .otherThere(sighting.address)
            table[index] = candidate
            forgetIfNowhere(index)
            return .mistaken(sighting)
        }
        let insistence = candidate.insistence
        candidate.phase = .linked
        candidate.id = candidate.peer == peer.prefix || candidate.isAlias ? peer : candidate.id
        candidate.isUnreachableReported = false
        candidate.insistence = .none
        candidate.isOffered = false
        candidate.lastFailure = nil
        if case .address = key {
            // Remembered, so that the end of this peer's link is matched to this address.
            candidate.sightings = candidate.sightings.map { known in
                Sighting(
                    source: known.source, peer: peer.prefix, name: known.name, meshTag: known.meshTag,
                    address: known.address
                )
            }
        }
        table[index] = candidate
        return .expected(sighting, isWanted: candidate.isWanted, insistence: insistence)
    }
}

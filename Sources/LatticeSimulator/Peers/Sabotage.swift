import LatticeCore
import LatticeMesh
import LatticeWire

/// A deliberate bug in broadcasting, storing or reconciling that the judges must find.
package enum Sabotage: String, Hashable, Sendable, CaseIterable {
    case none
    /// Delivers known records again.
    case forgetsWhatItSaw
    /// Sends a record back to its giver.
    case answersTheGiver
    /// Forwards records with an exhausted TTL.
    case ignoresTimeToLive
    /// Does not try another neighbour if one does not serve a record.
    case asksOneSourceOnly
    /// Fetches declined and evicted records again.
    case forgetsWhatItDeclined
    /// Accepts evicted records again and announces no floors.
    case hasNoFloors
    /// Does not announce what reconciling gained.
    case spreadsNothing
    /// Ignores the age of records dated ahead.
    case ignoresAge
    /// Relays presences as if they were new.
    case refreshesPresences
    /// Always claims to be caught up.
    case boasts

    func spoil(_ effects: inout [MeshEffect], of event: MeshEvent) {
        if self == .refreshesPresences { Self.refreshPresences(in: &effects) }
        guard case .heard(let giver, let record, let arrival) = event, record.kind == .chat else { return }
        let (timeToLive, hops) = (arrival.timeToLive, arrival.hops)
        switch self {
        case .none, .asksOneSourceOnly, .forgetsWhatItDeclined, .hasNoFloors, .spreadsNothing, .ignoresAge, .boasts,
            .refreshesPresences:
            break
        case .forgetsWhatItSaw:
            let isShown = effects.contains { effect in
                if case .deliver = effect { true } else { false }
            }
            if !isShown { effects.append(.deliver(record, hops: hops)) }
        case .answersTheGiver:
            guard timeToLive > 1 else { return }
            effects.append(.forward(record, timeToLive: timeToLive - 1, hops: hops + 1, to: [giver]))
        case .ignoresTimeToLive:
            guard timeToLive == 1 else { return }
            effects.append(.forward(record, timeToLive: 0, hops: hops + 1, to: [giver]))
        }
    }

    private static func refreshPresences(in effects: inout [MeshEffect]) {
        for index in effects.indices {
            guard case .handPresence(let record, let timeToLive, let hops, _, let links) = effects[index] else {
                continue
            }
            effects[index] = .forward(record, timeToLive: timeToLive, hops: hops, to: links)
        }
    }

    /// The outcomes that the mesh gets to see.
    func spoil(_ outcomes: [KeptRecord], _ dropped: [RecordID]) -> ([KeptRecord], [RecordID]) {
        switch self {
        case .forgetsWhatItDeclined:
            let forgotten = outcomes.map { $0.outcome == .declined ? KeptRecord($0.id, .known) : $0 }
            return (forgotten, [])
        case .spreadsNothing:
            return (outcomes.map { $0.outcome == .added ? KeptRecord($0.id, .known) : $0 }, dropped)
        case .none, .forgetsWhatItSaw, .answersTheGiver, .ignoresTimeToLive, .asksOneSourceOnly, .hasNoFloors,
            .ignoresAge, .boasts, .refreshesPresences:
            return (outcomes, dropped)
        }
    }
}

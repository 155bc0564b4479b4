import LatticeCore
import LatticeMesh
import LatticeWire

/// A flood, a store or a comparison that is broken on purpose, so that the judges are judged.
package enum Sabotage: String, Hashable, Sendable, CaseIterable {
    case none
    /// What was seen before is shown again.
    case forgetsWhatItSaw
    /// What came from a link goes back over it.
    case answersTheGiver
    /// What may go no further goes on.
    case ignoresTimeToLive
    /// A record that one neighbour does not supply is fetched from no other.
    case asksOneSourceOnly
    /// What the store declined or let go is fetched again.
    case forgetsWhatItDeclined
    /// A store takes back what it let go for want of room, and tells nobody of it.
    case hasNoFloors
    /// Nobody hears of what was gained by comparing until it is compared again.
    case spreadsNothing
    /// What is dated ahead is as old as it is here.
    case ignoresAge
    /// What is passed on is as new as if it had just been made.
    case refreshesPresences
    /// It says that it is caught up whether it is or not.
    case boasts

    func spoil(_ effects: inout [MeshEffect], of event: MeshEvent) {
        if self == .refreshesPresences { Self.refreshPresences(in: &effects) }
        guard case .heard(let giver, let record, let timeToLive, let hops, _) = event, record.kind == .chat else {
            return
        }
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

    /// What a mesh is told of what became of records in its store.
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

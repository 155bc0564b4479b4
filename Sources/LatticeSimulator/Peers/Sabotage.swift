import LatticeMesh
import LatticeWire

/// A flood that is broken on purpose, so that the judges are judged.
package enum Sabotage: String, Hashable, Sendable, CaseIterable {
    case none
    /// What was seen before is shown again.
    case forgetsWhatItSaw
    /// What came from a link goes back over it.
    case answersTheGiver
    /// What may go no further goes on.
    case ignoresTimeToLive

    func spoil(_ effects: inout [MeshEffect], of event: MeshEvent) {
        guard case .heard(let giver, let record, let timeToLive, let hops, _) = event, record.kind == .chat else {
            return
        }
        switch self {
        case .none: break
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
}

import LatticeMesh
import LatticeWire

/// What a peer does that means harm. Its mesh runs as everybody's; what it sends is not what the mesh wants sent.
package enum Hostility: String, Hashable, Sendable, CaseIterable {
    /// Passes nothing on that others said.
    case swallows
    /// Passes everything on as if it had just been said: full TTL, one hop.
    case forgesHops
    /// Sends old records to all its neighbours again and again.
    case repeatsOldRecords

    /// How often a peer that acts unasked does so, in milliseconds.
    static let mischiefInterval: Int64 = 500
    /// Old records sent to each neighbour at a time.
    static let oldRecordsMax = 20

    var actsUnasked: Bool {
        switch self {
        case .repeatsOldRecords: true
        case .swallows, .forgesHops: false
        }
    }

    /// Makes of what the mesh wants what a hostile peer does.
    func spoil(_ effects: inout [MeshEffect], of event: MeshEvent) {
        guard case .heard = event else { return }
        switch self {
        case .swallows:
            effects.removeAll { effect in
                if case .forward = effect { true } else { false }
            }
        case .forgesHops:
            for (index, effect) in effects.enumerated() {
                guard case .forward(let record, _, _, _, let links) = effect else { continue }
                effects[index] = .forward(record, timeToLive: RecordFrame.timeToLiveMax, hops: 1, to: links)
            }
        case .repeatsOldRecords: break
        }
    }
}

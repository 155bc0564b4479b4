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
    /// Hands presences of long ago to everybody as if they had just been made.
    case revivesTheDead
    /// Hands presences to everybody as if they were older than they are, so that new ones are nearly over.
    case agesTheLiving
    /// Says that it has records that nobody ever made.
    case inventsRecords
    /// Supplies what nobody asked it for.
    case suppliesUnasked
    /// Says that it has what everybody has, whatever that is.
    case claimsEquality
    /// Answers no question and supplies nothing.
    case neverAnswers
    /// Asks without end, and for all there is again and again.
    case asksForever
    /// Answers and asks in bytes that mean nothing.
    case talksNonsense
    /// Says of each record that nobody had it before, or that it is older than it can be.
    case liesAboutAge
    /// Says that it has nothing but its own.
    case hidesRecords

    /// What may befall plans that are about floods alone, and what may befall stores.
    static let ofFloods: [Hostility] = [
        .swallows, .forgesHops, .repeatsOldRecords, .revivesTheDead, .agesTheLiving,
    ]
    package static let ofStores: [Hostility] = [
        .swallows, .inventsRecords, .suppliesUnasked, .claimsEquality, .neverAnswers, .asksForever, .talksNonsense,
        .liesAboutAge, .hidesRecords,
    ]

    /// How often a peer that acts unasked does so, in milliseconds.
    static let mischiefInterval: Int64 = 500
    /// Old records sent to each neighbour at a time.
    static let oldRecordsMax = 20

    var actsUnasked: Bool {
        switch self {
        case .repeatsOldRecords, .revivesTheDead, .agesTheLiving, .inventsRecords, .suppliesUnasked, .asksForever,
            .talksNonsense:
            true
        case .swallows, .forgesHops, .claimsEquality, .neverAnswers, .liesAboutAge, .hidesRecords: false
        }
    }

    /// Makes of what the mesh wants what a hostile peer does.
    func spoil(_ effects: inout [MeshEffect], of event: MeshEvent) {
        switch event {
        case .heard, .heardPresence, .overdue: break
        default: return
        }
        switch self {
        case .swallows:
            effects.removeAll { effect in
                switch effect {
                case .forward, .handPresence: true
                default: false
                }
            }
        case .forgesHops:
            for (index, effect) in effects.enumerated() {
                guard case .forward(let record, _, _, _, let links) = effect else { continue }
                effects[index] = .forward(record, timeToLive: RecordFrame.timeToLiveMax, hops: 1, to: links)
            }
        case .repeatsOldRecords, .revivesTheDead, .agesTheLiving, .inventsRecords, .suppliesUnasked, .claimsEquality,
            .neverAnswers, .asksForever,
            .talksNonsense, .liesAboutAge, .hidesRecords:
            break
        }
    }
}

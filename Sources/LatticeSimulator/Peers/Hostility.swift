import LatticeMesh
import LatticeWire

/// A hostile behaviour. The peer's mesh runs like any other, but what it sends is changed.
package enum Hostility: String, Hashable, Sendable, CaseIterable {
    /// Relays nothing.
    case swallows
    /// Relays everything with full TTL and one hop, as if it had just been said.
    case forgesHops
    case repeatsOldRecords
    /// Passes old presences to everybody as if they were new.
    case revivesTheDead
    /// Passes presences to everybody with ages that are too high, so that they soon expire.
    case agesTheLiving
    case inventsRecords
    /// Serves records that nobody requested.
    case servesUnasked
    /// Claims to have the same set as everybody.
    case claimsEquality
    /// Answers no requests and serves nothing.
    case neverAnswers
    /// Sends requests without end, again and again for everything.
    case asksForever
    /// Sends random bytes in requests and replies.
    case talksNonsense
    /// Claims that nobody had a record before, or that it is impossibly old.
    case liesAboutAge
    /// Claims to have only its own records.
    case hidesRecords

    /// Hostilities for plans about broadcasts, and for plans about stores.
    static let ofFloods: [Hostility] = [
        .swallows, .forgesHops, .repeatsOldRecords, .revivesTheDead, .agesTheLiving,
    ]
    package static let ofStores: [Hostility] = [
        .swallows, .inventsRecords, .servesUnasked, .claimsEquality, .neverAnswers, .asksForever, .talksNonsense,
        .liesAboutAge, .hidesRecords,
    ]

    /// Interval of unsolicited actions, in milliseconds.
    static let mischiefInterval: Int64 = 500
    /// Old records sent to each neighbour at a time.
    static let oldRecordsMax = 20
    /// The number of latest records whose presences a liar remembers.
    static let recordsOfLateMax = 400
    /// In milliseconds. A new presence with this age has nearly expired.
    private static let addedAge: Int64 = 30_000

    var actsUnasked: Bool {
        switch self {
        case .repeatsOldRecords, .revivesTheDead, .agesTheLiving, .inventsRecords, .servesUnasked, .asksForever,
            .talksNonsense:
            true
        case .swallows, .forgesHops, .claimsEquality, .neverAnswers, .liesAboutAge, .hidesRecords: false
        }
    }

    /// Whether it passes on presences with false ages: old ones as new, so that the dead stay, or all as older than they
    /// are, so that the living disappear.
    var liesAboutPresences: Bool { self == .revivesTheDead || self == .agesTheLiving }

    func falsePresence(_ record: SimulatedRecord, at time: Int64) -> PresenceFrame {
        let age = self == .agesTheLiving ? UInt32(time - record.saidAt + Self.addedAge) : 0
        return PresenceFrame(timeToLive: 32, hops: 2, ageMilliseconds: age, signed: record.verified.signed)
    }

    /// Replaces the mesh's effects with those of the hostile behaviour.
    func spoil(_ effects: inout [MeshEffect], of event: MeshEvent) {
        switch event {
        case .heard: break
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
                guard case .forward(let record, _, _, _, _, let links) = effect else { continue }
                effects[index] = .forward(record, timeToLive: RecordFrame.timeToLiveMax, hops: 1, to: links)
            }
        case .repeatsOldRecords, .revivesTheDead, .agesTheLiving, .inventsRecords, .servesUnasked, .claimsEquality,
            .neverAnswers, .asksForever,
            .talksNonsense, .liesAboutAge, .hidesRecords:
            break
        }
    }
}

import LatticeCore
import LatticeWire

/// Expired and deleted records enter no store again, and no record enters and leaves a store without end.
struct NothingComesBack {
    private(set) var list = FaultList(of: "nothing comes back")
    /// False once a clock leaps or somebody lies about ages: the lifetime of records dated ahead is then undefined.
    var isAgeTrusted = true

    /// How often one record may enter one store: after an eviction, freed space lets it return.
    static let additionsMax = 4
    /// Tolerance beyond a lifetime, in milliseconds: clocks differ by a minute, each peer on the way rounds ages to
    /// whole seconds, and a cut holds records back until the link is found dead.
    static func slack(peers: Int) -> Int64 { 180_000 + 2_000 * Int64(peers) }

    struct Addition {
        let record: Int
        let additions: Int
        let wasTakenBack: Bool
        /// When it was said or last arrived by broadcast, and its lifetime from then on, in milliseconds.
        let since: Int64
        let lifetime: Int64

        /// - Parameters:
        ///   - lastFlooded: when it last arrived by broadcast.
        ///   - hasLeapt: whether the clock of the peer ever leapt: by a clock that is ahead, even a deletion expires.
        init(
            of record: SimulatedRecord, _ number: Int, to store: SimulatedStore, lastFlooded: Int64, hasLeapt: Bool
        ) {
            self.record = number
            additions = store.additions[record.verified.id] ?? 0
            wasTakenBack = store.erasedEver.contains(record.verified.id) && !hasLeapt
            since = max(record.saidAt, lastFlooded)
            lifetime = Int64(record.verified.record.lifetimeSeconds) * 1_000
        }
    }

    mutating func added(_ addition: Addition, to peer: Int, peers: Int, at time: Int64) {
        if addition.wasTakenBack {
            list.add("took in r\(addition.record) again, which was taken back here", at: time, peer: peer)
        }
        if addition.additions > Self.additionsMax {
            list.add("took in r\(addition.record) for the \(addition.additions)th time", at: time, peer: peer)
        }
        outlived(addition, "took in", by: peer, peers: peers, at: time)
    }

    mutating func held(_ addition: Addition, by peer: Int, peers: Int, at time: Int64) {
        outlived(addition, "still holds", by: peer, peers: peers, at: time)
    }

    private mutating func outlived(
        _ addition: Addition, _ what: String, by peer: Int, peers: Int, at time: Int64
    ) {
        let excess = time - addition.since - addition.lifetime
        guard isAgeTrusted, excess > Self.slack(peers: peers) else { return }
        list.add("\(what) r\(addition.record), which was over for \(excess / 1_000) s", at: time, peer: peer)
    }
}

import LatticeCore
import LatticeWire

/// What is over, or was taken back, comes into no store again, and no record comes and goes without end.
struct NothingComesBack {
    private(set) var list = FaultList(of: "nothing comes back")
    /// False once a clock leaps or somebody lies about ages: how long what is dated ahead lives is then for nobody to say.
    var isAgeTrusted = true

    /// Times one record may come into one store: room that is there again brings back what gave way to others before.
    static let additionsMax = 4
    /// Beyond its lifetime, in milliseconds: clocks of a minute's difference, ages in whole seconds at each peer on the way, and
    /// what a cut held back until the link was found dead.
    static func slack(peers: Int) -> Int64 { 180_000 + 2_000 * Int64(peers) }

    struct Addition {
        let record: Int
        let additions: Int
        let wasTakenBack: Bool
        /// When it was said or came last by the flood, and how long it lives from then on, in milliseconds.
        let since: Int64
        let lifetime: Int64
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

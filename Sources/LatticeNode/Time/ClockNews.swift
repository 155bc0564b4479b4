import LatticeAPI
import LatticeCore
import LatticeWire

enum ClockNews: Equatable {
    /// This machine's clock is correct again.
    case recovered
    case leapt(Duration)
    /// This machine's clock is provably wrong; this time is used instead, of a neighbour or merely counted.
    case wrong(machine: WallTime, used: WallTime, of: PeerID?)
    /// Our clock leads that of several peers who agree.
    case ours(Duration, peers: Int)
    /// This peer's clock leads ours.
    case theirs(Duration, PeerID)

    var peer: PeerID? {
        switch self {
        case .wrong(_, _, let peer): peer
        case .theirs(_, let peer): peer
        case .recovered, .leapt, .ours: nil
        }
    }

    /// - Parameter name: of `peer`.
    func notice(name: String?) -> Notice {
        switch self {
        case .recovered: .clockRecovered
        case .leapt(let leap):
            .clockLeap(
                seconds: leap.components.seconds, holdMinutes: LeapWatch.holdTime.components.seconds / 60)
        case .wrong(let machine, let used, let peer):
            .clockWrong(machine: machine, used: used, lender: peer.map { name ?? $0.short })
        case .ours(let error, let peers): .ownClockSkew(seconds: error.components.seconds, peers: peers)
        case .theirs(let skew, let peer): .clockSkew(name: name ?? peer.short, seconds: skew.components.seconds)
        }
    }
}

import Foundation
import LatticeAPI
import LatticeCore
import LatticeWire

/// What to report about clocks.
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

    /// The peer that it names.
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
        case .recovered:
            Notice(.information, code: "clockRecovered", "this machine's clock is correct again")
        case .leapt(let leap): .leap(leap)
        case .wrong(let machine, let used, let peer):
            .wrongClock(machine: machine, used: used, of: peer.map { name ?? $0.short })
        case .ours(let error, let peers): .ownSkew(error, peers: peers)
        case .theirs(let skew, let peer): .skew(skew, name ?? peer.short)
        }
    }
}

extension Notice {
    fileprivate static func skew(_ skew: Duration, _ name: String) -> Notice {
        let text =
            "the clock of \(DisplayText.isolated(name)) is \(skew.lengthText) "
            + "\(skew > .zero ? "ahead of" : "behind") this one; "
            + "if yours is wrong (check with 'date'), others see wrong times"
        return Notice(.problem, code: "clockSkew", text)
    }

    fileprivate static func ownSkew(_ error: Duration, peers: Int) -> Notice {
        let text =
            "your clock seems to be \(error.lengthText) \(error > .zero ? "fast" : "slow") (\(peers) peers agree); "
            + "check it with 'date'"
        return Notice(.problem, code: "ownClockSkew", text)
    }

    fileprivate static func leap(_ leap: Duration) -> Notice {
        let text =
            "this machine's clock jumped \(leap.lengthText) \(leap > .zero ? "ahead" : "back"); in case that is wrong "
            + "(check with 'date'), nothing expires for \(LeapWatch.holdTime.components.seconds / 60) min"
        return Notice(.problem, code: "clockLeap", text)
    }

    fileprivate static func wrongClock(machine: WallTime, used: WallTime, of name: String?) -> Notice {
        let instead =
            name.map { "using \(used.minuteText) from \(DisplayText.isolated($0)) until you set it" }
            ?? "using \(used.minuteText) until you set it or a peer connects"
        return Notice(.problem, code: "clockWrong", "this machine's clock says \(machine.dayText); \(instead)")
    }
}

extension Duration {
    /// In the largest unit that gives at least two.
    fileprivate var lengthText: String {
        let minutes = (abs(components.seconds) + 30) / 60
        return switch minutes {
        case ..<120: "\(minutes) min"
        case ..<2_880: "\(minutes / 60) h"
        default: "\(minutes / 1_440) days"
        }
    }
}

extension WallTime {
    private var text: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).ISO8601Format()
    }

    /// `1970-01-01`
    fileprivate var dayText: String { String(text.prefix(10)) }

    /// `2026-11-21 10:05 UTC`
    fileprivate var minuteText: String { "\(dayText) \(text.dropFirst(11).prefix(5)) UTC" }
}

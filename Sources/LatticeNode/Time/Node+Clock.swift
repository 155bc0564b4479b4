import Foundation
import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeMesh
import LatticeWire
import Logging

// Whose clock is right, and the notices about it.
extension Node {
    /// A neighbour's clock arrived with its handshake.
    func clockTold(by link: Link) {
        let now = Clocks.now
        judge.opinions.linked(link.peer.peer, clock: link.peer.clock, at: now)
        borrowTime(at: now)
        tellVerdict(on: link.peer.peer, at: now) { link.peer.name }
    }

    /// A presence is dated only by its author's clock; authors who share a clock count once.
    func clocksTold(by presences: [VerifiedRecord]) {
        let now = Clocks.now
        for presence in presences where !mesh.facts.isOwn(presence.author) && hosts[presence.author] == nil {
            judge.opinions.heard(presence.author, said: presence.created.wall, at: now)
            tellVerdict(on: presence.author, at: now) { try Presence(decoding: presence.record.body).name }
        }
    }

    /// Called once a second.
    func lookAtClock() {
        let now = Clocks.now
        let machine = clock.machine
        let leap = judge.leaps.look(machine, at: now)
        // What had expired by the old time may be valid again.
        if leap != nil { handle(.clockLeapt) }
        if clock.source == .machine {
            let wasWrong = judge.toldSource != .machine
            judge.toldSource = .machine
            if wasWrong {
                tell(.notice(Notice(.information, code: "clockRecovered", "this machine's clock is correct again")))
            } else if let leap, judge.toldLeapAt.map({ $0.duration(to: now) >= LeapWatch.holdTime }) ?? true {
                judge.toldLeapAt = now
                tell(.notice(.leap(leap)))
            }
        } else {
            borrowTime(at: now)
        }
    }

    /// A machine with a provably wrong clock uses its neighbours' time.
    private func borrowTime(at now: Instant) {
        guard clock.source != .machine else { return }
        if let (time, peer) = judge.opinions.lender(at: now) { clock.borrow(time, of: peer) }
        let source = clock.source
        // At most two notices: that the clock is wrong, and whose is used instead.
        switch (judge.toldSource, source) {
        case (.machine, .counted): tell(.notice(.wrongClock(machine: clock.machine, used: clock.now, of: nil)))
        case (.machine, .lent(let peer)), (.counted, .lent(let peer)):
            let name = live.values.first { $0.peer.peer == peer }?.peer.name.text ?? peer.short
            tell(.notice(.wrongClock(machine: clock.machine, used: clock.now, of: name)))
        default: return
        }
        judge.toldSource = source
    }

    private func tellVerdict(on peer: PeerID, at now: Instant, name: () throws -> PeerName) {
        switch judge.opinions.verdict(on: peer, ours: clock.now, at: now) {
        case nil: return
        case .ours(let error, let peers): tell(.notice(.ownSkew(error, peers: peers)))
        case .theirs(let skew):
            do {
                tell(.notice(.skew(skew, try name())))
            } catch {
                logger.debug("malformed presence", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Whether expired records may be removed.
    var mayExpire: Bool {
        judge.mayExpire(time: clock.now, source: clock.source, at: Clocks.now)
    }
}

extension Notice {
    fileprivate static func skew(_ skew: Duration, _ name: PeerName) -> Notice {
        let text =
            "the clock of \(DisplayText.isolated(name.text)) is \(skew.lengthText) "
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

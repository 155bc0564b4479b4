package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// What to tell a person of lines between two: those that come late are gathered, so that they are shown together and in
/// their order, and of one's own it is told when somebody has them who did not at once.
package struct PrivateNews: Sendable {
    package enum Event: Sendable {
        /// One's own, just now.
        case said(PrivateMessage)
        /// Of somebody, late.
        case line(PrivateMessage)
        case progress(PrivateProgress)
        /// The chat is about to end.
        case leaving
        /// Some time has passed.
        case tick
    }

    package enum Effect: Hashable, Sendable {
        /// What came late, by its dates, and how many more did than are shown.
        case lines([PrivateMessage], omitted: Int)
        case outcome(Outcome)
    }

    /// What became of lines to one person.
    package struct Outcome: Hashable, Sendable {
        package let peer: PeerID
        /// `delivered` or `lapsed`.
        package let state: PrivateState
        package internal(set) var count = 1
        /// The first of them.
        package let first: Int64
        /// When that was said, if it was here and since this chat began.
        package let since: WallTime?
    }

    private struct Said {
        let at: WallTime
        let since: Instant
    }

    /// Lines gathered; of more the newest, which are those that are shown.
    package static let linesMax = 1_000
    /// Of one's own of which it is remembered when they were said; of older ones the store knows.
    package static let saidMax = 1_024
    /// People of whom something is to be told; as many as conversations are listed.
    private static let outcomesMax = 1_000
    /// What somebody has so soon they had at once, which is what whoever says something takes for granted.
    private static let atOnce: Duration = .seconds(2)
    /// What comes in pieces no further apart than this is told together, unless that goes on for ever.
    private static let silence: Duration = .seconds(1)
    private static let patience: Duration = .seconds(5)

    private var said: OrderedDictionary<Int64, Said> = [:]
    private var lines: [PrivateMessage] = []
    private var omitted = 0
    private var outcomes: [Outcome] = []
    private var gathered: (first: Instant, last: Instant)?

    package init() {}

    /// Whether time alone will bring something to tell.
    package var isWaiting: Bool { gathered != nil }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .said(let message): note(message, at: now)
        case .line(let message): gather(message, at: now)
        case .progress(let progress): progressed(progress, at: now)
        case .leaving: release(into: &effects)
        case .tick: passed(at: now, into: &effects)
        }
        return effects
    }

    private mutating func note(_ message: PrivateMessage, at now: Instant) {
        guard said[message.number] == nil else { return }
        said[message.number] = Said(at: message.at, since: now)
        if said.count > Self.saidMax { said.removeFirst() }
        // Word of it may come before the answer to who said it does.
        outcomes.removeAll { $0.first == message.number && $0.count == 1 && $0.state == .delivered }
    }

    private mutating func gather(_ message: PrivateMessage, at now: Instant) {
        touch(at: now)
        lines.append(message)
        if lines.count > Self.linesMax {
            lines.removeFirst()
            omitted += 1
        }
    }

    private mutating func progressed(_ progress: PrivateProgress, at now: Instant) {
        let known = said[progress.number]
        switch progress.state {
        case .waiting, .relayed: return
        case .delivered:
            said[progress.number] = nil
            if let known, known.since.duration(to: now) < Self.atOnce { return }
        case .lapsed: said[progress.number] = nil
        }
        touch(at: now)
        if let index = outcomes.firstIndex(where: { $0.peer == progress.peer && $0.state == progress.state }) {
            outcomes[index].count += 1
        } else if outcomes.count < Self.outcomesMax {
            outcomes.append(
                Outcome(peer: progress.peer, state: progress.state, first: progress.number, since: known?.at))
        }
    }

    private mutating func touch(at now: Instant) {
        gathered = (gathered?.first ?? now, now)
    }

    private mutating func passed(at now: Instant, into effects: inout [Effect]) {
        guard let gathered else { return }
        let isOver =
            gathered.last.duration(to: now) >= Self.silence || gathered.first.duration(to: now) >= Self.patience
        if isOver { release(into: &effects) }
    }

    private mutating func release(into effects: inout [Effect]) {
        if !lines.isEmpty {
            effects.append(.lines(lines.sorted { ($0.at, $0.number) < ($1.at, $1.number) }, omitted: omitted))
        }
        effects += outcomes.map { .outcome($0) }
        (lines, omitted, outcomes, gathered) = ([], 0, [], nil)
    }
}

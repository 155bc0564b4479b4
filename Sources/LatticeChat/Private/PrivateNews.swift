package import LatticeAPI
package import LatticeCore
import OrderedCollections

/// Decides what to show about private messages. Late ones are gathered and shown together in order. The outcome of my
/// own is shown unless they were delivered at once.
package struct PrivateNews: Sendable {
    package enum Event: Sendable {
        /// I sent a message; `isGoingOut` if it was shown as if somebody took it at once.
        case said(PrivateMessage, isGoingOut: Bool)
        /// Somebody's late message.
        case line(PrivateMessage)
        case progress(PrivateProgress)
        case leaving
        case tick
    }

    package enum Effect: Hashable, Sendable {
        /// Late messages by date, and how many more were gathered than are shown.
        case lines([PrivateMessage], omitted: Int)
        case outcome(Outcome)
    }

    package struct Outcome: Hashable, Sendable {
        package let peer: PeerID
        /// `delivered`, `lapsed`, or `waiting` if the message was expected to be relayed at once.
        package let state: PrivateState
        package internal(set) var count = 1
        /// The number of the first message.
        package let first: Int64
        /// When that message was said, if it was from here and since this chat began.
        package let since: WallTime?
        /// The name of the file, if the news is that the other has all of it.
        package internal(set) var file: String?
    }

    private struct Said {
        let peer: PeerID
        let at: WallTime
        let since: Instant
        /// Whether it is still unknown if somebody took it.
        var isOpen: Bool
    }

    /// Limit on gathered messages; the newest are kept, because those are shown.
    package static let linesMax = 1_000
    /// How many of my messages have their date remembered; older dates are in the store.
    package static let saidMax = 1_024
    /// Progress rarely overtakes the reply to its request, and then only by a few messages.
    private static let takenEarlyMax = 64
    /// Limit on people with a pending outcome; as many as conversations are listed.
    private static let outcomesMax = 1_000
    /// A message delivered within this time counts as delivered at once, which needs no news.
    private static let atOnce: Duration = .seconds(2)
    /// News within this interval of each other is shown together, but after at most `patience`.
    private static let silence: Duration = .seconds(1)
    private static let patience: Duration = .seconds(5)

    private var said: OrderedDictionary<Int64, Said> = [:]
    /// Messages that were taken before it was known that they were sent.
    private var takenEarly: OrderedSet<Int64> = []
    private var lines: [PrivateMessage] = []
    private var omitted = 0
    private var outcomes: [Outcome] = []
    private var gathered: (first: Instant, last: Instant)?

    package init() {}

    /// Whether ticks are needed.
    package var isWaiting: Bool { gathered != nil || said.values.contains { $0.isOpen } }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .said(let message, let isGoingOut): note(message, isGoingOut, at: now)
        case .line(let message): gather(message, at: now)
        case .progress(let progress): progressed(progress, at: now)
        case .leaving:
            reportOpen(at: now)
            release(into: &effects)
        case .tick:
            reportOpen(at: now)
            passed(at: now, into: &effects)
        }
        return effects
    }

    /// Replaces a gathered message.
    ///
    /// - Returns: whether it was gathered.
    package mutating func change(_ message: PrivateMessage) -> Bool {
        guard let index = lines.lastIndex(where: { $0.number == message.number }) else { return false }
        lines[index] = message
        return true
    }

    private mutating func note(_ message: PrivateMessage, _ isGoingOut: Bool, at now: Instant) {
        guard said[message.number] == nil else { return }
        // Progress may arrive before the reply to the request that sent the message.
        let isTaken = takenEarly.remove(message.number) != nil
        said[message.number] = Said(peer: message.peer, at: message.at, since: now, isOpen: isGoingOut && !isTaken)
        if said.count > Self.saidMax { said.removeFirst() }
        outcomes.removeAll { $0.first == message.number && $0.count == 1 && $0.state == .delivered && $0.file == nil }
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
        if let file = progress.file {
            noteTaken(progress.number)
            said[progress.number] = nil
            guard outcomes.count < Self.outcomesMax else { return }
            touch(at: now)
            return outcomes.append(
                Outcome(peer: progress.peer, state: .delivered, first: progress.number, since: known?.at, file: file))
        }
        switch progress.state {
        case .waiting: return
        case .relayed:
            noteTaken(progress.number)
            return
        case .delivered:
            noteTaken(progress.number)
            said[progress.number] = nil
            if let known, known.since.duration(to: now) < Self.atOnce { return }
        case .lapsed: said[progress.number] = nil
        }
        touch(at: now)
        add(progress.number, progress.peer, progress.state, since: known?.at)
    }

    private mutating func noteTaken(_ number: Int64) {
        guard said[number] == nil else {
            said[number]?.isOpen = false
            return
        }
        takenEarly.append(number)
        if takenEarly.count > Self.takenEarlyMax { takenEarly.removeFirst() }
    }

    private mutating func add(_ number: Int64, _ peer: PeerID, _ state: PrivateState, since: WallTime?) {
        if let index = outcomes.firstIndex(where: { $0.peer == peer && $0.state == state && $0.file == nil }) {
            outcomes[index].count += 1
        } else if outcomes.count < Self.outcomesMax {
            outcomes.append(Outcome(peer: peer, state: state, first: number, since: since))
        }
    }

    /// Reports messages that were expected to go out at once and were not taken.
    private mutating func reportOpen(at now: Instant) {
        for (number, line) in said where line.isOpen && line.since.duration(to: now) >= Self.atOnce {
            said[number]?.isOpen = false
            touch(at: now)
            add(number, line.peer, .waiting, since: line.at)
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

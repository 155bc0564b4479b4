import LatticeCore
import LatticeMesh
import LatticeWire

/// Callers that wait for an event or until a deadline. Each has a ticket.
struct Waits {
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    enum Event: Hashable, Sendable {
        /// Every own line is confirmed.
        case flushed
        /// This link's send queue has drained.
        case drained(LinkID)
        case probed(nonce: UInt64)
        /// More of this blob came, or it is not fetched any more.
        case blob(BlobName)
        /// The last link has ended.
        case unlinked
    }

    enum Outcome: Hashable, Sendable {
        case happened
        case probed(ProbeOutcome)
        /// The deadline passed, or the caller or the node gave up.
        case ended
    }

    private struct Waiter {
        let event: Event?
        let deadline: Instant?
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct Deadline {
        let time: Instant
        let ticket: Ticket

        func isBefore(_ other: Deadline) -> Bool {
            (time, ticket.number) < (other.time, other.ticket.number)
        }
    }

    private var waiters: [Ticket: Waiter] = [:]
    /// In the order of their tickets.
    private var byEvent: [Event: [Ticket]] = [:]
    /// The earliest first.
    private var byTime: [Deadline] = []
    private var lastTicket: UInt64 = 0
    private var isFinished = false

    var isEmpty: Bool { waiters.isEmpty }

    var deadline: Instant? { byTime.first?.time }

    mutating func ticket() -> Ticket {
        lastTicket += 1
        return Ticket(number: lastTicket)
    }

    /// - Parameters:
    ///   - event: `nil`: only the deadline ends the wait.
    ///   - deadline: `nil`: only the event ends the wait.
    mutating func open(
        _ ticket: Ticket, for event: Event?, until deadline: Instant?,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        guard !isFinished else { return continuation.resume(returning: .ended) }
        waiters[ticket] = Waiter(event: event, deadline: deadline, continuation: continuation)
        if let event { byEvent[event, default: []].append(ticket) }
        if let deadline {
            let entry = Deadline(time: deadline, ticket: ticket)
            byTime.insert(entry, at: position(of: entry))
        }
    }

    /// The event has happened: all who wait for it go on.
    mutating func resolve(_ event: Event, _ outcome: Outcome = .happened) {
        for ticket in byEvent[event] ?? [] { close(ticket, outcome) }
    }

    mutating func giveUp(_ ticket: Ticket) {
        close(ticket, .ended)
    }

    mutating func expire(at now: Instant) {
        while let first = byTime.first, first.time <= now { close(first.ticket, .ended) }
    }

    /// Ends all waits, and those that come later at once.
    mutating func finish() {
        isFinished = true
        for ticket in waiters.keys.sorted(by: { $0.number < $1.number }) { close(ticket, .ended) }
    }

    private mutating func close(_ ticket: Ticket, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: ticket) else { return }
        if let event = waiter.event, let index = byEvent[event]?.firstIndex(of: ticket) {
            byEvent[event]?.remove(at: index)
            if byEvent[event]?.isEmpty ?? false { byEvent[event] = nil }
        }
        if let deadline = waiter.deadline { byTime.remove(at: position(of: Deadline(time: deadline, ticket: ticket))) }
        waiter.continuation.resume(returning: outcome)
    }

    /// Where it is, or belongs.
    private func position(of entry: Deadline) -> Int {
        var range = byTime.indices
        while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
            range = byTime[middle].isBefore(entry) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}

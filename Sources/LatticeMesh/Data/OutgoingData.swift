import DequeModule
import LatticeCore
import LatticeWire

/// Data to one peer: what is on its way, and when to send it again. Go-back-N with the receiver's window, which is
/// halved after a loss.
struct OutgoingData: Sendable {
    private struct Part: Sendable {
        let offset: UInt64
        let messages: DataMessages

        var end: UInt64 { offset + UInt64(messages.bytes.count) }
    }

    /// What to do after an answer or a timeout.
    struct Doing {
        var again: [(offset: UInt64, messages: DataMessages)] = []
        var asks = false
        var hasMoved = false
        var end: DataEnd?
    }

    let flow: UInt64
    let isRouted: Bool
    private var unconfirmed: Deque<Part> = []
    private(set) var sent: UInt64 = 0
    private var confirmed: UInt64 = 0
    private var limit = DataLimit.windowFirst
    private var window = DataLimit.window
    private var resendDelay = DataLimit.resendDelayMin
    private var againAt: Instant?
    private var heardAt: Instant
    /// How often something was sent again since `heardAt`.
    private var triesCount = 0
    private var gap: (at: UInt64, until: Instant)?
    /// Since when the receiver has said that it does not know this flow; an old answer may say that, too.
    private var unknownSince: Instant?

    init(flow: UInt64, isRouted: Bool, at now: Instant) {
        self.flow = flow
        self.isRouted = isRouted
        heardAt = now
    }

    var room: Int {
        Int(clamping: min(limit, confirmed + window) - min(sent, min(limit, confirmed + window)))
    }

    var isConfirmed: Bool { unconfirmed.isEmpty }
    var nextDeadline: Instant? { againAt }

    /// Whether the receiver's limit is too small for the longest message.
    private var isHeldUp: Bool { limit - min(limit, sent) < UInt64(DataMessages.bytesMax) }

    /// - Parameter messages: at most `room` bytes.
    /// - Returns: their offset in the flow.
    mutating func add(_ messages: DataMessages, at now: Instant) -> UInt64 {
        precondition(messages.bytes.count <= room, "what does not fit the window waits where it came from")
        if unconfirmed.isEmpty { heardAt = max(heardAt, now) }
        let offset = sent
        unconfirmed.append(Part(offset: offset, messages: messages))
        sent += UInt64(messages.bytes.count)
        if againAt == nil { againAt = now + resendDelay }
        return offset
    }

    mutating func answered(_ answer: DataAnswer, at now: Instant) -> Doing {
        if answer.state == .unknown, confirmed > 0 { return forgotten(at: now) }
        var doing = Doing()
        guard answer.received <= sent, answer.received >= confirmed else { return doing }
        heardAt = now
        triesCount = 0
        unknownSince = nil
        doing.hasMoved = answer.received > confirmed || answer.limit > limit
        limit = max(limit, answer.limit)
        let before = confirmed
        confirmed = answer.received
        while let first = unconfirmed.first, first.end <= confirmed { unconfirmed.removeFirst() }
        if confirmed > before {
            window = min(DataLimit.window, window + (confirmed - before))
            resendDelay = DataLimit.resendDelayMin
            gap = nil
        }
        if answer.state != .open, !unconfirmed.isEmpty, gap.map({ $0.at != confirmed || $0.until <= now }) ?? true {
            gap = (confirmed, now + DataLimit.gapInterval)
            window = max(window / 2, DataLimit.windowFirst)
            doing.again = unconfirmed.map { ($0.offset, $0.messages) }
        }
        againAt = unconfirmed.isEmpty && !isHeldUp ? nil : now + resendDelay
        return doing
    }

    /// The receiver does not know data that it confirmed. It is asked again, and repeats that if it has restarted.
    private mutating func forgotten(at now: Instant) -> Doing {
        var doing = Doing()
        heardAt = now
        guard let since = unknownSince else {
            unknownSince = now
            let soon = now + DataLimit.gapInterval
            againAt = min(againAt ?? soon, soon)
            return doing
        }
        if now - since >= DataLimit.gapInterval { doing.end = .interrupted }
        return doing
    }

    /// After some silence: sends the first unconfirmed data again, or a question.
    mutating func due(at now: Instant) -> Doing {
        var doing = Doing()
        guard let time = againAt, time <= now else { return doing }
        guard now - heardAt < DataLimit.silenceMax || triesCount < DataLimit.triesMin else {
            doing.end = .silent
            return doing
        }
        if let first = unconfirmed.first {
            doing.again = [(first.offset, first.messages)]
        } else {
            doing.asks = true
        }
        triesCount += 1
        resendDelay = min(resendDelay * 2, DataLimit.resendDelayMax)
        againAt = now + resendDelay
        return doing
    }
}

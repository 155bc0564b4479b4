import LatticeCore
import LatticeWire

/// Data from one peer: how much has come without a gap, and how much more may come.
struct IncomingData: Sendable {
    private(set) var flow: UInt64
    private var received: UInt64 = 0
    private var limit = DataLimit.windowFirst
    /// Bytes waiting for the reader, including those of an earlier flow of this peer.
    private(set) var unread: UInt64 = 0
    private var answered: UInt64 = 0
    private var answerAt: Instant?
    private var gap: (at: UInt64, until: Instant)?
    private(set) var heardAt: Instant

    init(flow: UInt64, at now: Instant) {
        self.flow = flow
        heardAt = now
    }

    var nextDeadline: Instant? { answerAt }

    mutating func beginAnew(flow: UInt64, at now: Instant) {
        let unread = unread
        self = IncomingData(flow: flow, at: now)
        self.unread = unread
    }

    /// - Returns: whether these are the next bytes, and what to answer at once.
    mutating func heard(_ frame: DataFrame, at now: Instant) -> (isTaken: Bool, answer: DataAnswer.State?) {
        heardAt = now
        let count = UInt64(frame.messages.bytes.count)
        guard count > 0 else { return (false, .open) }
        guard frame.offset <= received else {
            if let gap, gap.at == received, gap.until > now { return (false, nil) }
            gap = (received, now + DataLimit.gapInterval)
            return (false, .missing)
        }
        guard frame.offset == received, received + count <= limit else {
            answerSoon(now + DataLimit.answerAgainDelay)
            return (false, nil)
        }
        received += count
        unread += count
        let answerBytes = answered == 0 ? DataLimit.answerBytesFirst : DataLimit.answerBytes
        guard received - answered < answerBytes else { return (true, .open) }
        answerSoon(now + DataLimit.answerDelay)
        return (true, nil)
    }

    /// - Returns: whether so much was read that the sender should know at once.
    mutating func wasRead(_ count: Int) -> Bool {
        unread -= min(unread, UInt64(count))
        return window >= limit + DataLimit.window / 4
    }

    mutating func answer(_ state: DataAnswer.State) -> DataAnswer {
        answerAt = nil
        answered = received
        limit = max(limit, window)
        return DataAnswer(route: nil, flow: flow, received: received, limit: limit, state: state)
    }

    private var window: UInt64 { received + DataLimit.window - min(unread, DataLimit.window) }

    private mutating func answerSoon(_ time: Instant) {
        answerAt = min(answerAt ?? time, time)
    }
}

import LatticeCore

/// The input of a client, its pace, and whether the client is still there.
struct IRCInput {
    enum Silence: Equatable {
        case short
        /// The client was just found to be silent.
        case pingIsDue
        case tooLong
    }

    private var waiting = IRCLineQueue()
    private var bucket = TokenBucket()
    private var heardAt: Instant
    private var pingedAt: Instant?

    init(at now: Instant) {
        heardAt = now
    }

    /// - Parameter line: `nil` for a line that was too long.
    /// - Returns: whether the queue had space.
    mutating func append(_ line: [UInt8]?, _ limits: IRCLimits, at now: Instant) -> Bool {
        guard waiting.append(line, linesMax: limits.waitingLinesMax, bytesMax: limits.waitingBytesMax) else {
            return false
        }
        heardAt = now
        pingedAt = nil
        return true
    }

    /// The line that `next` returns next; `nil` for none, and for one that was too long.
    var following: [UInt8]? { waiting.first }

    /// The next line, if the client may send one now.
    mutating func next(_ limits: IRCLimits, at now: Instant) -> [UInt8]?? {
        guard !waiting.isEmpty, bucket.take(of: limits.lines, at: now) else { return nil }
        return waiting.popFirst()
    }

    mutating func silence(_ limits: IRCLimits, at now: Instant) -> Silence {
        if let pingedAt { return pingedAt.advanced(by: limits.pingTimeout) <= now ? .tooLong : .short }
        guard heardAt.advanced(by: limits.pingAfter) <= now else { return .short }
        pingedAt = now
        return .pingIsDue
    }
}

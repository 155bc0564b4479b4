import LatticeCore

/// A connection between two peers: end 0 is the dialler's, end 1 the other's. Its links are numbered after it, so that
/// a link leads to its connection without a search.
struct SimulatedConnection {
    private let dialler: Int32
    private let target: Int32
    /// One way, in milliseconds.
    let latency: Int64
    /// Both sides can send.
    var isOpen = true
    /// Whether the peer at that end was notified, or soon will be, that its link is closed.
    private var isEnding: (Bool, Bool) = (false, false)
    /// Whether nothing reaches that end any more, because its peer is gone or knows that the link is closed.
    private var isGone: (Bool, Bool) = (false, false)
    /// What waits to be sent to each end, if the capacity is limited.
    private var waiting = (SendQueue(), SendQueue())
    /// When the last thing sent to each end arrives; it keeps the order.
    private var arrival: (Int64, Int64)

    init(dialler: Int, target: Int, latency: Int64, at time: Int64) {
        self.dialler = Int32(dialler)
        self.target = Int32(target)
        self.latency = latency
        arrival = (time, time)
    }

    static func link(_ connection: Int, end: Int) -> LinkID {
        LinkID(rawValue: UInt64(connection * 2 + end))
    }

    func peer(at end: Int) -> Int { Int(end == 0 ? dialler : target) }

    func isEnding(at end: Int) -> Bool { end == 0 ? isEnding.0 : isEnding.1 }

    mutating func beginEnding(at end: Int) {
        if end == 0 { isEnding.0 = true } else { isEnding.1 = true }
    }

    func isGone(at end: Int) -> Bool { end == 0 ? isGone.0 : isGone.1 }

    mutating func leave(at end: Int) {
        if end == 0 { isGone.0 = true } else { isGone.1 = true }
    }

    /// What waits to be sent to that end.
    func queue(to end: Int) -> SendQueue { end == 0 ? waiting.0 : waiting.1 }

    mutating func withQueue<Value>(to end: Int, _ change: (inout SendQueue) -> Value) -> Value {
        end == 0 ? change(&waiting.0) : change(&waiting.1)
    }

    /// When something that is due at `time` arrives at `end`, after everything sent there before.
    mutating func arrive(at end: Int, noSoonerThan time: Int64) -> Int64 {
        if end == 0 {
            arrival.0 = max(arrival.0, time)
            return arrival.0
        }
        arrival.1 = max(arrival.1, time)
        return arrival.1
    }
}

extension LinkID {
    var connection: Int { Int(rawValue >> 1) }
    var end: Int { Int(rawValue & 1) }
    /// The link of the other side of the same connection.
    var across: LinkID { LinkID(rawValue: rawValue ^ 1) }
}

import LatticeCore

/// The limits of data between programs, each with its reason. The window and all times are guesses for networks in a
/// building or a camp, where an answer takes milliseconds.
package enum DataLimit {
    /// Bytes of a flow on their way or unread before its first answer: the longest message and its length fit.
    package static let windowFirst: UInt64 = 64 << 10
    /// Bytes of a flow on their way or unread later; a loss repeats at most these.
    package static let window: UInt64 = 512 << 10
    /// Peers that data is sent to at a time: at most 32 MiB unconfirmed.
    package static let outgoingMax = 64
    /// Peers that data is received from at a time: at most 16 MiB unread.
    package static let incomingMax = 32
    /// An answer is sent after this many bytes, a quarter of a window; the first after half of `windowFirst`.
    static let answerBytes: UInt64 = 128 << 10
    static let answerBytesFirst: UInt64 = 32 << 10
    /// An answer is sent after this time, well before the sender would send again.
    static let answerDelay: Duration = .milliseconds(100)
    /// Repeated data is answered once for all copies.
    static let answerAgainDelay: Duration = .milliseconds(10)
    /// Unconfirmed data is sent again after this time; it doubles from the minimum to the maximum.
    static let resendDelayMin: Duration = .milliseconds(250)
    static let resendDelayMax: Duration = .seconds(2)
    /// Reports of the same gap within this time count as one.
    static let gapInterval: Duration = .milliseconds(100)
    /// A flow ends if its receiver is silent for this long, two pings of a dead link.
    static let silenceMax: Duration = .seconds(10)
    /// A flow does not end before this many tries, however long it was silent: a machine that wakes from sleep must ask
    /// first.
    static let triesMin = 5
    /// A sender that was silent for this long is evicted for another.
    static let incomingIdle: Duration = .seconds(60)
}

/// Why a flow ended. Unconfirmed data may have arrived or not.
package enum DataEnd: String, Error, Hashable, Sendable {
    /// There is no route to the peer.
    case noRoute
    /// It does not answer any more.
    case silent
    /// No program there takes data.
    case unwanted
    /// The receiver restarted, or the route changed between direct and relayed.
    case interrupted
    /// Too many flows there, or from here.
    case full
}

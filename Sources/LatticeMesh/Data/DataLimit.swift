import LatticeCore

/// The limits of data between programs, each with its reason. All times and the window are guesses for networks in a room or
/// a camp, where an answer takes milliseconds.
package enum DataLimit {
    /// Bytes that may be on the way, or wait there unread, before the other side has answered at all: the longest message and
    /// its length fit.
    package static let windowFirst: UInt64 = 64 << 10
    /// Bytes of one flow that may be on their way or wait unread, once answers come: what is sent again when something is lost.
    package static let window: UInt64 = 512 << 10
    /// Peers that data is sent to at a time: 32 MiB of what is unconfirmed, at most.
    package static let outgoingMax = 64
    /// Peers that data is taken from at a time: 16 MiB that wait unread, at most.
    package static let incomingMax = 32
    /// An answer at the latest after so many bytes, a quarter of a window; the first after half of what may come before it.
    static let answerBytes: UInt64 = 128 << 10
    static let answerBytesFirst: UInt64 = 32 << 10
    /// An answer at the latest after this: well below the time after which a sender sends again.
    static let answerDelay: Duration = .milliseconds(100)
    /// What came twice is answered for all copies together.
    static let answerAgainDelay: Duration = .milliseconds(10)
    /// Without an answer what is unconfirmed is sent again: doubled from the first to the last.
    static let resendDelayMin: Duration = .milliseconds(250)
    static let resendDelayMax: Duration = .seconds(2)
    /// How long one gap is taken for one.
    static let gapInterval: Duration = .milliseconds(100)
    /// A flow ends whose receiver says nothing for so long: two pings of a link that is dead.
    static let silenceMax: Duration = .seconds(10)
    /// However long it was: whoever wakes from a sleep of its own asks so often before it gives up.
    static let triesMin = 5
    /// Who said nothing for so long makes room for another.
    static let incomingIdle: Duration = .seconds(60)
}

/// Why data to a peer does not go on. What was sent and not confirmed may have come, or not.
package enum DataEnd: String, Error, Hashable, Sendable {
    /// No way to it is known.
    case noRoute
    /// It does not answer any more.
    case silent
    /// No program there takes data.
    case unwanted
    /// It began anew, or the way to it changed between a link and others.
    case interrupted
    /// So many send data there, or are sent to from here, that there is no room for another.
    case full
}

import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeWire

/// Limits of streams between programs, with their reasons. Times are guesses for networks in a room or a camp.
enum StreamLimit {
    /// Parts that the other side's program has not taken: 1 MiB, twice the window of data messages.
    static let windowParts: UInt64 = 64
    /// Taken parts after which the other side is notified at the latest: a quarter of a window.
    static let toldParts: UInt64 = 16
    /// Simultaneous streams, including those being set up: 80 MiB at most, and as many as one person can follow.
    static let countMax = 32
    /// Streams of others that are still being set up: each cost a key agreement, with an unproven peer.
    static let halfOpenMax = 16
    static let halfOpenPerPeerMax = 4
    /// From the first message to the other side's answer.
    static let openTimeout: Duration = .seconds(10)
    /// Interval of probes to a silent peer.
    static let askInterval: Duration = .seconds(5)
    /// Unanswered probes after which a peer counts as gone: half a minute, which is longer than a link takes to be made again.
    static let asksMax = 5
    /// Delay before sending again after a route is lost; doubled from the first to the last.
    static let resumeDelayMin: Duration = .milliseconds(100)
    static let resumeDelayMax: Duration = .seconds(2)
    /// Written bytes that are in no part yet: a write is accepted while there are fewer.
    static let pendingBytesMax = SendBytes.bytesMax
    /// Ended streams that the other side may still ask about, and how long.
    static let rememberedMax = 64
    static let rememberedTime: Duration = .seconds(60)
    /// Ended streams whose outcome programs can still read.
    static let endedMax = 256
    /// Refusals queued for one peer; for any more it gets an answer when it asks again.
    static let resetsMax = 16
    /// Peers with any stream messages, including those only refused: as many as data goes to at a time.
    static let peersMax = DataLimit.outgoingMax
    /// Retry interval of an opener that waits until somebody listens.
    static let retryInterval: Duration = .milliseconds(500)
    /// Time for the last messages when this node stops, which must take less than 2 s.
    static let farewellTimeout: Duration = .milliseconds(500)
    static let tickInterval: Duration = .milliseconds(100)
}

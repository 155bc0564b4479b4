import LatticeAPI
import LatticeCore
import LatticeMesh
import LatticeWire

/// The limits of streams between programs, each with its reason. Times are guesses for networks in a room or a camp.
enum StreamLimit {
    /// Parts that the other side's program has not taken: 1 MiB, twice what data has on its way.
    static let windowParts: UInt64 = 64
    /// The other side is told at the latest when its program's reader has taken so many: a quarter of a window.
    static let toldParts: UInt64 = 16
    /// Streams at a time, those that begin included: 80 MiB at most, and as many as one person looks after.
    static let countMax = 32
    /// Others' streams whose beginning is not over: each cost a key agreement, and nobody is known to be there.
    static let halfOpenMax = 16
    static let halfOpenPerPeerMax = 4
    /// From the first message to the other side's answer.
    static let openTimeout: Duration = .seconds(10)
    /// So often a peer is asked that says nothing.
    static let askInterval: Duration = .seconds(5)
    /// A peer that leaves so many questions unanswered is gone: after half a minute, which a link that is made anew takes less than.
    static let asksMax = 5
    /// What was under way when the way to a peer was lost goes again after this: doubled from the first to the last.
    static let resumeDelayMin: Duration = .milliseconds(100)
    static let resumeDelayMax: Duration = .seconds(2)
    /// What a program has written and no part has taken up: a piece is taken as long as there is less.
    static let pendingBytesMax = SendBytes.bytesMax
    /// Streams that are over and of which the other side may ask once more, and how long.
    static let rememberedMax = 64
    static let rememberedTime: Duration = .seconds(60)
    /// Streams of which programs may hear how they ended.
    static let endedMax = 256
    /// Refusals that wait to be sent to one peer; of more it hears when it asks again.
    static let resetsMax = 16
    /// Peers with whom anything is spoken of, those who are only refused included: as many as data goes to at a time.
    static let peersMax = DataLimit.outgoingMax
    /// Whoever opens a stream, and is to wait until somebody listens, tries again after this.
    static let retryInterval: Duration = .milliseconds(500)
    /// How long the last words may take when this node ends, which is to be gone within 2 s.
    static let farewellTimeout: Duration = .milliseconds(500)
    static let tickInterval: Duration = .milliseconds(100)
}

package import LatticeAPI
package import LatticeCore
package import LatticeGeo
import NIOCore

/// What a server is.
package struct HTTPSettings: Sendable {
    package var token: AccessToken
    /// What this machine is called in its network.
    package var machine: String?
    /// Characters of a post or comment, as the node takes them.
    package var textClusters: Int
    package var version: String
    package var limits = HTTPLimits()
    package var date: @Sendable () -> WallTime
    /// By the clock of the event loops.
    package var now: @Sendable () -> Instant = {
        Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }
    /// Reads the position of this machine from a GPS receiver; `nil` where none is asked.
    package var receiver: (@Sendable () async throws(ReceiverFault) -> Coordinate)?
    /// Drawn below the places.
    package var baseMap: (any TileSource)?
    /// What of a token is kept: nobody gets from it to the token.
    package var digest: @Sendable (String) -> String
    /// Those who make events through Humon's clients, as they were kept, and how they are kept.
    package var users = EventUsers()
    package var keepUsers: @Sendable (EventUsers) -> Result<Void, RequestError> = { _ in .success(()) }

    package init(
        token: AccessToken, machine: String? = nil, textClusters: Int = WallLimit.textClusters, version: String,
        date: @escaping @Sendable () -> WallTime, digest: @escaping @Sendable (String) -> String
    ) {
        self.token = token
        self.machine = machine
        self.textClusters = textClusters
        self.version = version
        self.date = date
        self.digest = digest
    }
}

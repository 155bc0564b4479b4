package import LatticeAPI
package import LatticeCore
package import LatticeGeo
package import LatticeSocket
import NIOCore

package struct HTTPSettings: Sendable {
    package var token: AccessToken
    /// The name of this machine in its network.
    package var machine: String?
    /// Maximum length of a post or comment, in characters.
    package var textClusters: Int
    package var version: String
    package var limits = HTTPLimits()
    package var now = Self.eventLoopClock
    /// Reads the position from a GPS receiver; `nil` if there is none to ask.
    package var receiver: (@Sendable () async throws(ReceiverFault) -> Coordinate)?
    /// Encrypts all connections; `nil` if they are plain HTTP.
    package var security: TLSIdentity?
    /// Where browsers find the page; `nil` if nobody knows.
    package var link: @Sendable () -> PageLink? = { nil }
    /// The base map, drawn below the places.
    package var baseMap: (any TileSource)?
    /// A one-way digest of a token, for storing.
    package var digest: @Sendable (String) -> String
    /// `nil` if nobody but the owner writes here.
    package var visitors: VisitorSettings?
    /// The stored users of Humon clients, and how to save them.
    package var users = EventUsers()
    package var keepUsers: @Sendable (EventUsers) -> Result<Void, RequestError> = { _ in .success(()) }

    package static let eventLoopClock: @Sendable () -> Instant = {
        Instant(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }

    package init(
        token: AccessToken, machine: String? = nil, textClusters: Int = PostLimit.textClusters, version: String,
        digest: @escaping @Sendable (String) -> String
    ) {
        self.token = token
        self.machine = machine
        self.textClusters = textClusters
        self.version = version
        self.digest = digest
    }
}

/// What a bridge has done, and what keeps it from going on.
package struct BridgeStatus: Hashable, Sendable {
    /// What the node answered about records of the broker.
    package struct Taken: Hashable, Sendable {
        package var added = 0
        package var known = 0
        package var expired = 0
        /// Forged, malformed, over a quota, or of somebody who is blocked here.
        package var refused = 0
        /// Pieces of pictures and files that are stored now.
        package var pieces = 0
    }

    /// What the broker answered about records of the node.
    package struct Published: Hashable, Sendable {
        package var stored = 0
        package var known = 0
        /// Published again because the broker had not answered, or had no space.
        package var repeated = 0
        /// Pieces that the broker has.
        package var pieces = 0
    }

    package enum Obstacle: Hashable, Sendable {
        case broker(BrokerFault)
        /// A stream of the broker takes no more.
        case full
        /// The node's store cannot be written now, or too much came at once.
        case nodeBusy
    }

    package var taken = Taken()
    package var published = Published()
    /// Parcels of each stream that the node has not seen yet.
    package var behind: [BridgeSpan: UInt64] = [:]
    /// Everything of the node was published.
    package var isLive = false
    /// How far this machine's clock is ahead of the broker's; `nil` if that is unknown.
    package var clockAhead: Duration?
    /// How many other bridges are at the broker, if it keeps no history.
    package var bridges: Int?
    /// What keeps parcels from coming in.
    package var obstacleIn: Obstacle?
    /// What keeps records from going out.
    package var obstacleOut: Obstacle?
    /// What keeps pieces from coming in.
    package var obstaclePiecesIn: Obstacle?
    /// What keeps pieces from going out.
    package var obstaclePiecesOut: Obstacle?
    package var obstacles: [Obstacle] {
        [obstacleIn, obstacleOut, obstaclePiecesIn, obstaclePiecesOut].compactMap(\.self)
    }
    /// The node was asked for each blob that waits.
    var isEachBlobTried = false
}

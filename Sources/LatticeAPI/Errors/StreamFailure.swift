package import LatticeCore

/// Why a stream cannot be opened, used or continued.
package enum StreamFailure: Hashable, Codable, Sendable {
    case unknown
    case closedForSending
    case overOnBothSides
    case givenUp
    case noRoute
    case noAnswer
    case lost
    /// The other side could not prove who it is.
    case unproven
    /// The other side could not verify who we are.
    case provenWrongly
    case nodeStopped
    case nobodyListens
    case notForYou
    case tooMany(max: Int)
    case tooManyThere
    case labelTaken(label: StreamLabel)
    /// Another program receives the data of this node.
    case hasReader
    /// Another connection carries its bytes.
    case hasConnection(stream: Int)
    /// The last request for this stream has no answer yet.
    case stillBusy(stream: Int)
    case tooLarge(bytes: Int, max: Int)
    case reset(reason: StreamReason)
    case endedThere
    case restartedThere
    /// A reason that this version does not know.
    case resetForOther
}

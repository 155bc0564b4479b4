package import LatticeCore

package enum LinkEnding: Hashable, Codable, Sendable {
    package enum Refusal: String, Hashable, Codable, Sendable {
        case otherMesh
        case duplicate
        case declined
        case notAContact
        case closed
        case tooManyLinks
        case unanswered
        case full
        case busy
        case unknown
    }

    /// The other side's own words, perhaps none.
    case goodbye(text: String)
    case refused(why: Refusal)
    /// We refused its invitation.
    case refusedByUs(why: Refusal)
    case silent
    /// The connection broke, for the system's reason.
    case broken(reason: String)
    /// This machine lost the address that the link used.
    case addressGone
    /// The other side broke the protocol.
    case fault(reason: String)
    case left
    /// The peer is reached through others.
    case rearranged
    case blocked
    case dial(end: DialEnd)
    case otherThere(address: PeerAddress)
}

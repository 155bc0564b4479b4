/// Why something was not done.
///
/// Compare ``code``; it is stable. ``description`` is one English sentence for logs and may change between versions.
public struct LatticeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it was. Later versions may add codes, so a `switch` over them needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, such as `noRoute`.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// A name, a text, an address or a number breaks its rule. The description names the rule.
        public static let invalid = Code("invalid")
        /// A message or a text has too many bytes.
        public static let tooLong = Code("tooLong")
        /// The peer is not connected, over any number of links.
        public static let noRoute = Code("noRoute")
        /// The other side ended, or did not answer for half a minute. What was sent last may not have arrived.
        public static let interrupted = Code("interrupted")
        /// It took longer than the caller allows.
        public static let timedOut = Code("timedOut")
        /// The other side, or its policy, refused a link, or it did not want a file.
        public static let declined = Code("declined")
        /// The peer is blocked here, or its program takes no streams or messages.
        public static let unwanted = Code("unwanted")
        /// A limit of streams or of waiting records is reached, here or there. Try again later.
        public static let busy = Code("busy")
        /// The other side reset the stream, or this side did.
        public static let reset = Code("reset")
        /// The session has ended or was closed.
        public static let closed = Code("closed")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The port or the interface cannot be used, or a link broke.
        public static let network = Code("network")
        /// The folder or the store in it cannot be used, or the session keeps nothing.
        public static let storage = Code("storage")
        /// A file cannot be read or written, another one stands in its place, or the disk has no space.
        public static let file = Code("file")
        /// What a peer sent is not what it had offered.
        public static let damaged = Code("damaged")
        /// No record here has this id.
        public static let unknown = Code("unknown")
    }

    /// What kind of failure it was.
    public let code: Code
    /// The peers that it concerns, in the order in which the caller named them; often none.
    public let peers: [PeerID]
    /// Why a peer refused a link or a file, with ``Code/declined``; `nil` if no peer did.
    public let refusal: Invitation.Refusal?
    /// One English sentence for logs.
    public let description: String

    init(_ code: Code, _ description: String, peers: [PeerID] = [], refusal: Invitation.Refusal? = nil) {
        (self.code, self.description, self.peers, self.refusal) = (code, description, peers, refusal)
    }

    static let cancelled = LatticeError(.cancelled, "the task was cancelled")
    static let closed = LatticeError(.closed, "the session has ended")

    func about(_ peer: PeerID) -> LatticeError { LatticeError(code, description, peers: [peer], refusal: refusal) }
}

package import LatticeCore

/// What a node knows about problems that may keep others away: its own settings, and failed links.
package struct NodeHealth: Hashable, Sendable, Codable {
    /// A peer that was discovered but has no link, and why.
    package struct DialFailure: Hashable, Sendable, Codable {
        /// Proven by a handshake; `nil` if none got that far.
        package let id: PeerID?
        /// As announced; not yet made safe for a screen.
        package let name: String
        package let address: PeerAddress?
        package let reason: Reason
        /// How the last dial ended; only for an address.
        package let end: DialEnd?

        package init(id: PeerID?, name: String, address: PeerAddress?, reason: Reason, end: DialEnd? = nil) {
            self.id = id
            self.name = name
            self.address = address
            self.reason = reason
            self.end = end
        }
    }

    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        case otherMesh
        /// It answers but lacks the key of this closed mesh.
        case wrongPassphrase
        case blockedThere
        case blockedHere
        /// Its policy admits only known peers, or nobody.
        case policyThere
        /// This node's policy admits only known peers, or nobody.
        case policyHere
        /// A person was asked and declined or did not answer.
        case declined
        /// There was no free slot.
        case full
        /// It answers, but is not a peer of this mesh or has another version.
        case handshake
        case fault
    }

    /// Limit of remembered dial failures, the newest ones: as many as a person reads, and 10 kB.
    package static let dialFailuresMax = 32

    /// The tags that announcements of this mesh carry now; several for a closed mesh, whose tag changes every day.
    package var meshTags: [UInt32]
    package var isClosed: Bool
    /// The policy for links: `auto`, `ask`, `contacts`, `none`.
    package var invitations: String
    /// The configured discovery: `auto`, `system`, `embedded`, `off`.
    package var discovery: String
    /// The only network interface used; `nil` is every one.
    package var interface: String?
    /// How far this machine's clock is ahead, by the majority of others; negative if it is behind; `nil` if no peer reported.
    @InSeconds package var clockAhead: Duration?
    /// The number of peers that agree on that.
    package var clockPeers: Int
    /// This machine's clock cannot be right, regardless of others.
    package var isClockWrong: Bool
    /// At most `dialFailuresMax`, the newest last.
    package var dialFailures: [DialFailure]

    package init(
        meshTags: [UInt32], isClosed: Bool, invitations: String = "auto", discovery: String = "auto",
        interface: String? = nil, clockAhead: Duration? = nil, clockPeers: Int = 0, isClockWrong: Bool = false,
        dialFailures: [DialFailure] = []
    ) {
        self.meshTags = meshTags
        self.isClosed = isClosed
        self.invitations = invitations
        self.discovery = discovery
        self.interface = interface
        self.clockAhead = clockAhead
        self.clockPeers = clockPeers
        self.isClockWrong = isClockWrong
        self.dialFailures = dialFailures
    }
}

package import LatticeCore

/// What a node knows that may keep others away from it: what it asks for, and with whom it came to nothing.
package struct NodeHealth: Hashable, Sendable, Codable {
    /// With whom there is no link though there was word of them, and why.
    package struct Miss: Hashable, Sendable, Codable {
        /// Proven by a handshake; `nil` where it did not come to that.
        package let id: PeerID?
        /// As it was told; not made safe for a screen.
        package let name: String
        package let address: PeerAddress?
        package let reason: Reason
        /// In words, for a person.
        package let text: String

        package init(id: PeerID?, name: String, address: PeerAddress?, reason: Reason, text: String) {
            self.id = id
            self.name = name
            self.address = address
            self.reason = reason
            self.text = text
        }
    }

    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        case otherMesh
        /// It answers, and does not have the key of this closed mesh.
        case wrongPassphrase
        /// It takes nothing from this person.
        case blockedThere
        /// This person takes nothing from it.
        case blockedHere
        /// It lets in only those it knows, or nobody.
        case policyThere
        /// This node lets in only those it knows, or nobody.
        case policyHere
        /// A person was asked and said no, or nothing.
        case declined
        /// There was no place for one more link.
        case full
        /// It answers, and is no peer of this mesh or of another version.
        case handshake
        /// It broke the protocol.
        case fault
    }

    /// How many misses are remembered, the last ones: as many as a person reads, and 10 kB.
    package static let missesMax = 32

    /// What announcements of this mesh carry now; several of a closed one, whose tag changes every day.
    package var meshTags: [UInt32]
    package var isClosed: Bool
    /// Whom it links with: `auto`, `ask`, `contacts`, `none`.
    package var invitations: String
    /// How peers are looked for, as it was asked to: `auto`, `system`, `embedded`, `off`.
    package var discovery: String
    /// The only network interface used; `nil` is every one.
    package var interface: String?
    /// How far this machine's clock is ahead of others', as most of them say; negative where it is behind; `nil` where nobody told.
    @InSeconds package var clockAhead: Duration?
    /// How many say so.
    package var clockPeers: Int
    /// This machine's clock cannot be right, whatever others say.
    package var isClockWrong: Bool
    /// At most `missesMax`, the newest last.
    package var misses: [Miss]

    package init(
        meshTags: [UInt32], isClosed: Bool, invitations: String = "auto", discovery: String = "auto",
        interface: String? = nil, clockAhead: Duration? = nil, clockPeers: Int = 0, isClockWrong: Bool = false,
        misses: [Miss] = []
    ) {
        self.meshTags = meshTags
        self.isClosed = isClosed
        self.invitations = invitations
        self.discovery = discovery
        self.interface = interface
        self.clockAhead = clockAhead
        self.clockPeers = clockPeers
        self.isClockWrong = isClockWrong
        self.misses = misses
    }
}

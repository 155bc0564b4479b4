package import LatticeCore
import LatticeWire

/// What a person may settle about a mesh, and the limits that hold whatever they settle.
package struct MeshOptions: Sendable {
    /// Whom this peer links with of those that it only sighted or that invite it.
    package enum Policy: String, Sendable, CaseIterable {
        /// Everybody of the same mesh.
        case auto
        /// Whoever a person says yes to.
        case ask
        /// Only known peers.
        case contacts
        /// Nobody that invites; links begin only where a person names an address or a peer.
        case none
    }

    package var mesh: MeshName
    package var meshTag: UInt32
    package var policy: Policy = .auto
    package var contacts: Set<PeerID> = []
    /// Said with each invitation; at most `Invitation.contextBytesMax` bytes.
    package var context: [UInt8] = []
    /// 1–64 links; what this peer says travels no further.
    package var timeToLive = RecordFrame.timeToLiveDefault

    package init(mesh: MeshName, meshTag: UInt32) {
        self.mesh = mesh
        self.meshTag = meshTag
    }
}

/// The limits of the mesh core, each with its reason.
package enum MeshLimit {
    /// Links at once, half-open ones included. A guess until the overlay of active views replaces the full mesh.
    package static let linksMax = 64
    /// Links whose dialler has not invited us yet: anybody can make those, so the oldest gives way to the newest.
    package static let uninvitedMax = 16
    /// Peers that discovery knows and that are not linked.
    package static let candidatesMax = 1_024
    /// Interfaces × protocols of one machine; more is noise.
    package static let addressesPerCandidateMax = 8
    package static let dialsMax = 16
    /// Own lines kept while nobody is connected.
    package static let outboxWaitingMax = 1_000
    /// Own lines sent and not yet confirmed by any neighbour; speaking waits from half of it.
    package static let outboxSentMax = 8_192
    /// A new link is sent all of it at once, so it has to fit a link's queue, together with everybody's presence.
    package static let outboxBytesMax = 5 << 20
    /// Where speaking waits for neighbours to confirm: nothing is dropped from a full outbox then.
    package static let outboxBytesPaced = 3 << 20
    /// 48 bytes and their bookkeeping each: about 8 MB at most.
    package static let seenMax = 65_536
    package static let peopleMax = 4_096
    /// A name and some forty rooms. All presences together, 4 MB, have to fit a link's queue.
    package static let presenceBytesMax = 1_024
    /// A link that held for so long was a good one: what fails later is not held against the peer's address.
    package static let stableAfter: Duration = .seconds(10)
    package static let probesMax = 64
    /// Probes one link may have us pass on, a second.
    package static let probesPerLinkPerSecondMax = 20

    package static let invitationTimeout: Duration = .seconds(10)
    /// How long the peer with the larger id leaves the first word to the smaller.
    package static let courtesyDelay: Duration = .seconds(2)
    package static let retryDelayMin: Duration = .milliseconds(500)
    package static let retryDelayMax: Duration = .seconds(60)
    package static let pingAfterSilence: Duration = .seconds(5)
    package static let pongTimeout: Duration = .seconds(10)
    /// However much else a neighbour says meanwhile.
    package static let pongTimeoutMax: Duration = .seconds(30)
    /// How often a link that carries own unconfirmed lines is asked to confirm them.
    package static let confirmInterval: Duration = .seconds(1)
    /// Two links to one peer closer together than this crossed each other; later, the older one is dead and its peer
    /// knows it.
    package static let crossingWindow: Duration = .seconds(5)
    package static let presenceInterval: Duration = .seconds(60)
    package static let peopleSweepInterval: Duration = .seconds(10)
    package static let probeTimeout: Duration = .seconds(5)
}

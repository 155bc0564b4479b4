package import LatticeCore
package import LatticeWire

/// The peer that a finished handshake proved to be at the other end.
///
/// A class, so that the many places that hold it share one object.
package final class OpenedLink: Hashable, Sendable {
    package let peer: PeerID
    package let name: PeerName
    package let instance: UInt64
    package let address: PeerAddress
    /// The dial it came from; `nil` for a link that the other side opened.
    package let dial: DialID?
    /// What may be passed on about it to other peers; `nil` if its address is not numeric.
    let card: PeerCard?

    package init(peer: PeerID, name: PeerName, instance: UInt64, address: PeerAddress, dial: DialID?) {
        self.peer = peer
        self.name = name
        self.instance = instance
        self.address = address
        self.dial = dial
        card = PeerCard(peer: peer, address: address)
    }

    package static func == (left: OpenedLink, right: OpenedLink) -> Bool {
        left.peer == right.peer && left.name == right.name && left.instance == right.instance
            && left.address == right.address && left.dial == right.dial
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(peer)
        hasher.combine(instance)
    }
}

/// Why a link failed or ended.
package enum LinkEnd: Error, Hashable, Sendable {
    /// The other side said why.
    case goodbye(Goodbye)
    case refused(Refusal)
    /// We refused its invitation.
    case refusedByUs(Refusal)
    /// No answer to a ping, or none to an invitation.
    case silent
    /// The connection broke without a word.
    case broken(String)
    /// This machine lost the address that the link used.
    case addressGone
    /// The other side broke the protocol.
    case fault(String)
    case left
    /// We gave the link up for another one; the peer is still reached through others.
    case rearranged
    /// A person has blocked the peer.
    case blocked
    /// No dial made a link; the end of the last one.
    case dial(DialEnd)
    /// Another peer answers there.
    case otherThere(PeerAddress)

    /// Whether the peer is as reachable as before: over another link, or through others.
    package var isOfNoConsequence: Bool {
        switch self {
        case .refused(.duplicate), .refusedByUs(.duplicate): true
        case .goodbye(let goodbye): goodbye.code == .duplicate || goodbye.code == .full
        case .refused, .refusedByUs, .silent, .broken, .addressGone, .fault, .left, .rearranged, .blocked, .dial,
            .otherThere:
            isForRoom
        }
    }

    /// Whether it ended only because no slot was free: the peer is well and still in the mesh.
    package var isForRoom: Bool {
        switch self {
        case .rearranged, .refused(.full), .refusedByUs(.full): true
        case .goodbye(let goodbye): goodbye.code == .full
        case .refused, .refusedByUs, .silent, .broken, .addressGone, .fault, .left, .blocked, .dial, .otherThere: false
        }
    }
}

/// What happens to a mesh. Large and rare cases are `indirect`, because thousands of events may be queued.
package enum MeshEvent: Sendable {
    indirect case sighted(Sighting)
    indirect case lost(Sighting)
    /// A person wants a link to this sighted peer, whatever the policy for strangers.
    case wanted(PeerPrefix)
    /// A program invites this sighted peer, and waits for `MeshEffect.invitationEnded`.
    ///
    /// `context`: at most `Invitation.contextBytesMax` bytes, sent when the peer has proven its key.
    indirect case inviting(AnnouncedPeer, context: [UInt8], patience: Duration)
    /// It waits no longer; an invitation that is not answered yet is taken back.
    indirect case withdrawn(AnnouncedPeer)
    indirect case dialFailed(DialID, DialEnd)
    case linkOpened(LinkID, OpenedLink)
    indirect case linkClosed(LinkID, LinkEnd)
    /// A frame without a record. The path of a probe that ends here was verified; the path of one that is only relayed
    /// was not.
    case received(LinkID, Frame)
    /// A record that came by relay.
    case heard(LinkID, VerifiedRecord, RecordArrival)
    /// This link's send queue is full: from now on the mesh holds back records of others.
    case linkBusy(LinkID)
    /// The send queue of a busy link has drained.
    case linkFree(LinkID)
    /// A record of our own.
    case submitted(VerifiedRecord)
    /// A record that a program of this person brought from another network. `MeshEffect.supplied` returns the verdict.
    case supplied(VerifiedRecord, SuppliedAge)
    /// The store gained records of these groups that no neighbour brought.
    indirect case gained([SyncScope.Group])
    /// A person's answer to an `ask` effect: to the one for this link, or to the one that waits.
    indirect case answered(PeerID, accept: Bool, on: LinkID? = nil)
    /// A no, with a reason, to an `ask` effect, likewise.
    indirect case declined(PeerID, Refusal, on: LinkID? = nil)
    /// Our own presence has changed.
    indirect case presenceChanged(Presence)
    indirect case probeWanted(PeerID, nonce: UInt64)
    /// A probe that ends here has a path that is not signed by everybody in it.
    indirect case probeForged(Probe)
    /// What the store here holds: sent once there is a store, and again when it changes. Nothing is reconciled without
    /// it.
    indirect case keepingChanged(Keeping)
    /// The result of a step that `MeshEffect.compare` asked for.
    indirect case compared(ComparisonOutcome)
    /// A record that a neighbour served on our request, and how long that neighbour says it has had it.
    case served(LinkID, VerifiedRecord, ageSeconds: UInt32)
    /// The outcome for records that `MeshEffect.keep` or `deliver` brought to the store.
    indirect case kept([KeptRecord])
    /// The store has removed these records; they are not fetched again.
    indirect case dropped([RecordID])
    /// An interface or an address of this machine came or went, or the machine has slept; the addresses of these links
    /// are gone.
    indirect case networkChanged(without: [LinkID])
    /// This machine's clock was set.
    case clockLeapt
    /// A person asks to reconcile now.
    case syncWanted
    /// Ask every neighbour now to confirm what it was sent.
    case flushWanted
    /// Measure the round trip of every link now: see `Mesh.roundTrip(on:)`.
    case roundTripsWanted
    /// We are about to stop: say goodbye to every neighbour.
    case leaving
    case woke
    /// The complete set of blocked peers.
    indirect case blockedChanged(Set<PeerID>)
    /// The complete set of personas that speak through this peer with keys of their own; their records are submitted
    /// here. At most `MeshLimit.visitorsMax`.
    indirect case visitorsChanged(Set<PeerID>)
    /// Urgent records that came before this process began; they count as if they had come to it.
    indirect case urgentRemembered([Urgency.Counted])
    /// The people whom this person knows. Presences of all others are limited.
    indirect case trustedChanged(Set<PeerID>)
    indirect case data(DataEvent)
    indirect case datagram(DatagramEvent)
    /// Whether others can sight us: `false` until our announcement has gone out. Assumed `true` until the first such
    /// event.
    case visibilityChanged(Bool)
}

package import LatticeCore
package import LatticeWire

/// Whom a finished handshake proved to be at the other end.
///
/// One reference, since it is at hand wherever a link is.
package final class OpenedLink: Hashable, Sendable {
    package let peer: PeerID
    package let name: PeerName
    package let instance: UInt64
    package let address: PeerAddress
    /// The dial it came from; `nil` for a link that the other side began.
    package let dial: DialID?
    /// What others may be told of it; `nil` if it cannot be reached by a number.
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

/// Why there is no link, or no more.
package enum LinkEnd: Error, Hashable, Sendable, CustomStringConvertible {
    /// The other side said why.
    case goodbye(Goodbye)
    case refused(Refusal)
    /// We did not accept.
    case refusedByUs(Refusal)
    /// No answer to a ping, or none to an invitation.
    case silent
    /// The connection broke without a word.
    case broken(String)
    /// The other side broke the protocol.
    case fault(String)
    /// We left.
    case left
    /// We gave it up for another: the peer is reached through others.
    case rearranged
    /// A person wants nothing of that peer.
    case blocked

    package var description: String {
        switch self {
        case .goodbye(let goodbye): goodbye.text.isEmpty ? "it said goodbye" : DisplayText.safe(goodbye.text)
        case .refused(let refusal): refusal.description
        case .refusedByUs(let refusal): Self.words(for: refusal)
        case .silent: "it does not answer any more"
        case .broken(let reason): reason
        case .fault(let reason): "it broke the protocol: \(reason)"
        case .left: "this side left"
        case .rearranged: "it is reached through others"
        case .blocked: "you have blocked it"
        }
    }

    /// Whether the peer is as much there as it was: there is another link to it, or it is reached through others.
    package var isOfNoConsequence: Bool {
        switch self {
        case .refused(.duplicate), .refusedByUs(.duplicate): true
        case .goodbye(let goodbye): goodbye.code == .duplicate || goodbye.code == .full
        case .refused, .refusedByUs, .silent, .broken, .fault, .left, .rearranged, .blocked: isForRoom
        }
    }

    /// Whether it ended for want of room alone: the peer is well and still in the mesh.
    package var isForRoom: Bool {
        switch self {
        case .rearranged, .refused(.full), .refusedByUs(.full): true
        case .goodbye(let goodbye): goodbye.code == .full
        case .refused, .refusedByUs, .silent, .broken, .fault, .left, .blocked: false
        }
    }

    /// A refusal in the words of whoever refused.
    private static func words(for refusal: Refusal) -> String {
        switch refusal {
        case .otherMesh: "it is in another mesh"
        case .duplicate: "another link to it is kept"
        case .declined: "you declined its invitation"
        case .notAContact: "it is not one of your contacts"
        case .closed: "you accept no invitations"
        case .tooManyLinks: "there is no room for another link here"
        case .unanswered: "you did not answer its invitation in time; /accept still lets it in"
        case .full: "it is reached through others"
        case .unknown: "it was refused"
        }
    }
}

/// What happens to a mesh. The large and rare is `indirect`: events stand in queues by the thousand.
package enum MeshEvent: Sendable {
    indirect case sighted(Sighting)
    indirect case lost(Sighting)
    /// A person wants a link to this sighted peer, whatever the policy for strangers.
    case wanted(PeerPrefix)
    case dialFailed(DialID, String)
    case linkOpened(LinkID, OpenedLink)
    indirect case linkClosed(LinkID, LinkEnd)
    /// A frame that holds no record. The path of a probe that ends here, a question to us or an answer to ours, was
    /// verified; that of one that only passes through was not.
    case received(LinkID, Frame)
    /// A record and how it came.
    case heard(LinkID, VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool = false)
    /// A presence that the neighbour had heard so long ago.
    case heardPresence(LinkID, VerifiedRecord, timeToLive: UInt8, hops: UInt8, ageMilliseconds: UInt32)
    /// A record that came by the flood and whose time is over by the clock here, and how it came.
    case overdue(
        LinkID, VerifiedRecord, timeToLive: UInt8, hops: UInt8, isStray: Bool = false, ageMilliseconds: UInt32 = 0)
    /// More waits to be sent on this link than it takes soon: records of others wait in the mesh from now on.
    case linkBusy(LinkID)
    /// Little waits to be sent on a busy link any more.
    case linkFree(LinkID)
    /// A record of our own.
    case submitted(VerifiedRecord)
    /// A person's answer to an `ask` effect.
    indirect case answered(PeerID, accept: Bool)
    /// What others see of us has changed.
    indirect case presenceChanged(Presence)
    indirect case probeWanted(PeerID, nonce: UInt64)
    /// A probe that ends here came by a path that is not true.
    indirect case probeForged(Probe)
    /// What is kept here: said once there is a store, and again when it changes. Without it nothing is compared.
    indirect case keepingChanged(Keeping)
    /// A step that was asked for by `MeshEffect.compare` is made.
    indirect case compared(ComparisonOutcome)
    /// A record that a neighbour sent because it was asked to, and for how long the neighbour says it had it.
    case supplied(LinkID, VerifiedRecord, ageSeconds: UInt32)
    /// What became of records that `MeshEffect.keep` or `deliver` brought to the store.
    indirect case kept([KeptRecord])
    /// The store has let these go: they are not to be fetched again.
    indirect case dropped([RecordID])
    /// An interface or an address of this machine has come or gone, or it has slept; these links had an address that is gone.
    indirect case networkChanged(without: [LinkID])
    /// This machine's clock was set to another time.
    case clockLeapt
    /// A person wants to be caught up now.
    case syncWanted
    /// Every neighbour is to confirm now what it was sent.
    case flushWanted
    /// We are about to go: say so to every neighbour.
    case leaving
    case woke
    /// Nothing of these is wanted from now on, and of nobody else.
    indirect case blockedChanged(Set<PeerID>)
    /// These people, and nobody else, speak through this peer and with keys of their own: what they say is submitted here. At most
    /// `MeshLimit.residentsMax`.
    indirect case residentsChanged(Set<PeerID>)
    /// Whom this person knows: presences of others are limited.
    indirect case trustedChanged(Set<PeerID>)
    indirect case data(DataEvent)
    /// Whether others can sight us: not before what we announce has gone out. Taken for true until it is said.
    case visibilityChanged(Bool)
}

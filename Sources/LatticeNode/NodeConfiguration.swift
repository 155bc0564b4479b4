package import CoreMetrics
package import LatticeCore
package import LatticeCrypto
package import LatticeDiscovery
package import LatticeLink
import LatticeMesh
import LatticeSession
import LatticeWire

/// Everything that is settled before a node starts.
package struct NodeConfiguration: Sendable {
    /// Whom a node links with of those that it only sighted or that invite it.
    package enum InvitationPolicy: String, Sendable, CaseIterable {
        /// Everybody of the same mesh.
        case auto
        /// Peers that a person accepts.
        case ask
        /// Only the peers in `contacts`.
        case contacts
        /// Nobody that invites; links begin only where a person names an address or a peer.
        case none
    }

    /// Of the protocol that links speak.
    package static let sessionVersion = Handshake.version

    package var identity: Identity
    package var name: PeerName
    package var rooms: [RoomName]
    /// Where the public rooms that one joins are remembered; without it they are not.
    package private(set) var joinedRooms: JoinedRooms?
    package var mesh: MeshName
    /// Of a closed mesh: who does not have it learns nothing and is told nothing.
    package var meshKey: MeshKey?
    package var invitations = InvitationPolicy.auto
    package var contacts: Set<PeerID> = []
    /// Said with each invitation; at most 1,024 bytes.
    package var context: [UInt8] = []
    /// 1–64 links; what this node says travels no further. `nil` is 32.
    package var timeToLive: UInt8?
    /// How much each author may say here and each neighbour bring; `nil` is what `MeshOptions` has.
    package var rates: SpeechRates?
    /// How long whoever is sent away has to hear why; `nil` is what `LinkLimits` has.
    package var farewell: Duration?
    /// 0 lets the system choose.
    package var port: UInt16 = 0
    /// Whether any free port will do where `port` is in use by another program.
    package var takesOtherPort = false
    /// The only network interface to use; `nil` is every one.
    package var interface: String?
    package var discovery: DiscoveryMode = .auto
    /// Addresses a person gave, dialled until they answer.
    package var given: [PeerAddress] = []
    /// Who is to answer at addresses that an invitation named; nobody else will do.
    package var expected: [PeerAddress: PeerID] = [:]
    /// Where what is said is kept, and what people post; without one nothing is.
    package var wall: Wall?
    /// A store is there and did not open: which rooms are private is not known, so that nothing is said in any but #lobby.
    package var isStoreClosed = false
    /// Who is who, and whom not to hear; without it nobody is remembered.
    package var people: PeopleBook?
    /// Which accounts of residents open by a password alone; without it no account can be claimed.
    package var accounts: AccountBook?
    /// Whether what is kept is compared with what neighbours keep; without it only what is said meanwhile is passed on.
    package var compares = true
    /// Whether letters are opened, and keys published to seal them with; without it only what is written here goes out.
    package var hasMail = true
    /// Whether it runs for a moment, for one command: others see it in lists, and no front announces it.
    package var isBrief = false
    /// Who is told what it does: by default the backend that the program has chosen, if any.
    package var metrics: any MetricsFactory = MetricsSystem.factory
    /// What the machine takes the date to be, right or wrong.
    package var machineClock: @Sendable () -> WallTime = Clocks.machine

    package init(identity: Identity, name: PeerName, rooms: [RoomName], mesh: MeshName) {
        self.identity = identity
        self.name = name
        self.rooms = rooms
        self.mesh = mesh
    }

    /// Begins in the rooms in which this person was before, besides those that are named, and remembers them from now on.
    ///
    /// - Parameter named: these come first; without any, the room that was joined last does.
    package mutating func rejoin(_ book: JoinedRooms, named: [RoomName]) {
        joinedRooms = book
        // Which rooms are private is not known without the store: what is said in one must not go out in clear.
        let before = isStoreClosed ? [] : book.read()
        var all = (named + before.reversed()).reduce(into: [RoomName]()) { if !$0.contains($1) { $0.append($1) } }
        // The name may be longer than it was.
        while all.count > max(1, named.count), !Presence.fits(name, all) { all.removeLast() }
        if !all.isEmpty { rooms = all }
    }

    /// - Throws: what a node would end with that is to use this interface.
    package static func check(interface: String) throws(ListenError) {
        try Links.check(interface: interface)
    }

    /// What of it a person has to change where a node cannot be.
    package enum Part: Sendable {
        case port
        case interface
    }

    /// - Returns: `nil` where another choice would not help.
    package static func part(toBlameFor error: ListenError) -> Part? {
        switch error {
        case .portInUse, .notAllowed: .port
        case .noInterface: .interface
        case .failed: nil
        }
    }

    var meshOptions: MeshOptions {
        var options = MeshOptions(mesh: mesh, meshTag: Digest.meshTag(mesh))
        options.policy =
            switch invitations {
            case .auto: .auto
            case .ask: .ask
            case .contacts: .contacts
            case .none: .none
            }
        options.contacts = contacts
        options.context = context
        if let timeToLive { options.timeToLive = timeToLive }
        if let rates { (options.originRate, options.linkRate) = (rates.origin, rates.link) }
        return options
    }
}

/// KiB of new records a second that are taken of one author and by one link, a started KiB counting as one; four seconds' worth is taken
/// at once.
package struct SpeechRates: Hashable, Sendable {
    /// 16–1,000,000.
    package let origin: Int64
    /// 32–1,000,000.
    package let link: Int64

    /// What counts where nothing is said.
    package static let usual = SpeechRates(origin: MeshOptions.originRateUsual, link: MeshOptions.linkRateUsual)

    package init(origin: Int64, link: Int64) {
        precondition((16...1_000_000).contains(origin) && (32...1_000_000).contains(link), "rates have their ranges")
        self.origin = origin
        self.link = link
    }
}

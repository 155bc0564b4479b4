package import CoreMetrics
package import LatticeCore
package import LatticeCrypto
package import LatticeDiscovery
package import LatticeLink
import LatticeMesh
package import LatticePicture
import LatticeSession
import LatticeWire

/// How a node makes photos of what its people choose, and when it fetches those of others.
package struct PhotoSettings: Sendable {
    /// A program that makes photos sets it.
    package var render: PhotoRendering = { _ throws(PictureFault) in throw .failed("this program makes no photos") }
    /// Before anybody looks at them, within a budget.
    package var fetchesUnasked = true
}

package typealias PhotoRendering = @Sendable (_ bytes: [UInt8]) async throws(PictureFault) -> RenderedPhoto

/// All settings of a node before it starts.
package struct NodeConfiguration: Sendable {
    /// Which peers a node links with, of those that it sighted or that invite it.
    package enum InvitationPolicy: String, Sendable, CaseIterable {
        /// Every peer of the same mesh.
        case auto
        /// Peers that the user accepts.
        case ask
        /// Only the peers in `contacts`.
        case contacts
        /// No peer that invites; links begin only where the user names an address or a peer.
        case none
    }

    /// Invitations that this node sends and takes.
    package struct Invitations: Sendable {
        package var policy = InvitationPolicy.auto
        /// Peers that may link under `InvitationPolicy.contacts`.
        package var contacts: Set<PeerID> = []
        /// Sent with each invitation; at most 1,024 bytes.
        package var context: [UInt8] = []
        /// Whose card of the mesh counts from now on; `nil` leaves that as it was.
        package var card: PeerID?
        /// How long a refused peer has to receive the reason; `nil` is the default of `LinkLimits`.
        package var farewell: Duration?
        /// Under `InvitationPolicy.ask`: a peer that a neighbour has let in may link, too.
        package var vouched = false
        /// How long the user may take to answer; `nil` is the default of `MeshLimit`.
        package var answerTime: Duration?
    }

    /// How peers are found, and what they find.
    package struct Announced: Sendable {
        package var mode = DiscoveryMode.auto
        /// What this node says about itself; not in a closed mesh.
        package var info = DiscoveryInfo()
        /// Nobody is announced, looked for or dialled before the program in this process asks for it.
        package var isManual = false
        /// Notifies the program in this process, on the node's loop; it must not wait.
        package var onNews: (@Sendable (NearbyNews) -> Void)?
    }

    package var discovery: DiscoveryMode {
        get { announced.mode }
        set { announced.mode = newValue }
    }

    package var machineClock: @Sendable () -> WallTime {
        get { machine.clock }
        set { machine.clock = newValue }
    }

    /// Version of the link protocol.
    package static let sessionVersion = Handshake.version

    package var identity: Identity
    package var name: PeerName
    package var rooms: [RoomName]
    /// Where the joined public rooms are remembered; `nil`: nowhere.
    package private(set) var joinedRooms: JoinedRooms?
    package var mesh: MeshName
    /// Key of a closed mesh; peers without it learn nothing.
    package var meshKey: MeshKey?
    package var invitations = Invitations()
    /// How far our records travel: 1–64 links; `nil` is 32.
    package var timeToLive: UInt8?
    /// Rate limits for each author and each neighbour; `nil` is the default of `MeshOptions`.
    package var rates: SpeechRates?
    /// 0 lets the system choose.
    package var port: UInt16 = 0
    /// Whether any free port will do if another program uses `port`.
    package var takesOtherPort = false
    /// The only network interface to use; `nil` is all.
    package var interface: String?
    package var announced = Announced()
    /// Addresses that the user gave, dialled until they answer.
    package var given: [PeerAddress] = []
    /// The peer that must answer at an address from an invitation.
    package var expected: [PeerAddress: PeerID] = [:]
    /// The store of records and posts; `nil` stores nothing.
    package var archive: Archive?
    /// The store exists but did not open. It is unknown which rooms are private, so only #lobby can be written to.
    package var isStoreClosed = false
    /// Known people, blocks included; `nil` remembers nobody.
    package var people: PeopleBook?
    /// Which visitors' accounts open by a password alone; without it no account can be claimed.
    package var accounts: AccountBook?
    /// Whether to reconcile with neighbours; otherwise only new records are relayed.
    package var compares = true
    /// Whether to open private messages and publish prekeys; otherwise only own records are sent.
    package var hasMail = true
    /// Runs briefly, for one command: others list it, but no front announces it.
    package var isBrief = false
    /// Where metrics go: by default the backend that the program has chosen, if any.
    package var metrics: any MetricsFactory = MetricsSystem.factory
    package var photos = PhotoSettings()
    package var machine = Machine()

    package init(identity: Identity, name: PeerName, rooms: [RoomName], mesh: MeshName) {
        self.identity = identity
        self.name = name
        self.rooms = rooms
        self.mesh = mesh
    }

    /// Rejoins this person's rooms in addition to the named ones, and remembers them from now on.
    ///
    /// - Parameter named: these come first; without any, the last joined room does.
    package mutating func rejoin(_ book: JoinedRooms, named: [RoomName]) {
        joinedRooms = book
        // Without the store it is unknown which rooms are private, and private lines must not go out in clear.
        let before = isStoreClosed ? [] : book.read()
        var all = (named + before.reversed()).reduce(into: [RoomName]()) { if !$0.contains($1) { $0.append($1) } }
        // The name may be longer than last time.
        while all.count > max(1, named.count), !Presence.fits(name, all) { all.removeLast() }
        if !all.isEmpty { rooms = all }
    }

    /// - Throws: the error that a node with this interface would end with.
    package static func check(interface: String) throws(ListenError) {
        try Links.check(interface: interface)
    }

    /// The setting to change when a node cannot listen.
    package enum Part: Sendable {
        case port
        case interface
    }

    /// - Returns: `nil` if no other setting would help.
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
            switch invitations.policy {
            case .auto: .auto
            case .ask: .ask
            case .contacts: .contacts
            case .none: .none
            }
        options.contacts = invitations.contacts
        options.context = invitations.context
        options.vouched = invitations.vouched
        options.dialsSighted = !announced.isManual
        if let answerTime = invitations.answerTime { options.answerTime = answerTime }
        if let timeToLive { options.timeToLive = timeToLive }
        if let rates { (options.originRate, options.linkRate) = (rates.origin, rates.link) }
        return options
    }
}

/// KiB of new records a second that are accepted from one author and over one link; a started KiB counts as one. Bursts may
/// be four seconds' worth.
package struct SpeechRates: Hashable, Sendable {
    /// 16–1,000,000.
    package let origin: Int64
    /// 32–1,000,000.
    package let link: Int64

    /// Used if none is configured.
    package static let usual = SpeechRates(origin: MeshOptions.originRateUsual, link: MeshOptions.linkRateUsual)

    package init(origin: Int64, link: Int64) {
        precondition((16...1_000_000).contains(origin) && (32...1_000_000).contains(link), "rates have their ranges")
        self.origin = origin
        self.link = link
    }
}

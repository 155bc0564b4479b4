import DequeModule
import LatticeCore
import LatticeDiscovery
import LatticeMesh
import LatticeNode
import OrderedCollections

/// Peers that were found, invitations that wait, and what the program wants of discovery.
struct NearbyBoard: Sendable {
    static let invitationsMax = 16

    /// An invitation that the program has not taken.
    struct Asked: Sendable {
        let peer: LatticeCore.PeerID
        let name: String
        let context: [UInt8]
    }

    /// What the node does next.
    enum Order: Sendable {
        case play(DiscoveryRoles)
        case inform(DiscoveryInfo)
        case turnAway(LatticeCore.PeerID)
        case isOver
    }

    private let isManual: Bool
    private var sightings: OrderedDictionary<AnnouncedPeer, [Sighting]> = [:]
    private var asked: Deque<Asked> = []
    private var turnedAway: Deque<LatticeCore.PeerID> = []
    private var inviting: Set<AnnouncedPeer> = []
    private var outcomes: [AnnouncedPeer: InvitationOutcome] = [:]
    private var hasAdvertiser = false
    private var isBeingRead = false
    private var announcers = 0
    private var browsers = 0
    private var info = DiscoveryInfo()
    private var played: DiscoveryRoles = []
    private var informed = DiscoveryInfo()
    private(set) var isOver = false

    init(isManual: Bool) {
        self.isManual = isManual
    }

    // MARK: - News

    mutating func note(_ news: NearbyNews) {
        switch news {
        case .found(let peer, let sighting):
            sightings[peer, default: []].removeAll { $0.source == sighting.source && $0.address == sighting.address }
            sightings[peer, default: []].append(sighting)
        case .lost(let peer, let sighting):
            sightings[peer]?.removeAll { $0 == sighting }
            if sightings[peer]?.isEmpty == true { sightings[peer] = nil }
        case .invited(let peer, let name, let context):
            asked.removeAll { $0.peer == peer }
            if asked.count < Self.invitationsMax {
                asked.append(Asked(peer: peer, name: name.text, context: context))
            } else {
                turnedAway.append(peer)
            }
        case .left(let peer): asked.removeAll { $0.peer == peer }
        case .answered(let peer, let outcome): if inviting.contains(peer) { outcomes[peer] = outcome }
        case .trouble, .recovered: break
        }
    }

    mutating func end() {
        (isOver, sightings, asked, turnedAway) = (true, [:], [], [])
    }

    // MARK: - The node

    mutating func takeOrder() -> Order? {
        if isOver { return .isOver }
        if let peer = turnedAway.popFirst() { return .turnAway(peer) }
        if info != informed {
            informed = info
            return .inform(info)
        }
        guard isManual, roles != played else { return nil }
        played = roles
        return .play(roles)
    }

    private var roles: DiscoveryRoles {
        var roles: DiscoveryRoles = []
        if announcers > 0 { roles.insert(.announcing) }
        if browsers > 0 { roles.insert(.browsing) }
        return roles
    }

    // MARK: - The program

    /// - Returns: whether there is no other.
    mutating func takeAdvertiser(_ info: DiscoveryInfo) -> Bool {
        guard !hasAdvertiser else { return false }
        (hasAdvertiser, self.info) = (true, info)
        return true
    }

    mutating func inform(_ info: DiscoveryInfo) {
        self.info = info
    }

    mutating func dropAdvertiser() {
        (hasAdvertiser, info) = (false, DiscoveryInfo())
    }

    mutating func count(_ role: DiscoveryRoles, by step: Int) {
        if role == .announcing { announcers += step } else { browsers += step }
    }

    mutating func beginReading() {
        precondition(!isBeingRead, "invitations have one reader at a time")
        isBeingRead = true
    }

    mutating func endReading() {
        isBeingRead = false
    }

    mutating func takeInvitation() -> Asked? { asked.popFirst() }

    /// The first difference between what a reader knows and what is so.
    func difference(from known: [FoundPeer.ID: FoundPeer]) -> Browser.Event? {
        for id in known.keys where sightings[id.target] == nil { return .lost(id) }
        for (target, seen) in sightings {
            guard let found = FoundPeer(target, seen) else { continue }
            if known[found.id] != found { return .found(found) }
        }
        return nil
    }

    /// - Returns: whether no other invitation to this peer waits.
    mutating func beginInviting(_ peer: AnnouncedPeer) -> Bool {
        outcomes[peer] = nil
        return inviting.insert(peer).inserted
    }

    func outcome(of peer: AnnouncedPeer) -> InvitationOutcome? { outcomes[peer] }

    mutating func endInviting(_ peer: AnnouncedPeer) {
        inviting.remove(peer)
        outcomes[peer] = nil
    }
}

/// Something that lasts as long as a sequence is iterated.
final class NearbyLease: Sendable {
    private let board: Watched<NearbyBoard>
    private let role: DiscoveryRoles

    init(_ role: DiscoveryRoles, on board: Watched<NearbyBoard>) {
        (self.role, self.board) = (role, board)
        board.change { $0.count(role, by: 1) }
    }

    deinit {
        board.change { [role] in $0.count(role, by: -1) }
    }
}

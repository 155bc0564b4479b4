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
        /// The link that it came on: the next invitation of this peer has another.
        let link: LinkID
        let name: String
        let context: [UInt8]
    }

    /// What the node does next.
    enum Order: Sendable {
        case play(DiscoveryRoles)
        case inform(DiscoveryInfo)
        case turnAway(LatticeCore.PeerID, LinkID)
        case isOver
    }

    private let isManual: Bool
    private var sightings: OrderedDictionary<AnnouncedPeer, [Sighting]> = [:]
    private var asked: Deque<Asked> = []
    private var turnedAway: Deque<Asked> = []
    private var inviting: Set<AnnouncedPeer> = []
    private var outcomes: [AnnouncedPeer: InvitationOutcome] = [:]
    private var hasAdvertiser = false
    private var isBeingRead = false
    private var announcers = 0
    private var browsers = 0
    private var info = DiscoveryInfo()
    private var played: DiscoveryRoles = []
    private var informed = DiscoveryInfo()
    /// Why discovery does not work at present.
    private(set) var trouble: String?
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
        case .invited(let peer, let name, let context, let link):
            asked.removeAll { $0.peer == peer }
            let new = Asked(peer: peer, link: link, name: name.text, context: context)
            if asked.count < Self.invitationsMax { asked.append(new) } else { turnedAway.append(new) }
        case .left(let peer): asked.removeAll { $0.peer == peer }
        case .answered(let peer, let outcome): if inviting.contains(peer) { outcomes[peer] = outcome }
        case .trouble(let reason): trouble = reason
        case .recovered: trouble = nil
        case .measured: break  // The board of peers has it.
        }
    }

    mutating func end() {
        (isOver, sightings, asked, turnedAway) = (true, [:], [], [])
    }

    // MARK: - The node

    mutating func takeOrder() -> Order? {
        if isOver { return .isOver }
        if let asked = turnedAway.popFirst() { return .turnAway(asked.peer, asked.link) }
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

    /// What comes next for the reader of a sequence.
    enum Next<Element: Sendable>: Sendable {
        case element(Element)
        case trouble(String)
        case over
    }

    /// - Parameter isNew: whether the reader does not know of the trouble that there is.
    mutating func nextInvitation(_ isNew: (String) -> Bool) -> Next<Asked>? {
        if let asked = asked.popFirst() { return .element(asked) }
        return nextEnd(isNew)
    }

    func nextEvent(from known: [FoundPeer.ID: FoundPeer], _ isNew: (String) -> Bool) -> Next<Browser.Event>? {
        if !isOver, let event = difference(from: known) { return .element(event) }
        return nextEnd(isNew)
    }

    private func nextEnd<Element>(_ isNew: (String) -> Bool) -> Next<Element>? {
        if isOver { return .over }
        return trouble.flatMap { isNew($0) ? .trouble($0) : nil }
    }

    /// The first difference between what a reader knows and what is so.
    private func difference(from known: [FoundPeer.ID: FoundPeer]) -> Browser.Event? {
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

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeStore
import LatticeWire

/// An identity that this node speaks for: its owner, or a visitor with keys of their own.
struct Persona {
    /// One visit of a persona. Somebody who left and returned has another visit.
    struct Visit: Hashable, Sendable {
        let id: PeerID
        let number: UInt64
    }

    /// The owner's visit, which lasts as long as the node.
    static let ownersNumber: UInt64 = 0

    let visit: Visit
    /// `nil` for the owner, who has no account here.
    let account: AccountName?
    let identity: Identity
    /// The store seen as this persona; `nil` if nothing is stored.
    let archive: Archive?
    var name: PeerName
    /// Including private ones.
    var rooms: [RoomName]
    var privacy: RoomPrivacy
    /// How it marked people.
    var contactMarks = ContactMarks()

    /// The away text; `nil` if this persona is not away.
    private(set) var away: String?
    /// How many notifications came while this persona was away.
    private(set) var missed = 0

    /// When this persona's presence was last announced.
    var announcedAt: Instant
    /// There is a residence record of this persona, or there was.
    var isVouchedFor = false

    /// A front reads its events. Until then its private messages stay sealed.
    var isListening = false
    /// Fronts that get only this persona's own events.
    var ownFronts = FrontTable()
    /// Fronts that also get public events of its rooms.
    var fronts = FrontTable()

    init(
        visit: Visit, account: AccountName?, identity: Identity, archive: Archive?, name: PeerName, rooms: [RoomName],
        privacy: RoomPrivacy, at now: Instant
    ) {
        (self.visit, self.account, self.identity, self.archive) = (visit, account, identity, archive)
        (self.name, self.rooms, self.privacy) = (name, rooms, privacy)
        announcedAt = now
    }

    /// The owner, who is present while the node runs.
    init(owner configuration: NodeConfiguration, privacy: RoomPrivacy, at now: Instant) {
        let identity = configuration.identity
        self.init(
            visit: Visit(id: identity.peer, number: Self.ownersNumber), account: nil, identity: identity,
            archive: configuration.archive, name: configuration.name, rooms: configuration.rooms, privacy: privacy,
            at: now)
        isListening = true
    }

    var id: PeerID { visit.id }

    var isOwner: Bool { visit.number == Self.ownersNumber }

    var publicRooms: [RoomName] { rooms.filter { privacy.isPublic($0) } }

    /// The presence to announce. An away text that does not fit beside the rooms is left out.
    func presence(isBrief: Bool = false) -> Presence {
        func presence(_ away: String?) -> Presence {
            Presence(isHere: true, name: name, rooms: publicRooms, isBrief: isBrief, away: away)
        }
        let all = presence(away)
        if all.fits { return all }
        let short = presence("")
        return short.fits ? short : presence(nil)
    }

    /// - Parameter text: `nil` means back.
    /// - Returns: how many notifications came while this persona was away.
    mutating func setAway(_ text: String?) -> Int {
        defer { if text == nil { missed = 0 } }
        away = text
        return missed
    }

    func storedArchive() throws(RequestError) -> Archive {
        guard let archive else { throw .store(fault: .missing) }
        return archive
    }

    // MARK: Contacts

    /// A visitor's marks, as stored.
    mutating func take(_ contactMarks: ContactMarks) {
        self.contactMarks = contactMarks
        archive?.store.setBlocked(contactMarks.blocked)
    }

    /// Whether somebody wrote it whom this persona blocks.
    func hides(_ event: NodeEvent) -> Bool {
        guard !contactMarks.blocked.isEmpty, let author = event.author else { return false }
        return contactMarks.blocked.contains(author)
    }

    // MARK: Events

    mutating func deliver(_ event: NodeEvent) {
        guard !hides(event) else { return }
        if away != nil, case .notification = event { missed += 1 }
        ownFronts.tell(event)
        fronts.tell(event)
    }

    func finish() {
        ownFronts.finish()
        fronts.finish()
    }
}

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import OrderedCollections

/// Everybody this node speaks for: the owner, who is always present, and visitors with keys of their own.
///
/// A visitor costs only the memory of its fields: no task, and a stream only on request.
struct Personas {
    private(set) var owner: Persona
    private var visitors: OrderedDictionary<PeerID, Persona> = [:]
    private var idsByAccount: [AccountName: PeerID] = [:]
    /// The number of visitors in each public room.
    private var visitorCounts: [RoomName: Int] = [:]
    private var visitsBegun: UInt64 = Persona.ownersNumber
    /// Visitors whose fronts asked for all events.
    private var listeners: OrderedSet<PeerID> = []
    /// Through which nodes people of other nodes speak.
    var hosts = Hosts()
    /// Fronts that serve many visitors and get public events once.
    private var sharedFronts = FrontTable()
    private var spokenNames = SpokenNames()

    init(owner: Persona) {
        precondition(owner.isOwner, "the first persona is the owner")
        self.owner = owner
        spokenNames.set(owner.name, of: owner.id)
    }

    subscript(_ id: PeerID) -> Persona? { id == owner.id ? owner : visitors[id] }

    /// - Returns: `nil` once that visit is over.
    subscript(_ visit: Persona.Visit) -> Persona? {
        self[visit.id].flatMap { $0.visit == visit ? $0 : nil }
    }

    func visitor(_ id: PeerID) -> Persona? { visitors[id] }

    var hasVisitors: Bool { !visitors.isEmpty }

    /// In order of arrival.
    var visitorIDs: [PeerID] { Array(visitors.keys) }

    func visitorIDs(announcedBefore time: Instant) -> [PeerID] {
        visitors.values.filter { $0.announcedAt <= time }.map(\.id)
    }

    /// The owner, then visitors in order of arrival.
    var all: [PeerID] { [owner.id] + visitors.keys }

    /// Personas with a store, and a front that reads their events; the owner is first.
    var listening: [NewsWork.Listener] {
        ([owner] + visitors.values.filter(\.isListening)).compactMap { persona in
            persona.archive.map {
                NewsWork.Listener(
                    visit: persona.visit, reader: $0.reader, unheard: persona.contactMarks.unheard,
                    rooms: persona.rooms, privacy: persona.privacy)
            }
        }
    }

    /// A persona's place or follows changed.
    func newsScopeChanged(of persona: Persona) { persona.archive?.reader.newsScope.forget() }

    var isFull: Bool { visitors.count >= MeshLimit.visitorsMax }

    func isIn(_ account: AccountName) -> Bool { idsByAccount[account] != nil }

    /// Whether a visitor is in that room, and the room is public for them.
    func hasVisitors(in room: RoomName) -> Bool { visitorCounts[room] != nil }

    /// Whom a line of a public room names.
    func named(in text: String, room: RoomName) -> [PeerID] {
        spokenNames.named(in: text).filter { self[$0]?.publicRooms.contains(room) == true }
    }

    // MARK: - Coming, going, changing

    mutating func came(
        _ account: AccountName, _ identity: Identity, as name: PeerName, privacy: RoomPrivacy,
        contactMarks: ContactMarks,
        archive: Archive?, at now: Instant
    ) -> Persona.Visit {
        precondition(!isFull && !isIn(account), "the caller checks first whether the account can come")
        visitsBegun += 1
        let visit = Persona.Visit(id: identity.peer, number: visitsBegun)
        idsByAccount[account] = identity.peer
        var persona = Persona(
            visit: visit, account: account, identity: identity, archive: archive, name: name, rooms: [],
            privacy: privacy,
            at: now)
        persona.take(contactMarks)
        visitors[identity.peer] = persona
        spokenNames.set(name, of: persona.id)
        return visit
    }

    /// Ends a visit and its fronts' events.
    mutating func went(_ id: PeerID) {
        guard let persona = visitors.removeValue(forKey: id) else { return }
        if let account = persona.account { idsByAccount[account] = nil }
        listeners.remove(id)
        spokenNames.set(nil, of: id)
        count(persona.publicRooms, -1)
        persona.finish()
    }

    mutating func change(_ id: PeerID, _ body: (inout Persona) -> Void) {
        defer { spokenNames.set(self[id]?.name, of: id) }
        guard id != owner.id else { return body(&owner) }
        guard let before = visitors[id]?.publicRooms else { return }
        update(id, body)
        count(before, -1)
        count(visitors[id]?.publicRooms ?? [], 1)
    }

    /// Like `change`, for fields unrelated to rooms.
    private mutating func update(_ id: PeerID, _ body: (inout Persona) -> Void) {
        if id == owner.id { return body(&owner) }
        guard let index = visitors.index(forKey: id) else { return }
        body(&visitors.values[index])
    }

    private mutating func count(_ rooms: [RoomName], _ step: Int) {
        for room in rooms {
            let count = visitorCounts[room, default: 0] + step
            visitorCounts[room] = count > 0 ? count : nil
        }
    }

    // MARK: - Events

    mutating func sharedEvents() -> NodeEvents { sharedFronts.add() }

    /// Events for this persona alone.
    mutating func ownEvents(of visit: Persona.Visit) -> NodeEvents {
        guard self[visit] != nil else { return .over }
        var stream = NodeEvents.over
        update(visit.id) {
            stream = $0.ownFronts.add()
            if $0.contactMarks != ContactMarks() { $0.ownFronts.tell(.contactMarks($0.contactMarks)) }
            $0.isListening = true
        }
        return stream
    }

    mutating func events(of visit: Persona.Visit) -> NodeEvents {
        guard self[visit] != nil else { return .over }
        var stream = NodeEvents.over
        update(visit.id) {
            stream = $0.fronts.add()
            $0.isListening = true
        }
        if visit.id != owner.id { listeners.append(visit.id) }
        return stream
    }

    /// Delivers to all visitors; a line only to those in its room.
    mutating func deliverToVisitors(_ event: NodeEvent) {
        sharedFronts.tell(event)
        for id in listeners {
            guard let index = visitors.index(forKey: id) else { continue }
            if let room = event.room, !visitors.values[index].publicRooms.contains(room) { continue }
            if visitors.values[index].hides(event) { continue }
            visitors.values[index].fronts.tell(event)
        }
    }

    mutating func deliver(_ event: NodeEvent, to id: PeerID) {
        update(id) { $0.deliver(event) }
    }

    mutating func finish() {
        owner.finish()
        for id in Array(visitors.keys) { went(id) }
        sharedFronts.finish()
    }
}

import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Who is here through this node with keys of their own, and what fronts that serve them are told.
///
/// They cost what is written here: none has a task, and none a stream that nobody asked for.
struct Residents {
    /// Names one coming of somebody: who has gone and come again is another.
    struct Stay: Hashable, Sendable {
        let id: PeerID
        fileprivate let number: UInt64
    }

    struct Person {
        let account: AccountName
        let identity: Identity
        var name: PeerName
        /// Private ones among them.
        var rooms: [RoomName] = []
        var privacy: RoomPrivacy
        /// The store in their name; `nil` where nothing is kept.
        let wall: Wall?
        /// Of their own in the store, given to the mesh.
        var lastHandedOver: Int64 = 0
        /// When their keys for letters were looked after last.
        var keysTendedAt: Instant?
        /// When others were told last that they are here.
        var announcedAt: Instant
        fileprivate let number: UInt64
        /// Of what concerns them alone.
        fileprivate var own = FrontTable()
        /// Of that and of what is public in their rooms.
        fileprivate var all = FrontTable()
        /// Somebody reads what they are told: until then letters wait.
        fileprivate var isListening = false
        /// Something may be for them that was not opened: what came while they were away, or what was recognised just now.
        fileprivate var hasBacklog = false
        /// Nobody has looked yet whether anything came while they were away.
        fileprivate var isNew = false
        /// Others were told, or know, through which node they speak.
        var isVouchedFor = false
        /// Whose letters did not open, as they were told.
        fileprivate var lost: Set<PeerID> = []

        var publicRooms: [RoomName] { rooms.filter { privacy.isPublic($0) } }

        var presence: Presence { Presence(isHere: true, name: name, rooms: publicRooms) }
    }

    private(set) var persons: OrderedDictionary<PeerID, Person> = [:]
    private var idsByAccount: [AccountName: PeerID] = [:]
    /// How many are in each public room.
    private var counts: [RoomName: Int] = [:]
    private var staysBegun: UInt64 = 0
    /// Who asked for all events of theirs.
    private var listeners: OrderedSet<PeerID> = []
    /// Of what concerns nobody alone.
    private var everybody = FrontTable()

    var ids: Set<PeerID> { Set(persons.keys) }

    /// In the order in which they came.
    var all: [PeerID] { Array(persons.keys) }

    var isEmpty: Bool { persons.isEmpty }

    var isFull: Bool { persons.count >= MeshLimit.residentsMax }

    subscript(_ id: PeerID) -> Person? { persons[id] }

    /// - Returns: `nil` once they have gone.
    subscript(_ stay: Stay) -> Person? {
        persons[stay.id].flatMap { $0.number == stay.number ? $0 : nil }
    }

    func isIn(_ account: AccountName) -> Bool { idsByAccount[account] != nil }

    /// Whether somebody is in that room, and it is public for them.
    func areIn(_ room: RoomName) -> Bool { counts[room] != nil }

    // MARK: - Coming, going, changing

    mutating func came(
        _ account: AccountName, _ identity: Identity, as name: PeerName, privacy: RoomPrivacy, wall: Wall?,
        at now: Instant
    ) -> Stay {
        precondition(!isFull && !isIn(account), "the caller checks first whether the account can come")
        staysBegun += 1
        idsByAccount[account] = identity.peer
        persons[identity.peer] = Person(
            account: account, identity: identity, name: name, privacy: privacy, wall: wall, announcedAt: now,
            number: staysBegun)
        return Stay(id: identity.peer, number: staysBegun)
    }

    /// What they were told ends.
    mutating func went(_ id: PeerID) {
        guard let person = persons.removeValue(forKey: id) else { return }
        idsByAccount[person.account] = nil
        listeners.remove(id)
        count(person.publicRooms, -1)
        person.own.finish()
        person.all.finish()
    }

    /// The only way in which somebody changes.
    mutating func change(_ id: PeerID, _ body: (inout Person) -> Void) {
        guard var person = persons[id] else { return }
        let before = person.publicRooms
        body(&person)
        persons[id] = person
        count(before, -1)
        count(person.publicRooms, 1)
    }

    private mutating func count(_ rooms: [RoomName], _ step: Int) {
        for room in rooms {
            let count = counts[room, default: 0] + step
            counts[room] = count > 0 ? count : nil
        }
    }

    // MARK: - What is told

    mutating func publicEvents() -> NodeEvents { everybody.add() }

    /// What concerns this person alone.
    mutating func ownEvents(of stay: Stay) -> NodeEvents {
        guard self[stay] != nil, let stream = persons[stay.id]?.own.add() else { return .over }
        listens(stay.id)
        return stream
    }

    mutating func events(of stay: Stay) -> NodeEvents {
        guard self[stay] != nil, let stream = persons[stay.id]?.all.add() else { return .over }
        listeners.append(stay.id)
        listens(stay.id)
        return stream
    }

    private mutating func listens(_ id: PeerID) {
        guard persons[id]?.isListening == false else { return }
        persons[id]?.isListening = true
        persons[id]?.isNew = true
    }

    mutating func tellEverybody(_ event: NodeEvent) {
        everybody.tell(event)
        for id in listeners {
            if case .message(let line) = event, persons[id]?.publicRooms.contains(line.room) != true { continue }
            persons[id]?.all.tell(event)
        }
    }

    mutating func tell(_ event: NodeEvent, to id: PeerID) {
        persons[id]?.own.tell(event)
        persons[id]?.all.tell(event)
    }

    // MARK: - Letters

    /// Between two looks at somebody's keys for letters.
    private static let keysInterval: Duration = .seconds(600)
    private static let lostMax = 1_024

    /// When anybody's keys for letters were looked after last.
    var keysTendedAt: Instant?
    /// Up to which sealed record all who are here were looked at; `nil` before the first look.
    var lookedUpTo: Int64?

    /// Whose letters are opened, in the order in which they came.
    var listening: [PeerID] { persons.values.filter(\.isListening).map(\.identity.peer) }

    func hasBacklog(_ id: PeerID) -> Bool { persons[id].map { $0.hasBacklog || $0.isNew } ?? false }

    mutating func setBacklog(_ hasBacklog: Bool, of id: PeerID) {
        persons[id]?.hasBacklog = hasBacklog
        persons[id]?.isNew = false
    }

    /// Who listens and was not looked after yet.
    var newcomers: [PeerID] { persons.values.filter(\.isNew).map(\.identity.peer) }

    /// Whose keys for letters are to be looked after.
    func keysDue(at now: Instant) -> [PeerID] {
        persons.values.filter { person in
            person.wall != nil && person.keysTendedAt.map { $0.duration(to: now) >= Self.keysInterval } ?? true
        }.map(\.identity.peer)
    }

    mutating func isFirstLoss(of author: PeerID, by id: PeerID) -> Bool {
        guard let count = persons[id]?.lost.count, count < Self.lostMax else { return false }
        return persons[id]?.lost.insert(author).inserted ?? false
    }

    mutating func finish() {
        for id in Array(persons.keys) { went(id) }
        everybody.finish()
    }
}

import LatticeAPI
import LatticeCore

/// Who is in the mesh, and which nick belongs to whom. Nicks are unique on this gateway, but names are not unique in
/// the mesh.
struct IRCPeople {
    enum Holder: Equatable {
        case connection(ConnectionID)
        case peer(PeerID)
        case service
    }

    /// What a person is looked for.
    enum Purpose: Sendable {
        case tell(IRCSaying)
        /// With the channel of the command, see `IRCService.serve`.
        case compareKeys(channel: String?)
    }

    enum Step: Sendable {
        /// Whether a nick that a registered client wants belongs to an account.
        case claimed(String, PeerName)
        case renamed(String)
        case away(String?)
        /// Whether the nick of a client that registers belongs to an account.
        case claimedOnEntry(String)
        case admitted(String, PeerName)
        case found(String, last: PeerID?, Purpose)
    }

    static let nobody = "Nobody here has this nick"
    private static let partnersMax = 256

    /// By folded nick. A connection holds its nick even before it is registered.
    private(set) var holders: [String: Holder] = [IRCService.nick: .service]
    private var people: [PeerID: IRCPerson] = [:]
    /// People who left, the latest last.
    private(set) var gone: [IRCGone] = []
    /// People with whom a client exchanged private messages; it is notified when a nick changes.
    private var partners: [ConnectionID: [PeerID]] = [:]

    subscript(id: PeerID) -> IRCPerson? { people[id] }
    var count: Int { people.count }
    var isEmpty: Bool { people.isEmpty }
    var all: some Collection<IRCPerson> { people.values }

    func isHeld(_ nick: String) -> Bool { holders[IRCNick.folded(nick)] != nil }

    func holder(_ nick: String) -> Holder? { holders[IRCNick.folded(nick)] }

    func otherClient(holding nick: String, than id: ConnectionID) -> ConnectionID? {
        guard case .connection(let other) = holder(nick), other != id else { return nil }
        return other
    }

    enum News: Equatable {
        case nothing
        case came
        /// The name changed, so the nick may have to change.
        case renamed
    }

    /// Somebody on another node is here.
    mutating func isHere(_ change: PresenceChange) -> News {
        defer { people[change.id]?.hops = change.hops }
        guard let known = people[change.id] else {
            let nick = IRCNick.made(from: change.name, change.id) { isHeld($0) }
            holders[IRCNick.folded(nick)] = .peer(change.id)
            people[change.id] = IRCPerson(id: change.id, nick: nick, name: change.name, hops: change.hops)
            return .came
        }
        guard known.name != change.name else { return .nothing }
        people[change.id]?.name = change.name
        return .renamed
    }

    /// - Returns: whether it changed.
    mutating func setAway(_ text: String?, _ person: PeerID) -> Bool {
        guard people[person] != nil, people[person]?.away != text else { return false }
        people[person]?.away = text
        return true
    }

    /// A client was admitted as this person. The mesh may have announced them before; from now on they have the nick
    /// they chose.
    mutating func entered(_ id: ConnectionID, as person: PeerID, _ nick: String, _ name: PeerName) {
        if let known = people[person] { letGo(of: known.nick, .peer(person)) }
        people[person] = IRCPerson(id: person, nick: nick, name: name, hops: 0, connection: id)
    }

    /// Somebody left the mesh.
    mutating func left(_ person: IRCPerson, _ clients: IRCClients) {
        remember(person, clients)
        people[person.id] = nil
        holders[IRCNick.folded(person.nick)] = nil
    }

    /// A client is gone.
    mutating func ended(_ id: ConnectionID, nick: String?) {
        if let nick { letGo(of: nick, .connection(id)) }
        partners[id] = nil
    }

    /// Remembers people for WHOWAS, and for private messages to their last nick.
    mutating func remember(_ person: IRCPerson, _ clients: IRCClients) {
        gone.removeAll { $0.id == person.id && $0.nick == person.nick }
        gone.append(
            IRCGone(
                id: person.id, nick: person.nick, user: clients.user(person), realName: clients.realName(person),
                at: clients.date))
        let goneMax = clients.limits.goneMax
        if gone.count > goneMax { gone.removeFirst(gone.count - goneMax) }
    }

    mutating func spoke(_ id: ConnectionID, with peer: PeerID) {
        guard partners[id]?.contains(peer) != true else { return }
        partners[id, default: []].append(peer)
        if partners[id]?.count ?? 0 > Self.partnersMax { partners[id]?.removeFirst() }
    }

    func arePartners(_ id: ConnectionID, _ peer: PeerID) -> Bool { partners[id]?.contains(peer) == true }

    /// Clients that exchanged private messages with somebody. Their windows have the nick as their name.
    func partners(of peer: PeerID) -> [ConnectionID] { partners.filter { $0.value.contains(peer) }.keys.sorted() }

    /// Assigns a nick to a client.
    ///
    /// - Returns: a peer of another node that had the nick and needs another one here.
    mutating func hold(_ nick: String, _ id: ConnectionID, _ clients: inout IRCClients) -> PeerID? {
        if let old = clients[id]?.nick { letGo(of: old, .connection(id)) }
        let displaced = holder(nick)
        holders[IRCNick.folded(nick)] = .connection(id)
        clients[id]?.nick = nick
        guard case .peer(let peer) = displaced else { return nil }
        return peer
    }

    mutating func letGo(of nick: String, _ holder: Holder) {
        let folded = IRCNick.folded(nick)
        if holders[folded] == holder { holders[folded] = nil }
    }

    /// Reserves a free nick for somebody on another node, who may have had another one.
    mutating func newNick(for person: IRCPerson) -> String {
        letGo(of: person.nick, .peer(person.id))
        let nick = IRCNick.made(from: person.name, person.id) { isHeld($0) }
        holders[IRCNick.folded(nick)] = .peer(person.id)
        return nick
    }

    mutating func call(_ id: PeerID, _ nick: String, name: PeerName? = nil) {
        people[id]?.nick = nick
        if let name { people[id]?.name = name }
    }
}

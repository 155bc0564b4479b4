import LatticeAPI
import LatticeCore

// Resolves nicks to people.
extension IRCPeople {
    /// Finds somebody present, by nick or by plain nick and short id.
    func person(_ nick: String, _ clients: IRCClients) -> IRCPerson? {
        switch holder(nick) {
        case .peer(let peer): return self[peer]
        case .connection(let id): return clients[id]?.person.flatMap { self[$0] }
        case .service: return nil
        case nil: break
        }
        guard let parts = IRCNick.parts(nick), case let person? = person(parts.name, clients),
            person.id.short == parts.short
        else { return nil }
        return person
    }

    /// The author with their current nick. An absent person has their last nick, or one with the short id if that is
    /// taken.
    func speaker(_ id: PeerID, _ name: PeerName?) -> IRCPerson {
        if let person = self[id] { return person }
        let nick = gone.last { $0.id == id }?.nick ?? IRCNick.made(from: name, id) { isHeld($0) }
        let free = isHeld(nick) ? IRCNick.made(from: name, id) { isHeld($0) } : nick
        do {
            let stand = try PeerName(free)
            return IRCPerson(id: id, nick: free, name: name ?? stand, hops: 0)
        } catch {
            preconditionFailure("a nick that was made is a name: \(error)")
        }
    }

    /// The last person who left with this nick.
    func absent(_ nick: String) -> PeerID? {
        gone.last { IRCNick.folded($0.nick) == IRCNick.folded(nick) }?.id
    }

    /// The nick of somebody present, else their short id.
    func called(_ id: PeerID) -> String { self[id]?.nick ?? "#\(id.short)" }

    /// Others in the mesh who would have this nick if they had come first.
    private func namesakes(of person: IRCPerson) -> [IRCPerson] {
        let folded = IRCNick.folded(person.nick)
        return all.filter { other in
            other.id != person.id && IRCNick.folded(IRCNick.made(from: other.name, other.id) { _ in false }) == folded
        }
        .sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
    }

    /// Whether a private message may go out. If several people have this name and the sender has not talked with this
    /// one yet, the sender gets a list instead. A nick that a client of this gateway chose is never ambiguous.
    func isMeant(
        _ person: IRCPerson, as nick: String, by id: ConnectionID, into clients: inout IRCClients
    ) -> Bool {
        guard IRCNick.folded(nick) == IRCNick.folded(person.nick), !arePartners(id, person.id) else { return true }
        let others = namesakes(of: person)
        guard !others.isEmpty else { return true }
        let nicks = others.prefix(Self.namesakesShown).map(\.nick).joined(separator: ", ")
        let more = others.count > Self.namesakesShown ? ", …" : ""
        guard person.connection == nil else {
            clients.note(
                id,
                "Your message goes to \(person.nick) on this node. Others with this name: \(nicks)\(more)")
            return true
        }
        clients.numeric(
            id, .tooManyTargets, [person.nick], trailing: "Several people have this name; nothing was sent")
        let own = IRCNick.suffixed(person.name, person.id)
        clients.note(
            id,
            "Several people are called \(person.nick). Send it again to one of \(own), \(nicks)\(more); WHOIS shows who is who."
        )
        return false
    }

    private static let namesakesShown = 8

    /// Finds somebody known who is not present, by an earlier nick, a known name or a key. The client gets an error if
    /// nobody or more than one person matches.
    ///
    /// - Returns: `nil` if the node was asked, or if more than one person matches.
    func find(
        _ nick: String, for purpose: Purpose, of id: ConnectionID, into clients: inout IRCClients
    ) -> PeerID? {
        let left = gone.filter { IRCNick.folded($0.nick) == IRCNick.folded(nick) }
        if let partner = left.last(where: { arePartners(id, $0.id) }) { return partner.id }
        guard Set(left.map(\.id)).count <= 1 else {
            let nicks = Set(left.map(\.id)).sorted().map { IRCNick.suffixed(nick, $0) }
            Self.areSeveral(nick, nicks, id, into: &clients)
            return nil
        }
        clients.ask(
            id, .known(.find(PeerReference(IRCNick.reference(nick)))),
            then: .people(.found(nick, last: left.last?.id, purpose)))
        return nil
    }

    /// - Parameter last: the last person who left with this nick.
    /// - Returns: the person, if the node knows them or they were here.
    func found(
        _ nick: String, last: PeerID?, _ outcome: IRCOutcome, of id: ConnectionID, into clients: inout IRCClients
    ) -> PeerID? {
        switch outcome {
        case .success(.answer(.known(.person(let person)))): return person.id
        case .failure(let error) where error.code == .ambiguous:
            let nicks = error.candidates.map { IRCNick.suffixed($0.name?.text ?? nick, $0.id) }
            Self.areSeveral(nick, nicks, id, into: &clients)
            return nil
        default:
            if last == nil { clients.nobodyIs(nick, id) }
            return last
        }
    }

    static func areSeveral(_ nick: String, _ nicks: [String], _ id: ConnectionID, into clients: inout IRCClients) {
        let nick = IRCText.named(nick)
        clients.numeric(id, .tooManyTargets, [nick], trailing: "Several people have this name; nothing was done")
        let shown = nicks.prefix(namesakesShown).joined(separator: ", ")
        let more = nicks.count > namesakesShown ? ", …" : ""
        clients.note(id, "Several people are called \(nick). Use one of \(shown)\(more), or a whole key.")
    }
}

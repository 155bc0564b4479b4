import LatticeAPI
import LatticeCore

// Resolves nicks to people. Names are not unique in a mesh.
extension IRCGateway {
    /// Finds somebody present, by nick or by plain nick and short id.
    func person(_ nick: String) -> IRCPerson? {
        switch holders[IRCNick.folded(nick)] {
        case .peer(let peer): return people[peer]
        case .connection(let id): return connections[id]?.person.flatMap { people[$0] }
        case .service: return nil
        case nil: break
        }
        guard let parts = IRCNick.parts(nick), case let person? = person(parts.name), person.id.short == parts.short
        else { return nil }
        return person
    }

    /// Others in the mesh who would have this nick if they had come first.
    private func namesakes(of person: IRCPerson) -> [IRCPerson] {
        let folded = IRCNick.folded(person.nick)
        return people.values.filter { other in
            other.id != person.id && IRCNick.folded(IRCNick.made(from: other.name, other.id) { _ in false }) == folded
        }
        .sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
    }

    /// Whether a private message may go out. If several people have this name and the sender has not talked with this
    /// one yet, the sender gets a list instead. A nick that a client of this gateway chose is never ambiguous.
    mutating func isMeant(_ person: IRCPerson, as nick: String, by id: ConnectionID) -> Bool {
        guard IRCNick.folded(nick) == IRCNick.folded(person.nick),
            connections[id]?.partners.contains(person.id) == false
        else { return true }
        let others = namesakes(of: person)
        guard !others.isEmpty else { return true }
        let nicks = others.prefix(Self.namesakesShown).map(\.nick).joined(separator: ", ")
        let more = others.count > Self.namesakesShown ? ", …" : ""
        guard person.connection == nil else {
            note(
                id,
                "Your message goes to \(person.nick) on this node. Others with this name: \(nicks)\(more)")
            return true
        }
        numeric(id, .tooManyTargets, [person.nick], trailing: "Several people have this name; nothing was sent")
        let own = IRCNick.suffixed(person.name, person.id)
        note(
            id,
            "Several people are called \(person.nick). Send it again to one of \(own), \(nicks)\(more); WHOIS shows who is who."
        )
        return false
    }

    private static let namesakesShown = 8

    /// Finds somebody known who is not present, by an earlier nick, a known name or a key. The client gets an error if
    /// nobody or more than one person matches.
    mutating func findAbsent(
        _ nick: String, of id: ConnectionID,
        then: @escaping @Sendable (inout IRCGateway, ConnectionID, PeerID) -> Void
    ) {
        let left = gone.filter { IRCNick.folded($0.nick) == IRCNick.folded(nick) }
        if let partner = left.last(where: { connections[id]?.partners.contains($0.id) == true }) {
            return then(&self, id, partner.id)
        }
        guard Set(left.map(\.id)).count <= 1 else {
            return ambiguous(nick, Set(left.map(\.id)).sorted().map { IRCNick.suffixed(nick, $0) }, id)
        }
        let last = left.last?.id
        ask(id, .perform(.known(.find(PeerReference(IRCNick.reference(nick)))))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.known(.person(let person)))): then(&gateway, id, person.id)
            case .failure(let error) where error.code == .ambiguous:
                let nicks = error.candidates.map { IRCNick.suffixed($0.name?.text ?? nick, $0.id) }
                gateway.ambiguous(nick, nicks, id)
            default:
                if let last { return then(&gateway, id, last) }
                gateway.numeric(id, .noSuchNick, [IRCGateway.named(nick)], trailing: Self.nobody)
            }
        }
    }

    mutating func ambiguous(_ nick: String, _ nicks: [String], _ id: ConnectionID) {
        let nick = Self.named(nick)
        numeric(id, .tooManyTargets, [nick], trailing: "Several people have this name; nothing was done")
        let shown = nicks.prefix(Self.namesakesShown).joined(separator: ", ")
        let more = nicks.count > Self.namesakesShown ? ", …" : ""
        note(id, "Several people are called \(nick). Use one of \(shown)\(more), or a whole key.")
    }
}

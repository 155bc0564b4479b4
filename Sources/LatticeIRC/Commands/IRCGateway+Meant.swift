import LatticeAPI
import LatticeCore

// Whom a nick means: a name is nobody's alone in a mesh.
extension IRCGateway {
    /// Somebody who is there now, by nick; whoever has a plain one is found by it with their short id, too.
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

    /// Others in the mesh whose nick would be the same, had they come first.
    private func namesakes(of person: IRCPerson) -> [IRCPerson] {
        let folded = IRCNick.folded(person.nick)
        return people.values.filter { other in
            other.id != person.id && IRCNick.folded(IRCNick.made(from: other.name, other.id) { _ in false }) == folded
        }
        .sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
    }

    /// Whether a private line to somebody may go out. Where others are called so, too, and the sender has not spoken with this one
    /// yet, they are told who there is; a nick that a client of this gateway chose is its own all the same.
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
                "your message goes to \(person.nick) on this node; others are called so, too: \(nicks)\(more)")
            return true
        }
        numeric(id, .tooManyTargets, [person.nick], trailing: "Several people are called so; nothing was sent")
        let own = IRCNick.suffixed(person.name, person.id)
        note(
            id,
            "several people are called \(person.nick), and nothing was sent: say it to \(own), \(nicks)\(more); "
                + "WHOIS tells who is who")
        return false
    }

    private static let namesakesShown = 8

    /// Somebody who is not there now, and is known: by a nick they had, by a name they were met under, or by their key. A client is told
    /// where that is nobody, or several.
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
                gateway.numeric(id, .noSuchNick, [IRCGateway.named(nick)], trailing: "No such nick/channel")
            }
        }
    }

    mutating func ambiguous(_ nick: String, _ nicks: [String], _ id: ConnectionID) {
        let nick = Self.named(nick)
        numeric(id, .tooManyTargets, [nick], trailing: "Several people are called so; nothing was done")
        let shown = nicks.prefix(Self.namesakesShown).joined(separator: ", ")
        let more = nicks.count > Self.namesakesShown ? ", …" : ""
        note(id, "several people are called \(nick), and nothing was done: name one of \(shown)\(more), or a whole key")
    }
}

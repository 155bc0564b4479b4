import LatticeAPI
import LatticeCore

/// WHO, WHOIS and other queries about people. The WHOIS queries that are under way are all its state.
enum IRCWho {
    enum Step: Sendable {
        case way(IRCPerson)
        case known(IRCPerson, PeerInfo?)
    }

    private static let example = "WHOIS alice"

    // MARK: - ISON, USERHOST and WHOWAS

    static func isOn(_ params: [String], of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients) {
        guard !params.isEmpty else { return clients.missing(id, "ISON") }
        let nicks = params.flatMap { $0.split(separator: " ") }.prefix(64)
        let here = nicks.compactMap { nick in
            IRCNick.folded(nick) == IRCService.nick ? IRCService.nick : people.person(String(nick), clients)?.nick
        }
        clients.numeric(id, .ison, trailing: here.joined(separator: " "))
    }

    static func userHost(_ params: [String], of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients) {
        guard !params.isEmpty else { return clients.missing(id, "USERHOST") }
        let hosts = params.prefix(5).compactMap { people.person($0, clients) }.map { person in
            let isAway = person.away != nil
            return "\(person.nick)=\(isAway ? "-" : "+")\(clients.user(person))@\(IRCClients.host(person.id))"
        }
        clients.numeric(id, .userhost, trailing: hosts.joined(separator: " "))
    }

    static func whoWas(_ params: [String], of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients) {
        guard let nick = params.first, !nick.isEmpty else {
            return clients.numeric(id, .noNicknameGiven, trailing: "Say whose nick: \(example)")
        }
        let count = params.count > 1 ? Int(params[1]) ?? 0 : 0
        let found = people.gone.reversed().filter { IRCNick.folded($0.nick) == IRCNick.folded(nick) }
        if found.isEmpty {
            clients.numeric(id, .wasNoSuchNick, [IRCText.named(nick)], trailing: "Nobody had this nick")
        }
        for one in found.prefix(count > 0 ? count : 16) {
            clients.numeric(
                id, .whowasUser, [one.nick, one.user, IRCClients.host(one.id), "*"], trailing: one.realName)
            clients.numeric(
                id, .whoisServer, [one.nick, clients.serverName], trailing: "until \(RFC3339.string(one.at))")
        }
        clients.numeric(id, .whowasEnd, [IRCText.named(nick)], trailing: "End of WHOWAS")
    }

    // MARK: - WHOIS

    /// WHOIS [server] nick
    static func whoIs(_ params: [String], of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients) {
        guard let nick = params.last.map({ IRCText.items($0).first ?? "" }), !nick.isEmpty else {
            return clients.numeric(id, .noNicknameGiven, trailing: "Say whose nick: \(example)")
        }
        if IRCNick.folded(nick) == IRCService.nick { return whoIsService(id, into: &clients) }
        guard let person = people.person(nick, clients) else {
            clients.nobodyIs(nick, id)
            return clients.numeric(id, .whoisEnd, [IRCText.named(nick)], trailing: "End of /WHOIS list")
        }
        clients.ask(id, .peers, then: .who(.way(person)))
    }

    private static func whoIsService(_ id: ConnectionID, into clients: inout IRCClients) {
        let (nick, server) = (IRCService.nick, clients.serverName)
        clients.numeric(
            id, .whoisUser, [nick, nick, server, "*"], trailing: "The gateway itself; /msg \(nick) help")
        clients.numeric(id, .whoisServer, [nick, server], trailing: "This gateway")
        clients.numeric(id, .whoisBot, [nick], trailing: "is a bot")
        clients.numeric(id, .whoisEnd, [nick], trailing: "End of /WHOIS list")
    }

    /// - Parameter spokeAt: when a person on this gateway last said something.
    static func answered(
        _ step: Step, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        spokeAt: (IRCConnection) -> Instant, into clients: inout IRCClients
    ) {
        switch step {
        case .way(let person):
            var info: PeerInfo?
            if case .success(.answer(.peers(let peers))) = outcome { info = peers.first { $0.id == person.id } }
            let find = IRCRequest.known(.find(PeerReference(person.id.hex)))
            clients.ask(id, .performForOwner(find), then: .who(.known(person, info)))
        case .known(let person, let info):
            var known: KnownPerson?
            if case .success(.answer(.known(.person(let found)))) = outcome { known = found }
            let way = way(person, info, people)
            tell(person, way, known, id, rooms, spokeAt: spokeAt, into: &clients)
        }
    }

    private static func tell(
        _ person: IRCPerson, _ way: String, _ known: KnownPerson?, _ id: ConnectionID, _ rooms: IRCRooms,
        spokeAt: (IRCConnection) -> Instant, into clients: inout IRCClients
    ) {
        let nick = person.nick
        let connection = clients.connection(of: person)
        clients.numeric(
            id, .whoisUser, [nick, clients.user(person), IRCClients.host(person.id), "*"],
            trailing: clients.realName(person))
        sendRooms(person, id, rooms, into: &clients)
        let place = person.hops == 0 ? "On this node" : "Somewhere in the mesh"
        clients.numeric(id, .whoisServer, [nick, clients.serverName], trailing: place)
        if let away = person.awayText { clients.numeric(id, .away, [nick], trailing: away) }
        if let account = connection?.account {
            clients.numeric(id, .whoisAccount, [nick, account.text], trailing: "is signed in as")
        }
        if connection?.isBot == true { clients.numeric(id, .whoisBot, [nick], trailing: "is a bot") }
        if connection?.isSecure == true {
            clients.numeric(id, .whoisSecure, [nick], trailing: "is using a secure connection")
        }
        clients.numeric(id, .whoisSpecial, [nick], trailing: "has the key \(person.id.hex)")
        clients.numeric(id, .whoisSpecial, [nick], trailing: way)
        let verified =
            if clients[id]?.contactMarks.verified.contains(person.id) == true {
                "is verified by you"
            } else if known?.verified != nil {
                "is verified by the owner of this node"
            } else {
                "is not verified; compare the number of /msg mesh safety \(nick) by voice"
            }
        clients.numeric(id, .whoisSpecial, [nick], trailing: verified)
        if let connection {
            let idle = max(0, spokeAt(connection).duration(to: clients.now).components.seconds)
            clients.numeric(
                id, .whoisIdle, [nick, "\(idle)", "\(connection.signedOn.milliseconds / 1_000)"],
                trailing: "seconds idle, signon time")
        }
        clients.numeric(id, .whoisEnd, [nick], trailing: "End of /WHOIS list")
    }

    private static func sendRooms(
        _ person: IRCPerson, _ id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        var line = IRCLine(
            source: clients.serverName, IRCNumeric.whoisChannels.text, [clients[id]?.nick ?? "*", person.nick])
        let all = rooms.publicRooms(of: person.id) + rooms.privateRooms(of: id, with: person.id)
        let names = all.sorted().map(\.text).joined(separator: " ")
        for piece in IRCText.lines(names, bytesMax: line.textBytesLeft) {
            line.trailing = piece
            clients.reply(id, line)
        }
    }

    private static func way(_ person: IRCPerson, _ info: PeerInfo?, _ people: IRCPeople) -> String {
        if person.hops == 0 { return "is on this node" }
        let hops = person.hops == 1 ? "1 hop" : "\(person.hops) hops"
        if let host = info?.host { return "is \(hops) away, on the node of \(people.called(host))" }
        guard let via = info?.via, via != person.id else { return "is \(hops) away" }
        return "is \(hops) away, reached through \(people.called(via))"
    }

    // MARK: - WHO and WHOX

    static func who(
        _ params: [String], of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        spokeAt: (IRCConnection) -> Instant, into clients: inout IRCClients
    ) {
        let mask = params.first ?? "*"
        let fields = params.count > 1 && params[1].hasPrefix("%") ? IRCWhoFields(params[1]) : nil
        let found = found(mask, for: id, people, rooms, clients).prefix(clients.limits.rowsMax)
        for (person, channel) in found {
            if let fields {
                let row = row(person, channel, fields, spokeAt: spokeAt, clients)
                clients.numeric(id, .whoxReply, row)
            } else {
                clients.numeric(
                    id, .whoReply,
                    [
                        channel, clients.user(person), IRCClients.host(person.id), clients.serverName, person.nick,
                        flags(person, clients),
                    ],
                    trailing: "\(person.hops) \(clients.realName(person))")
            }
        }
        clients.numeric(id, .whoEnd, [IRCText.named(mask)], trailing: "End of WHO list")
    }

    private static func found(
        _ mask: String, for id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms, _ clients: IRCClients
    ) -> [(IRCPerson, String)] {
        if IRCChannel.isOne(mask) {
            guard let channel = IRCChannel(named: mask) else { return [] }
            return rooms.occupants(channel, for: id, people, clients).map { ($0, channel.name) }
        }
        func row(_ person: IRCPerson) -> (IRCPerson, String) {
            (person, rooms.publicRooms(of: person.id).min()?.text ?? "*")
        }
        if let person = people.person(mask, clients) { return [row(person)] }
        let mask = mask == "0" ? "*" : mask
        return people.all.filter { person in
            IRCMask.matches(person.nick, mask) || IRCMask.matches(IRCClients.host(person.id), mask)
        }
        .sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
        .map(row)
    }

    private static func flags(_ person: IRCPerson, _ clients: IRCClients) -> String {
        let connection = clients.connection(of: person)
        return (person.away == nil ? "H" : "G") + (connection?.isBot == true ? "B" : "")
    }

    private static func row(
        _ person: IRCPerson, _ channel: String, _ fields: IRCWhoFields, spokeAt: (IRCConnection) -> Instant,
        _ clients: IRCClients
    ) -> [String] {
        let connection = clients.connection(of: person)
        let idle = connection.map { max(0, spokeAt($0).duration(to: clients.now).components.seconds) } ?? 0
        return fields.letters.map { letter in
            switch letter {
            case "t": fields.token
            case "c": channel
            case "u": clients.user(person)
            case "i": "255.255.255.255"  // People in a mesh have no address.
            case "h": IRCClients.host(person.id)
            case "s": clients.serverName
            case "n": person.nick
            case "f": flags(person, clients)
            case "d": "\(person.hops)"
            case "l": "\(idle)"
            case "a": connection?.account?.text ?? "0"
            case "o": "n/a"
            default: ":\(clients.realName(person))"
            }
        }
    }
}

/// `%tcuhnf,42` (WHOX): the requested fields in the order of the reply, and a token.
struct IRCWhoFields: Equatable {
    let letters: [Character]
    let token: String

    init(_ text: String) {
        let parts = text.dropFirst().split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        let wanted = parts.first ?? ""
        letters = "tcuihsnfdlaor".filter(wanted.contains).map(\.self)
        let token = parts.count > 1 ? parts[1].filter(\.isNumber).prefix(3) : ""
        self.token = token.isEmpty ? "0" : String(token)
    }
}

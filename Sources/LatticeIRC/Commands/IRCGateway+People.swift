import LatticeAPI
import LatticeCore

// WHO, WHOIS and other queries about people.
extension IRCGateway {
    mutating func aboutPeople(_ command: IRCCommand, _ params: [String], of id: ConnectionID) {
        switch command {
        case .who: who(params, of: id)
        case .whois: whois(params, of: id)
        case .whowas: whowas(params, of: id)
        case .monitor: monitor(params, of: id)
        case .ison:
            guard !params.isEmpty else { return missing(id, "ISON") }
            let nicks = params.flatMap { $0.split(separator: " ") }.prefix(64)
            let here = nicks.compactMap { nick in
                IRCNick.folded(nick) == IRCService.nick ? IRCService.nick : person(String(nick))?.nick
            }
            numeric(id, .ison, trailing: here.joined(separator: " "))
        default:
            guard !params.isEmpty else { return missing(id, "USERHOST") }
            let hosts = params.prefix(5).compactMap { person($0) }.map { person in
                let isAway = person.connection.flatMap { connections[$0]?.away } != nil
                return "\(person.nick)=\(isAway ? "-" : "+")\(user(person))@\(host(person.id))"
            }
            numeric(id, .userhost, trailing: hosts.joined(separator: " "))
        }
    }

    /// WHOIS [server] nick
    private mutating func whois(_ params: [String], of id: ConnectionID) {
        guard let nick = params.last.map({ Self.items($0).first ?? "" }), !nick.isEmpty else {
            return numeric(id, .noNicknameGiven, trailing: "Say whose nick: \(Self.example)")
        }
        if IRCNick.folded(nick) == IRCService.nick { return whoisService(id) }
        guard let person = person(nick) else {
            numeric(id, .noSuchNick, [Self.named(nick)], trailing: Self.nobody)
            return numeric(id, .whoisEnd, [Self.named(nick)], trailing: "End of /WHOIS list")
        }
        ask(id, .perform(.peers)) { gateway, id, outcome in
            var info: PeerInfo?
            if case .success(.answer(.peers(let peers))) = outcome { info = peers.first { $0.id == person.id } }
            let way = info
            let find = IRCRequest.known(.find(PeerReference(person.id.hex)))
            gateway.ask(id, .performForOwner(find)) { gateway, id, outcome in
                var known: KnownPerson?
                if case .success(.answer(.known(.person(let found)))) = outcome { known = found }
                gateway.tellWho(person, way, known, id)
            }
        }
    }

    private mutating func whoisService(_ id: ConnectionID) {
        let nick = IRCService.nick
        numeric(
            id, .whoisUser, [nick, nick, settings.serverName, "*"], trailing: "The gateway itself; /msg \(nick) help")
        numeric(id, .whoisServer, [nick, settings.serverName], trailing: "This gateway")
        numeric(id, .whoisBot, [nick], trailing: "is a bot")
        numeric(id, .whoisEnd, [nick], trailing: "End of /WHOIS list")
    }

    private mutating func tellWho(_ person: IRCPerson, _ way: PeerInfo?, _ known: KnownPerson?, _ id: ConnectionID) {
        let nick = person.nick
        let connection = person.connection.flatMap { connections[$0] }
        numeric(id, .whoisUser, [nick, user(person), host(person.id), "*"], trailing: realName(person))
        tellRooms(person, id)
        let place = person.hops == 0 ? "On this node" : "Somewhere in the mesh"
        numeric(id, .whoisServer, [nick, settings.serverName], trailing: place)
        if let away = connection?.away { numeric(id, .away, [nick], trailing: away) }
        if let account = connection?.account {
            numeric(id, .whoisAccount, [nick, account.text], trailing: "is signed in as")
        }
        if connection?.isBot == true { numeric(id, .whoisBot, [nick], trailing: "is a bot") }
        if connection?.isSecure == true { numeric(id, .whoisSecure, [nick], trailing: "is using a secure connection") }
        numeric(id, .whoisSpecial, [nick], trailing: "has the key \(person.id.hex)")
        numeric(id, .whoisSpecial, [nick], trailing: self.way(person, way))
        numeric(
            id, .whoisSpecial, [nick],
            trailing: known?.verified == nil
                ? "is not verified; compare the number of /msg mesh safety \(nick) by voice"
                : "is verified by the owner of this node")
        if let connection {
            let idle = max(0, connection.spokeAt.duration(to: now).components.seconds)
            numeric(
                id, .whoisIdle, [nick, "\(idle)", "\(connection.signedOn.milliseconds / 1_000)"],
                trailing: "seconds idle, signon time")
        }
        numeric(id, .whoisEnd, [nick], trailing: "End of /WHOIS list")
    }

    private mutating func tellRooms(_ person: IRCPerson, _ id: ConnectionID) {
        var line = IRCLine(
            source: settings.serverName, IRCNumeric.whoisChannels.text, [connections[id]?.nick ?? "*", person.nick])
        let shared =
            connections[id]?.rooms.filter { $0.value.members?.contains(person.id) == true }.keys.map(\.self) ?? []
        let rooms = (person.rooms + shared).sorted().map(\.text).joined(separator: " ")
        for piece in IRCText.lines(rooms, bytesMax: line.textBytesLeft) {
            line.trailing = piece
            reply(id, line)
        }
    }

    private func way(_ person: IRCPerson, _ info: PeerInfo?) -> String {
        if person.hops == 0 { return "is on this node" }
        let hops = person.hops == 1 ? "1 hop" : "\(person.hops) hops"
        if let host = info?.host { return "is \(hops) away, on the node of \(called(host))" }
        guard let via = info?.via, via != person.id else { return "is \(hops) away" }
        return "is \(hops) away, reached through \(called(via))"
    }

    private func called(_ id: PeerID) -> String { people[id]?.nick ?? "#\(id.short)" }

    private mutating func whowas(_ params: [String], of id: ConnectionID) {
        guard let nick = params.first, !nick.isEmpty else {
            return numeric(id, .noNicknameGiven, trailing: "Say whose nick: \(Self.example)")
        }
        let count = params.count > 1 ? Int(params[1]) ?? 0 : 0
        let found = gone.reversed().filter { IRCNick.folded($0.nick) == IRCNick.folded(nick) }
        if found.isEmpty {
            numeric(id, .wasNoSuchNick, [Self.named(nick)], trailing: "Nobody had this nick")
        }
        for one in found.prefix(count > 0 ? count : 16) {
            numeric(id, .whowasUser, [one.nick, one.user, host(one.id), "*"], trailing: one.realName)
            numeric(id, .whoisServer, [one.nick, settings.serverName], trailing: "until \(RFC3339.string(one.at))")
        }
        numeric(id, .whowasEnd, [Self.named(nick)], trailing: "End of WHOWAS")
    }

    private static let example = "WHOIS alice"

    // MARK: WHO and WHOX

    private mutating func who(_ params: [String], of id: ConnectionID) {
        let mask = params.first ?? "*"
        let fields = params.count > 1 && params[1].hasPrefix("%") ? IRCWhoFields(params[1]) : nil
        for (person, channel) in found(mask, for: id).prefix(limits.rowsMax) {
            if let fields {
                numeric(id, .whoxReply, row(person, channel, fields))
            } else {
                numeric(
                    id, .whoReply,
                    [channel, user(person), host(person.id), settings.serverName, person.nick, flags(person)],
                    trailing: "\(person.hops) \(realName(person))")
            }
        }
        numeric(id, .whoEnd, [Self.named(mask)], trailing: "End of WHO list")
    }

    private func found(_ mask: String, for id: ConnectionID) -> [(IRCPerson, String)] {
        if IRCChannel.isOne(mask) {
            do throws(NameError) {
                let channel = try IRCChannel(mask)
                return occupants(channel, for: id).map { ($0, Self.text(channel)) }
            } catch {
                return []
            }
        }
        if let person = person(mask) { return [(person, person.rooms.min()?.text ?? "*")] }
        let mask = mask == "0" ? "*" : mask
        return people.values.filter { person in
            IRCMask.matches(person.nick, mask) || IRCMask.matches(host(person.id), mask)
        }
        .sorted { $0.nick.utf8.lexicographicallyPrecedes($1.nick.utf8) }
        .map { ($0, $0.rooms.min()?.text ?? "*") }
    }

    private func flags(_ person: IRCPerson) -> String {
        let connection = person.connection.flatMap { connections[$0] }
        return (connection?.away == nil ? "H" : "G") + (connection?.isBot == true ? "B" : "")
    }

    private func row(_ person: IRCPerson, _ channel: String, _ fields: IRCWhoFields) -> [String] {
        let connection = person.connection.flatMap { connections[$0] }
        let idle = connection.map { max(0, $0.spokeAt.duration(to: now).components.seconds) } ?? 0
        return fields.letters.map { letter in
            switch letter {
            case "t": fields.token
            case "c": channel
            case "u": user(person)
            case "i": "255.255.255.255"  // People in a mesh have no address.
            case "h": host(person.id)
            case "s": settings.serverName
            case "n": person.nick
            case "f": flags(person)
            case "d": "\(person.hops)"
            case "l": "\(idle)"
            case "a": connection?.account?.text ?? "0"
            case "o": "n/a"
            default: ":\(realName(person))"
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

import LatticeAPI
import LatticeCore

// What clients say about themselves: AWAY, SETNAME and MODE.
extension IRCPeople {
    func away(_ text: String, of id: ConnectionID, into clients: inout IRCClients) {
        let text = IRCText.clipped(DisplayText.safe(text), bytesMax: IRCLimits.awayBytes)
        let away = text.isEmpty ? nil : text
        clients.ask(id, .away(away), then: .people(.away(away)))
    }

    mutating func answeredAway(
        _ text: String?, _ outcome: IRCOutcome, of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard case .success(.answer(.away(let missed))) = outcome else {
            if case .failure(let error) = outcome { clients.note(id, "AWAY: \(error.words)") }
            return
        }
        if text == nil {
            clients.numeric(id, .unaway, trailing: "You are back")
            if missed > 0 {
                let count = IRCText.counted(missed, "notification")
                clients.note(id, "\(count) while you were away; /msg \(IRCService.nick) notifications lists them")
            }
        } else {
            clients.numeric(id, .nowAway, trailing: "You are marked as away")
        }
        if let person = clients[id]?.person { isAway(person, text, rooms, into: &clients) }
    }

    /// Stores the away text of a person, and shows the change to clients with `away-notify`.
    mutating func isAway(_ id: PeerID, _ text: String?, _ rooms: IRCRooms, into clients: inout IRCClients) {
        guard setAway(text, id), let person = self[id] else { return }
        let line = clients.line(from: person, "AWAY", trailing: person.awayText)
        clients.spread(line, to: clients.having(.awayNotify, rooms.witnesses(of: person)))
    }

    func setName(_ params: [String], of id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients) {
        guard let name = params.first, !name.isEmpty else { return clients.missing(id, "SETNAME") }
        guard name.utf8.count <= IRCLimits.realNameBytes else {
            return clients.fail(
                id, "SETNAME", "INVALID_REALNAME",
                trailing: "Your real name is too long: at most \(IRCLimits.realNameBytes) bytes")
        }
        clients[id]?.realName = DisplayText.safe(name)
        guard let person = clients[id]?.person.flatMap({ self[$0] }) else { return }
        let line = clients.line(of: id, "SETNAME", trailing: DisplayText.safe(name))
        if clients.has(.setname, id) { clients.reply(id, line) }
        clients.spread(line, to: clients.having(.setname, rooms.witnesses(of: person)))
    }

    func mode(_ nick: String, _ change: String?, of id: ConnectionID, into clients: inout IRCClients) {
        guard let connection = clients[id], IRCNick.folded(nick) == IRCNick.folded(connection.nick ?? "") else {
            guard person(nick, clients) != nil else { return clients.nobodyIs(nick, id) }
            return clients.numeric(id, .usersDoNotMatch, trailing: "You can only change your own modes")
        }
        guard let change else {
            return clients.numeric(id, .userModeIs, [connection.isBot ? "+B" : "+"])
        }
        var (isOn, isUnknown) = (true, false)
        for sign in change {
            switch sign {
            case "+": isOn = true
            case "-": isOn = false
            case "B":
                guard clients[id]?.isBot != isOn else { continue }
                clients[id]?.isBot = isOn
                let params = [connection.nick ?? "*", isOn ? "+B" : "-B"]
                clients.reply(id, IRCLine(source: clients.mask(id), "MODE", params))
            case "i": continue  // All clients request it; it has no effect here.
            default: isUnknown = true
            }
        }
        if isUnknown {
            clients.numeric(id, .userModeUnknown, trailing: "Unknown mode; use +B, which marks you as a bot")
        }
    }
}

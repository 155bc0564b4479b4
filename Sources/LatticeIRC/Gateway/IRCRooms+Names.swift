import LatticeAPI
import LatticeCore

// NAMES and LIST.
extension IRCRooms {
    /// Asks the node for the members of a private room first; newcomers are shown with a JOIN.
    func names(_ name: String, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients) {
        guard case .room(let room)? = IRCChannel(named: name), isInPrivate(room, id) else {
            return showNames(name, of: id, people, into: &clients)
        }
        clients.ask(id, .room(.members(room)), then: .rooms(.members(room)))
    }

    func showNames(_ name: String, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients) {
        guard let channel = IRCChannel(named: name) else {
            return clients.numeric(id, .namesEnd, [IRCText.named(name)], trailing: "End of /NAMES list")
        }
        let isLong = clients.has(.userhostInNames, id)
        var names = occupants(channel, for: id, people, clients).map { isLong ? clients.mask($0) : $0.nick }
        if channel == .status { names.append(isLong ? clients.serviceMask : IRCService.nick) }
        var isClosed = false
        if case .room(let room) = channel { isClosed = isInPrivate(room, id) }
        var line = IRCLine(
            source: clients.serverName, IRCNumeric.namesReply.text,
            [clients[id]?.nick ?? "*", isClosed ? "@" : "=", channel.name])
        var piece = ""
        for name in names {
            if piece.utf8.count + name.utf8.count + 1 > line.textBytesLeft {
                line.trailing = piece
                clients.reply(id, line)
                piece = ""
            }
            piece += piece.isEmpty ? name : " \(name)"
        }
        line.trailing = piece
        if !piece.isEmpty { clients.reply(id, line) }
        clients.numeric(id, .namesEnd, [channel.name], trailing: "End of /NAMES list")
    }

    /// LIST, with masks and numbers of people (ELIST=MU). Topics are those of rooms that the client is in.
    func list(_ wanted: [String], of id: ConnectionID, into clients: inout IRCClients) {
        var rows = counts.map { ($0.room.text, $0.count, topic(of: $0.room, for: id)?.text) }
        rows.append((IRCChannel.statusName, audience(of: .status).count + 1, IRCChannel.status.fixedTopic))
        rows.append((IRCChannel.postsName, audience(of: .posts).count, IRCChannel.posts.fixedTopic))
        rows.sort { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        for item in wanted {
            if let count = Int(item.dropFirst()), item.hasPrefix(">") {
                rows.removeAll { $0.1 <= count }
            } else if let count = Int(item.dropFirst()), item.hasPrefix("<") {
                rows.removeAll { $0.1 >= count }
            }
        }
        let masks = wanted.filter { !$0.hasPrefix(">") && !$0.hasPrefix("<") }.prefix(16)
        if !masks.isEmpty { rows.removeAll { row in !masks.contains { IRCMask.matches(row.0, $0) } } }
        clients.numeric(id, .listStart, ["Channel"], trailing: "People and topic")
        for row in rows.prefix(clients.limits.rowsMax) {
            clients.numeric(id, .list, [row.0, "\(row.1)"], trailing: row.2 ?? "")
        }
        clients.numeric(id, .listEnd, trailing: "End of /LIST")
    }
}

import LatticeCore

/// The nicks that clients watch (IRCv3 MONITOR).
struct IRCMonitor {
    /// Folded nicks in the order they were added, with their original spelling.
    private var watched: [ConnectionID: [(folded: String, nick: String)]] = [:]

    mutating func ended(_ id: ConnectionID) { watched[id] = nil }

    mutating func monitor(_ params: [String], of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients)
    {
        guard let sub = params.first?.uppercased() else { return clients.missing(id, "MONITOR") }
        let nicks = params.count > 1 ? IRCText.items(params[1]) : []
        switch sub {
        case "+": watch(nicks, of: id, people, into: &clients)
        case "-":
            let folded = Set(nicks.map { IRCNick.folded($0) })
            watched[id]?.removeAll { folded.contains($0.folded) }
        case "C": watched[id] = nil
        case "L":
            Self.list(id, .monitorList, watchedNicks(of: id), into: &clients)
            clients.numeric(id, .monitorListEnd, trailing: "End of MONITOR list")
        case "S": sendStates(of: watchedNicks(of: id), id, people, into: &clients)
        default: clients.numeric(id, .unknownCommand, ["MONITOR"], trailing: "Use MONITOR + - C L or S")
        }
    }

    private func watchedNicks(of id: ConnectionID) -> [String] { watched[id]?.map(\.nick) ?? [] }

    private mutating func watch(
        _ nicks: [String], of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        let monitorMax = clients.limits.monitorMax
        var added: [String] = []
        for (number, nick) in nicks.enumerated() where IRCNick.isValid(nick) {
            let (folded, known) = (IRCNick.folded(nick), watched[id] ?? [])
            guard !known.contains(where: { $0.folded == folded }) else { continue }
            guard known.count < monitorMax else {
                let rest = nicks[number...].prefix(10).joined(separator: ",")
                clients.numeric(
                    id, .monitorListFull, ["\(monitorMax)", rest],
                    trailing: "You watch \(monitorMax) nicks, the most there can be")
                break
            }
            watched[id, default: []].append((folded, nick))
            added.append(nick)
        }
        sendStates(of: added, id, people, into: &clients)
    }

    private func sendStates(
        of nicks: [String], _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        let here = nicks.compactMap { people.person($0, clients) }.map { clients.mask($0) }
        Self.list(id, .monitorOnline, here, into: &clients)
        let absent = nicks.filter { people.person($0, clients) == nil }
        Self.list(id, .monitorOffline, absent, into: &clients)
    }

    private static func list(
        _ id: ConnectionID, _ number: IRCNumeric, _ items: [String], into clients: inout IRCClients
    ) {
        for start in stride(from: 0, to: items.count, by: 5) {
            clients.numeric(id, number, trailing: items[start..<min(start + 5, items.count)].joined(separator: ","))
        }
    }

    /// Notifies clients that watch a nick.
    func changed(_ nick: String, isHere: Bool, _ people: IRCPeople, into clients: inout IRCClients) {
        let folded = IRCNick.folded(nick)
        let watching = watched.filter { $0.value.contains { $0.folded == folded } }.keys.sorted()
        for id in watching where clients[id]?.isRegistered == true {
            let text = isHere ? people.person(nick, clients).map { clients.mask($0) } ?? nick : nick
            clients.write(
                id,
                IRCLine(
                    source: clients.serverName, (isHere ? IRCNumeric.monitorOnline : .monitorOffline).text,
                    [clients[id]?.nick ?? "*"], trailing: text))
        }
    }
}

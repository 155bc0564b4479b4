import LatticeCore

// Watching nicks (IRCv3 MONITOR).
extension IRCGateway {
    mutating func monitor(_ params: [String], of id: ConnectionID) {
        guard let sub = params.first?.uppercased() else { return missing(id, "MONITOR") }
        let nicks = params.count > 1 ? Self.items(params[1]) : []
        switch sub {
        case "+": watch(nicks, of: id)
        case "-":
            let folded = Set(nicks.map { IRCNick.folded($0) })
            connections[id]?.monitored.removeAll { folded.contains($0.folded) }
        case "C": connections[id]?.monitored = []
        case "L":
            listed(id, .monitorList, connections[id]?.monitored.map(\.nick) ?? [])
            numeric(id, .monitorListEnd, trailing: "End of MONITOR list")
        case "S": tellStates(of: connections[id]?.monitored.map(\.nick) ?? [], id)
        default: numeric(id, .unknownCommand, ["MONITOR"], trailing: "Use MONITOR + - C L or S")
        }
    }

    private mutating func watch(_ nicks: [String], of id: ConnectionID) {
        var added: [String] = []
        for (number, nick) in nicks.enumerated() where IRCNick.isValid(nick) {
            let folded = IRCNick.folded(nick)
            guard let known = connections[id]?.monitored, !known.contains(where: { $0.folded == folded }) else {
                continue
            }
            guard known.count < limits.monitorMax else {
                let rest = nicks[number...].prefix(10).joined(separator: ",")
                numeric(
                    id, .monitorListFull, ["\(limits.monitorMax)", rest],
                    trailing: "You watch \(limits.monitorMax) nicks, the most there can be")
                break
            }
            connections[id]?.monitored.append((folded, nick))
            added.append(nick)
        }
        tellStates(of: added, id)
    }

    private mutating func tellStates(of nicks: [String], _ id: ConnectionID) {
        let here = nicks.compactMap { person($0) }
        listed(id, .monitorOnline, here.map(mask))
        listed(id, .monitorOffline, nicks.filter { person($0) == nil })
    }

    private mutating func listed(_ id: ConnectionID, _ number: IRCNumeric, _ items: [String]) {
        for start in stride(from: 0, to: items.count, by: 5) {
            numeric(id, number, trailing: items[start..<min(start + 5, items.count)].joined(separator: ","))
        }
    }

    /// Notifies clients that monitor a nick.
    mutating func watched(_ nick: String, isHere: Bool) {
        let folded = IRCNick.folded(nick)
        let watching = connections.values.filter { connection in
            connection.isRegistered && connection.monitored.contains { $0.folded == folded }
        }
        for connection in watching.sorted(by: { $0.id < $1.id }) {
            let text = isHere ? person(nick).map(mask) ?? nick : nick
            write(
                connection.id,
                IRCLine(
                    source: settings.serverName, (isHere ? IRCNumeric.monitorOnline : .monitorOffline).text,
                    [connection.nick ?? "*"], trailing: text))
        }
    }
}

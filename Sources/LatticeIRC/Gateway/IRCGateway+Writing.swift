import LatticeAPI
import LatticeCore

extension IRCGateway {
    /// A reply to the client's current line. A notice gets no replies (RFC 2812 section 3.3.2).
    mutating func reply(_ id: ConnectionID, _ line: IRCLine) {
        if connections[id]?.isMute != true { show(id, line) }
    }

    /// A line that belongs to the client's current line.
    mutating func show(_ id: ConnectionID, _ line: IRCLine) {
        guard connections[id]?.label != nil else { return write(id, line) }
        connections[id]?.labelled.append(line)
    }

    mutating func numeric(
        _ id: ConnectionID, _ number: IRCNumeric, _ params: [String] = [], trailing: String? = nil
    ) {
        let nick = connections[id]?.nick ?? "*"
        reply(id, IRCLine(source: settings.serverName, number.text, [nick] + params, trailing: trailing))
    }

    /// A FAIL standard reply (IRCv3).
    mutating func fail(
        _ id: ConnectionID, _ command: String, _ code: String, _ context: [String] = [], trailing: String
    ) {
        reply(id, IRCLine(source: settings.serverName, "FAIL", [command, code] + context, trailing: trailing))
    }

    /// A numeric for programs, followed by the node's sentence: some clients show their own words for a numeric.
    mutating func refuse(
        _ id: ConnectionID, _ number: IRCNumeric, _ name: String, _ short: String, _ error: RequestError
    ) {
        numeric(id, number, [name], trailing: short)
        note(id, "\(name): \(error.description)")
    }

    /// `1 client`, `2 clients`.
    static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

    mutating func missing(_ id: ConnectionID, _ command: String) {
        numeric(id, .needMoreParams, [command], trailing: "Incomplete command; HELP \(command) shows how it is written")
    }

    mutating func write(_ id: ConnectionID, _ line: IRCLine) {
        guard let capabilities = capabilities[id] else { return }
        want(.write([id], line.bytes(for: capabilities)))
    }

    /// Sends a line to many clients, encoding it once for each set of capabilities.
    mutating func spread(_ line: IRCLine, to ids: [ConnectionID]) {
        var groups: [(IRCCapabilities, [ConnectionID])] = []
        for id in ids {
            guard let way = capabilities[id]?.intersection(.tagged) else { continue }
            if let index = groups.firstIndex(where: { $0.0 == way }) {
                groups[index].1.append(id)
            } else {
                groups.append((way, [id]))
            }
        }
        for (way, ids) in groups { want(.write(ids, line.bytes(for: way))) }
    }

    /// Sends what a client did to others and to itself.
    mutating func spread(_ line: IRCLine, of id: ConnectionID, to ids: [ConnectionID]) {
        if ids.contains(id) { reply(id, line) }
        spread(line, to: ids.filter { $0 != id })
    }

    func having(_ capability: IRCCapabilities, _ ids: [ConnectionID]) -> [ConnectionID] {
        ids.filter { capabilities[$0]?.contains(capability) == true }
    }

    /// Whether a client shows the date of a line. irssi requests server-time but does not show it by default; unlike
    /// clients that do, it does not request message-tags.
    func showsDates(_ id: ConnectionID) -> Bool {
        guard let capabilities = capabilities[id], capabilities.contains(.serverTime) else { return false }
        return !capabilities.isDisjoint(with: [.messageTags, .batch])
    }

    func lacking(_ capability: IRCCapabilities, _ ids: [ConnectionID]) -> [ConnectionID] {
        ids.filter { capabilities[$0]?.contains(capability) == false }
    }

    /// A notice from the service to one client.
    mutating func note(_ id: ConnectionID, _ text: String, to target: String? = nil) {
        let target = target ?? connections[id]?.nick ?? "*"
        var line = IRCLine(source: serviceMask, "NOTICE", [target])
        (line.time, line.isBot) = (date, true)
        for piece in IRCText.lines(text, bytesMax: line.textBytesLeft) {
            line.trailing = piece
            reply(id, line)
        }
    }

    var serviceMask: String { "\(IRCService.nick)!\(IRCService.nick)@\(settings.serverName)" }

    /// `nick!user@SHORTID.mesh`
    func mask(_ id: ConnectionID) -> String {
        guard let connection = connections[id], let nick = connection.nick else { return "*" }
        return "\(nick)!\(connection.user ?? "*")@\(host(connection.person))"
    }

    func mask(_ person: IRCPerson) -> String {
        if let id = person.connection { return mask(id) }
        return "\(person.nick)!\(user(person))@\(host(person.id))"
    }

    func host(_ person: PeerID?) -> String { person.map { "\($0.short).mesh" } ?? "unknown.mesh" }

    func user(_ person: IRCPerson) -> String {
        person.connection.flatMap { connections[$0]?.user } ?? "peer"
    }

    func realName(_ person: IRCPerson) -> String {
        person.connection.flatMap { connections[$0]?.realName } ?? DisplayText.safe(person.name.text)
    }

    /// A line by somebody, with IRCv3 tags.
    func line(from person: IRCPerson, _ command: String, _ params: [String] = [], trailing: String? = nil) -> IRCLine {
        var line = IRCLine(source: mask(person), command, params, trailing: trailing)
        line.time = date
        if let connection = person.connection.flatMap({ connections[$0] }) {
            line.account = connection.account?.text
            line.isBot = connection.isBot
        }
        return line
    }
}

import LatticeAPI
import LatticeCore

// The lines of the gateway: replies, notices, and what people say and do.
extension IRCClients {
    mutating func numeric(
        _ id: ConnectionID, _ number: IRCNumeric, _ params: [String] = [], trailing: String? = nil
    ) {
        let nick = self[id]?.nick ?? "*"
        reply(id, IRCLine(source: serverName, number.text, [nick] + params, trailing: trailing))
    }

    /// A FAIL standard reply (IRCv3).
    mutating func fail(
        _ id: ConnectionID, _ command: String, _ code: String, _ context: [String] = [], trailing: String
    ) {
        reply(id, IRCLine(source: serverName, "FAIL", [command, code] + context, trailing: trailing))
    }

    /// A numeric for programs, followed by a sentence: some clients show their own words for a numeric.
    mutating func refuse(
        _ id: ConnectionID, _ number: IRCNumeric, _ name: String, _ short: String, _ error: RequestError
    ) {
        numeric(id, number, [name], trailing: short)
        note(id, "\(name): \(error.words)")
    }

    mutating func missing(_ id: ConnectionID, _ command: String) {
        numeric(id, .needMoreParams, [command], trailing: "Incomplete command; HELP \(command) shows how it is written")
    }

    mutating func nobodyIs(_ nick: String, _ id: ConnectionID) {
        numeric(id, .noSuchNick, [IRCText.named(nick)], trailing: IRCPeople.nobody)
    }

    mutating func isOutside(_ name: String, _ id: ConnectionID) {
        numeric(id, .notOnChannel, [name], trailing: "You are not in this room")
    }

    /// - Returns: `nil` if it is not a channel; the client gets an error.
    mutating func channel(_ name: String, of id: ConnectionID) -> IRCChannel? {
        do throws(NameError) {
            return try IRCChannel(name)
        } catch {
            numeric(id, .badChannelMask, [IRCText.named(name)], trailing: "Not a room name: \(error.description)")
            return nil
        }
    }

    /// A notice from the service to one client.
    mutating func note(_ id: ConnectionID, _ text: String, to target: String? = nil) {
        let target = target ?? self[id]?.nick ?? "*"
        var line = IRCLine(source: serviceMask, "NOTICE", [target])
        (line.time, line.isBot) = (date, true)
        for piece in IRCText.lines(text, bytesMax: line.textBytesLeft) {
            line.trailing = piece
            reply(id, line)
        }
    }

    /// A notice that is no reply, so it never gets the label of the current line.
    mutating func note(aside id: ConnectionID, _ text: String, to target: String? = nil) {
        let (label, isMute) = (self[id]?.reply.label, self[id]?.reply.isMute ?? false)
        self[id]?.reply.label = nil
        self[id]?.reply.isMute = false
        note(id, text, to: target)
        self[id]?.reply.label = label
        self[id]?.reply.isMute = isMute
    }

    var serviceMask: String { "\(IRCService.nick)!\(IRCService.nick)@\(serverName)" }

    /// `nick!user@SHORTID.mesh`
    func mask(_ id: ConnectionID) -> String {
        guard let connection = self[id], let nick = connection.nick else { return "*" }
        return "\(nick)!\(connection.user ?? "*")@\(Self.host(connection.person))"
    }

    func mask(_ person: IRCPerson) -> String {
        if let id = person.connection { return mask(id) }
        return "\(person.nick)!\(user(person))@\(Self.host(person.id))"
    }

    static func host(_ person: PeerID?) -> String { person.map { "\($0.short).mesh" } ?? "unknown.mesh" }

    func user(_ person: IRCPerson) -> String {
        connection(of: person)?.user ?? "peer"
    }

    func realName(_ person: IRCPerson) -> String {
        connection(of: person)?.realName ?? DisplayText.safe(person.name.text)
    }

    func connection(of person: IRCPerson) -> IRCConnection? {
        person.connection.flatMap { self[$0] }
    }

    /// A line by somebody, with IRCv3 tags.
    func line(from person: IRCPerson, _ command: String, _ params: [String] = [], trailing: String? = nil) -> IRCLine {
        line(of: person.connection, mask(person), command, params, trailing: trailing)
    }

    /// A line by a client, with IRCv3 tags.
    func line(of id: ConnectionID, _ command: String, _ params: [String] = [], trailing: String? = nil) -> IRCLine {
        line(of: id, mask(id), command, params, trailing: trailing)
    }

    private func line(
        of id: ConnectionID?, _ mask: String, _ command: String, _ params: [String], trailing: String?
    ) -> IRCLine {
        var line = IRCLine(source: mask, command, params, trailing: trailing)
        line.time = date
        if let connection = id.flatMap({ self[$0] }) {
            line.account = connection.account?.text
            line.isBot = connection.isBot
        }
        return line
    }

    /// None for a line that was deleted.
    func lines(_ message: Message, from speaker: IRCPerson) -> [IRCLine] {
        guard !message.isDeleted else { return [] }
        var line = line(from: speaker, message.isNotice ? "NOTICE" : "PRIVMSG", [message.room.text])
        (line.time, line.msgid) = (message.at, message.record.hex)
        if let reply = message.reply { line.others.append(IRCLineActs.replyTag(reply.record)) }
        let text = message.text + whereToGet(message.file, "rooms", String(message.room.text.dropFirst()))
        return line.pieces(text, message.isNotice ? .says : message.style)
    }

    /// IRC cannot carry files; the page of this node can.
    ///
    /// - Parameters:
    ///   - file: the file that the line shares.
    ///   - name: of what the view of the page shows.
    private func whereToGet(_ file: RecordID?, _ view: String, _ name: String) -> String {
        guard file != nil, let page else { return "" }
        return ": \(page)#/\(view)/\(PercentText.encoded(name))"
    }

    func lines(_ message: PrivateMessage, from speaker: IRCPerson, to nick: String) -> [IRCLine] {
        guard !message.isDeleted else { return [] }
        var line = line(from: speaker, message.isNotice ? "NOTICE" : "PRIVMSG", [nick])
        (line.time, line.msgid) = (message.at, message.messageID)
        if let reply = message.reply { line.others.append(IRCLineActs.replyTag(reply.record)) }
        let text = message.text + whereToGet(message.file, "people", message.peer.hex)
        return line.pieces(text, message.isNotice ? .says : message.style)
    }

    mutating func deliver(_ lines: [IRCLine], isLate: Bool, to ids: [ConnectionID]) {
        for line in lines { if isLate { spread(past: line, to: ids) } else { spread(line, to: ids) } }
    }

    /// Sends the stored message back to a client with echo-message (IRCv3).
    ///
    /// - Parameter time: the stored time, if the node reported it.
    mutating func echo(
        _ wish: IRCSaying, to target: String, msgid: String, at time: WallTime? = nil, _ id: ConnectionID
    ) {
        guard has(.echoMessage, id), self[id]?.person != nil else { return }
        var line = line(of: id, wish.isNotice ? "NOTICE" : "PRIVMSG", [target])
        line.msgid = msgid
        if let time { line.time = time }
        for piece in line.pieces(wish.text, wish.isNotice ? .says : wish.style) { show(id, piece) }
    }

    /// Sends a JOIN; clients with extended-join get the extended form.
    ///
    /// - Parameter id: the client that joins, if it is one of this gateway.
    mutating func announceJoin(_ person: IRCPerson, _ channel: String, to ids: [ConnectionID], by id: ConnectionID?) {
        let plain = line(from: person, "JOIN", [channel])
        var long = plain
        long.params.append(plain.account ?? "*")
        long.trailing = realName(person)
        if let id, ids.contains(id) { reply(id, has(.extendedJoin, id) ? long : plain) }
        let others = ids.filter { $0 != id }
        spread(plain, to: lacking(.extendedJoin, others))
        spread(long, to: having(.extendedJoin, others))
        guard let away = person.awayText else { return }
        spread(line(from: person, "AWAY", trailing: away), to: having(.awayNotify, others))
    }
}

extension PrivateMessage {
    /// The same at both ends once the message is sealed.
    var messageID: String { record.map(\.hex) ?? "message-\(number)" }
}

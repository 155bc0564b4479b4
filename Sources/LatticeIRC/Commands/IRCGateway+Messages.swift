import LatticeAPI
import LatticeCore

extension IRCGateway {
    mutating func say(_ params: [String], isNotice: Bool, of id: ConnectionID) {
        let command = isNotice ? "NOTICE" : "PRIVMSG"
        guard let list = params.first, !list.isEmpty else {
            return numeric(id, .noRecipient, trailing: "Say to whom: \(command) #room :text")
        }
        guard params.count > 1, !params[1].isEmpty else {
            return numeric(id, .noTextToSend, trailing: Self.noText)
        }
        let targets = Self.items(list)
        guard targets.count <= IRCLimits.targetsMax else {
            return numeric(
                id, .tooManyTargets, [Self.named(list)], trailing: "Too many targets: at most \(IRCLimits.targetsMax)")
        }
        connections[id]?.spokeAt = now
        let wish = IRCSaying(params[1], isNotice: isNotice)
        each(targets[...], of: id) { gateway, target, next in
            gateway.say(wish, to: target, of: id)
            gateway.whenFree(id, next)
        }
    }

    /// Runs `next` when no request of this client is pending.
    private mutating func whenFree(_ id: ConnectionID, _ next: @escaping @Sendable (inout IRCGateway) -> Void) {
        guard let ticket = connections[id]?.ticket else { return next(&self) }
        append(to: ticket) { gateway, _, _ in
            // The pending request may have led to another one.
            gateway.whenFree(id, next)
        }
    }

    private mutating func say(_ wish: IRCSaying, to target: String, of id: ConnectionID) {
        guard IRCChannel.isOne(target) else { return tell(wish, to: target, of: id) }
        guard let channel = channel(target, of: id) else { return }
        guard isIn(channel, id) else {
            return numeric(
                id, .cannotSend, [Self.text(channel)],
                trailing: "You are not in \(Self.text(channel)); JOIN it first")
        }
        if wish.ctcp != nil {
            if wish.isNotice { return }
            return numeric(
                id, .cannotSend, [Self.text(channel)], trailing: "CTCP cannot be sent to a room, except ACTION (/me)")
        }
        guard !wish.text.allSatisfy(\.isWhitespace) else {
            return numeric(id, .noTextToSend, trailing: Self.noText)
        }
        switch channel {
        case .status: serve(wish.text, to: IRCChannel.statusName, of: id)
        case .wall: post(wish.text, of: id)
        case .room(let room):
            let isClosed = connections[id]?.rooms[room]?.members != nil
            let audience: Audience = isClosed ? .members : .everybody
            let request = IRCRequest.say(
                wish.text, style: wish.style, room: room, audience: audience, isNotice: wish.isNotice)
            ask(id, .perform(request)) { gateway, id, outcome in
                switch outcome {
                case .success(.answer(.said(let record, _, _, let time))):
                    gateway.isSaid(record, by: id, isClosed: isClosed)
                    gateway.echo(wish, to: room.text, msgid: record.hex, at: time, id)
                case .success: break
                case .failure(let error):
                    gateway.numeric(id, .cannotSend, [room.text], trailing: error.description)
                }
            }
        }
    }

    /// Notes that others here have not read it yet. Its event may arrive before this reply or after it.
    private mutating func isSaid(_ record: RecordID, by id: ConnectionID, isClosed: Bool) {
        guard !isClosed, connections[id]?.heard != record else { return }
        connections[id]?.unheard = record
    }

    /// Sends the stored message back to a client with echo-message (IRCv3).
    ///
    /// - Parameter time: the stored time, if the node reported it.
    mutating func echo(
        _ wish: IRCSaying, to target: String, msgid: String, at time: WallTime? = nil, _ id: ConnectionID
    ) {
        guard capabilities[id]?.contains(.echoMessage) == true,
            let person = connections[id]?.person.flatMap({ people[$0] })
        else { return }
        var line = line(from: person, wish.isNotice ? "NOTICE" : "PRIVMSG", [target])
        line.msgid = msgid
        if let time { line.time = time }
        for piece in pieces(wish.text, wish.isNotice ? .says : wish.style, line) { show(id, piece) }
    }

    /// Splits a text into as many lines as needed. Only the first one has the id: some clients show each id only once.
    func pieces(_ text: String, _ style: SpeechStyle, _ line: IRCLine) -> [IRCLine] {
        let extra = style == .acts ? 9 : 0
        var texts = IRCText.lines(text, bytesMax: max(4, line.textBytesLeft - extra))
        if texts.isEmpty { texts = ["?"] }
        return texts.enumerated().map { number, text in
            var piece = line
            piece.trailing = style == .acts ? "\u{1}ACTION \(text)\u{1}" : text
            if number > 0 { piece.msgid = nil }
            return piece
        }
    }

    private mutating func tell(_ wish: IRCSaying, to nick: String, of id: ConnectionID) {
        if IRCNick.folded(nick) == IRCService.nick {
            if let ctcp = wish.ctcp { return answer(ctcp, wish, id) }
            if !wish.isNotice { serve(wish.text, to: nil, of: id) }
            return
        }
        guard let person = person(nick) else {
            if wish.ctcp != nil {
                return numeric(id, .noSuchNick, [Self.named(nick)], trailing: Self.nobody)
            }
            return tellAbsent(wish, nick, of: id)
        }
        if wish.ctcp != nil { return pass(wish, to: person, of: id) }
        guard !wish.text.allSatisfy(\.isWhitespace) else {
            return numeric(id, .noTextToSend, trailing: Self.noText)
        }
        guard isMeant(person, as: nick, by: id) else { return }
        tell(wish, to: person.id, called: person.nick, isHere: true, of: id)
    }

    /// Passes CTCP between clients of this gateway; the mesh has no CTCP.
    private mutating func pass(_ wish: IRCSaying, to person: IRCPerson, of id: ConnectionID) {
        guard let connection = person.connection, let own = connections[id]?.person.flatMap({ people[$0] }) else {
            return
        }
        let line = line(from: own, wish.isNotice ? "NOTICE" : "PRIVMSG", [person.nick], trailing: wish.raw)
        write(connection, line)
    }

    /// Sends to somebody known who is not present, by an earlier name or a key.
    private mutating func tellAbsent(_ wish: IRCSaying, _ nick: String, of id: ConnectionID) {
        guard !wish.text.allSatisfy(\.isWhitespace) else {
            return numeric(id, .noTextToSend, trailing: Self.noText)
        }
        findAbsent(nick, of: id) { gateway, id, peer in
            gateway.tell(wish, to: peer, called: nick, isHere: false, of: id)
        }
    }

    private mutating func tell(
        _ wish: IRCSaying, to peer: PeerID, called nick: String, isHere: Bool, of id: ConnectionID
    ) {
        ask(id, .perform(.tell(peer, wish.text, style: wish.style, isNotice: wish.isNotice))) { gateway, id, outcome in
            switch outcome {
            case .success(.answer(.told(let message))):
                gateway.connections[id]?.spoke(with: peer)
                gateway.echo(wish, to: nick, msgid: IRCGateway.msgid(message), at: message.at, id)
                if !wish.isNotice { gateway.tellHowFar(message, nick, isHere: isHere, id) }
            case .success: break
            case .failure(let error):
                let number = error.code == .unknownPeer ? IRCNumeric.noSuchNick : .cannotSend
                gateway.numeric(
                    id, number, [IRCGateway.named(nick)],
                    trailing: "Not sent to \(IRCGateway.named(nick)): \(error.description)")
            }
        }
    }

    /// The same at both ends once the message is sealed.
    static func msgid(_ message: PrivateMessage) -> String {
        message.record.map(\.hex) ?? "letter-\(message.number)"
    }

    static let noText = "There is no text to send"
    static let nobody = "Nobody here has this nick"

    private mutating func tellHowFar(_ message: PrivateMessage, _ nick: String, isHere: Bool, _ id: ConnectionID) {
        if let away = person(nick)?.connection.flatMap({ connections[$0]?.away }) {
            numeric(id, .away, [nick], trailing: away)
        }
        guard !isHere || message.state == .waiting, message.state != .delivered else { return }
        // Somebody who is present receives it in a moment.
        let tellAt = isHere ? now.advanced(by: limits.letterPatience) : nil
        connections[id]?.letters.append(.init(number: message.number, nick: nick, tellAt: tellAt))
        if connections[id]?.letters.count ?? 0 > 256 { connections[id]?.letters.removeFirst() }
        if !isHere { note(id, "\(nick) is away. Your message is delivered when they come back.") }
    }

    /// Notifies the client of private messages that should have been delivered by now.
    mutating func tellWhatWaits(_ id: ConnectionID) {
        for (index, letter) in (connections[id]?.letters ?? []).enumerated() {
            guard let time = letter.tellAt, time <= now else { continue }
            connections[id]?.letters[index].tellAt = nil
            note(
                id,
                "\(letter.nick) cannot be reached right now. Your message is delivered as soon as they can.")
        }
    }

    mutating func away(_ text: String, of id: ConnectionID) {
        let text = Self.clipped(DisplayText.safe(text), bytesMax: IRCLimits.awayBytes)
        connections[id]?.away = text.isEmpty ? nil : text
        if text.isEmpty {
            numeric(id, .unaway, trailing: "You are back")
        } else {
            numeric(id, .nowAway, trailing: "You are marked as away")
        }
        guard let person = connections[id]?.person.flatMap({ people[$0] }) else { return }
        let line = line(from: person, "AWAY", trailing: text.isEmpty ? nil : text)
        spread(line, to: having(.awayNotify, neighbours(of: id)))
    }

    mutating func setName(_ params: [String], of id: ConnectionID) {
        guard let name = params.first, !name.isEmpty else { return missing(id, "SETNAME") }
        guard name.utf8.count <= IRCLimits.realNameBytes else {
            return fail(
                id, "SETNAME", "INVALID_REALNAME",
                trailing: "Your real name is too long: at most \(IRCLimits.realNameBytes) bytes")
        }
        connections[id]?.realName = DisplayText.safe(name)
        guard let person = connections[id]?.person.flatMap({ people[$0] }) else { return }
        let line = line(from: person, "SETNAME", trailing: DisplayText.safe(name))
        if capabilities[id]?.contains(.setname) == true { reply(id, line) }
        spread(line, to: having(.setname, neighbours(of: id)))
    }
}

/// A message that a client sends.
struct IRCSaying: Sendable {
    let raw: String
    /// Without IRC formatting.
    let text: String
    let style: SpeechStyle
    let isNotice: Bool
    /// A CTCP command other than ACTION.
    let ctcp: String?

    init(_ raw: String, isNotice: Bool) {
        self.raw = raw
        self.isNotice = isNotice
        switch IRCText.ctcp(raw) {
        case (let command, let rest)? where command == "ACTION":
            (text, style, ctcp) = (IRCText.plain(rest), .acts, nil)
        case (let command, _)?: (text, style, ctcp) = ("", .says, command)
        case nil: (text, style, ctcp) = (IRCText.plain(raw), .says, nil)
        }
    }
}

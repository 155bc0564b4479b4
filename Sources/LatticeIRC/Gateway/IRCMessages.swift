import LatticeAPI
import LatticeCore

/// PRIVMSG and NOTICE: what clients say in rooms and to people, and how far it came.
struct IRCMessages {
    private struct Message {
        let number: Int64
        let nick: String
        /// When to send a notice that it is waiting; `nil` after that.
        var notifyAt: Instant?
    }

    private struct Row {
        /// Own private messages that are not delivered yet.
        var messages: [Message] = []
        /// The client's last line, until its event has reached everybody here.
        var unheard: RecordID?
        /// The last of its lines whose event arrived.
        var heard: RecordID?
        /// The QUIT reason; the connection closes when `unheard` has come round, or at the next timer.
        var farewell: String?
        var spokeAt: Instant?
    }

    enum Step: Sendable {
        /// One line, and those that waited behind it for the same room.
        case said([IRCSaying], RoomName, isClosed: Bool)
        /// A reaction or a deletion, by its command.
        case acted(IRCVerb, target: String, RecordID)
        case told(IRCSaying, PeerID, nick: String, isHere: Bool)
    }

    /// What others than this machine have to do.
    enum Verdict {
        /// A command for the service, with the channel in which it was typed.
        case serve(String, channel: String?)
        case answer(ctcp: String, IRCSaying)
        case post(String)
        /// Nobody present has this nick.
        case find(String, IRCSaying)
        /// A client exchanged private messages with somebody.
        case spoke(PeerID)
    }

    private static let messagesMax = 256
    private static let noText = "There is no text to send"

    private var rows: [ConnectionID: Row] = [:]

    mutating func connected(_ id: ConnectionID) { rows[id] = Row() }

    mutating func ended(_ id: ConnectionID) { rows[id] = nil }

    /// When the client last said something, or came.
    func lastSpoke(_ connection: IRCConnection) -> Instant { rows[connection.id]?.spokeAt ?? connection.since }

    // MARK: - Leaving

    /// The QUIT reason of a client that waits until others here have read its last line.
    func farewell(_ id: ConnectionID) -> String? { rows[id]?.farewell }

    /// - Returns: whether the client has to wait until its last line has come round or the next timer, so that others
    ///   here read it first.
    mutating func waits(toQuit id: ConnectionID, _ reason: String) -> Bool {
        guard rows[id]?.unheard != nil else { return false }
        rows[id]?.farewell = reason
        return true
    }

    /// The event of a client's line arrived.
    ///
    /// - Returns: the QUIT reason of a client that waited for it.
    mutating func cameRound(_ record: RecordID, of id: ConnectionID) -> String? {
        rows[id]?.heard = record
        guard rows[id]?.unheard == record else { return nil }
        rows[id]?.unheard = nil
        return rows[id]?.farewell
    }

    // MARK: - Speaking

    mutating func targets(
        _ params: [String], isNotice: Bool, replyTo: RecordID?, of id: ConnectionID, into clients: inout IRCClients
    ) -> [IRCJob] {
        let command = isNotice ? "NOTICE" : "PRIVMSG"
        guard let list = params.first, !list.isEmpty else {
            clients.numeric(id, .noRecipient, trailing: "Say to whom: \(command) #room :text")
            return []
        }
        guard params.count > 1, !params[1].isEmpty else {
            clients.numeric(id, .noTextToSend, trailing: Self.noText)
            return []
        }
        let targets = IRCText.items(list)
        guard targets.count <= IRCLimits.targetsMax else {
            clients.numeric(
                id, .tooManyTargets, [IRCText.named(list)],
                trailing: "Too many targets: at most \(IRCLimits.targetsMax)")
            return []
        }
        rows[id]?.spokeAt = clients.now
        let wish = IRCSaying(params[1], isNotice: isNotice, replyTo: replyTo)
        return targets.map { .say(wish, to: $0) }
    }

    func say(
        _ wish: IRCSaying, to target: String, of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        into clients: inout IRCClients
    ) -> Verdict? {
        guard IRCChannel.isOne(target) else { return tell(wish, to: target, of: id, people, into: &clients) }
        guard let channel = clients.channel(target, of: id) else { return nil }
        let name = channel.name
        guard rooms.isIn(channel, id) else {
            clients.numeric(id, .cannotSend, [name], trailing: "You are not in \(name); JOIN it first")
            return nil
        }
        if wish.ctcp != nil {
            if !wish.isNotice {
                clients.numeric(
                    id, .cannotSend, [name], trailing: "CTCP cannot be sent to a room, except ACTION (/me)")
            }
            return nil
        }
        guard hasText(wish, id, into: &clients) else { return nil }
        switch channel {
        case .status: return .serve(wish.text, channel: name)
        case .posts: return .post(wish.text)
        case .room(let room):
            let isClosed = rooms.isInPrivate(room, id)
            let audience: Audience = isClosed ? .members : .everybody
            let wishes = Self.gathered(behind: wish, room, id, into: &clients)
            let lines = wishes.map {
                SayLines.Line($0.text, style: $0.style, isNotice: $0.isNotice, replyTo: $0.replyTo)
            }
            clients.ask(
                id, .say(lines, room: room, audience: audience),
                then: .messages(.said(wishes, room, isClosed: isClosed)))
            return nil
        }
    }

    /// Takes the next lines of the client if they are for the same room: to store them together costs little more than one.
    private static func gathered(
        behind wish: IRCSaying, _ room: RoomName, _ id: ConnectionID, into clients: inout IRCClients
    ) -> [IRCSaying] {
        var wishes = [wish]
        // The replies to a line with a label are sent together.
        guard clients[id]?.reply.label == nil, clients[id]?.underWay.hasJobs == false else { return wishes }
        let (limits, now, hasLabels) = (clients.limits, clients.now, clients.has(.labeledResponse, id))
        var bytes = wish.text.utf8.count
        while wishes.count < SayLines.countMax, let line = clients[id]?.input.following,
            let next = IRCSaying(line, in: room, isNotice: wish.isNotice, hasLabels: hasLabels),
            bytes + next.text.utf8.count <= SayLines.bytesMax, clients[id]?.input.next(limits, at: now) != nil
        {
            bytes += next.text.utf8.count
            wishes.append(next)
        }
        return wishes
    }

    private func hasText(_ wish: IRCSaying, _ id: ConnectionID, into clients: inout IRCClients) -> Bool {
        guard wish.text.allSatisfy(\.isWhitespace) else { return true }
        clients.numeric(id, .noTextToSend, trailing: Self.noText)
        return false
    }

    private func tell(
        _ wish: IRCSaying, to nick: String, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Verdict? {
        if IRCNick.folded(nick) == IRCService.nick {
            if let ctcp = wish.ctcp { return .answer(ctcp: ctcp, wish) }
            return wish.isNotice ? nil : .serve(wish.text, channel: nil)
        }
        guard let person = people.person(nick, clients) else {
            guard wish.ctcp == nil else {
                clients.nobodyIs(nick, id)
                return nil
            }
            return hasText(wish, id, into: &clients) ? .find(nick, wish) : nil
        }
        guard wish.ctcp == nil else {
            pass(wish, to: person, of: id, into: &clients)
            return nil
        }
        guard hasText(wish, id, into: &clients), people.isMeant(person, as: nick, by: id, into: &clients) else {
            return nil
        }
        tell(wish, to: person.id, called: person.nick, isHere: true, of: id, into: &clients)
        return nil
    }

    /// Passes CTCP between clients of this gateway; the mesh has no CTCP.
    private func pass(_ wish: IRCSaying, to person: IRCPerson, of id: ConnectionID, into clients: inout IRCClients) {
        guard let connection = person.connection, let own = clients[id]?.person, clients.hears(own, connection) else {
            return
        }
        let command = wish.isNotice ? "NOTICE" : "PRIVMSG"
        clients.write(connection, clients.line(of: id, command, [person.nick], trailing: wish.raw))
    }

    func tell(
        _ wish: IRCSaying, to peer: PeerID, called nick: String, isHere: Bool, of id: ConnectionID,
        into clients: inout IRCClients
    ) {
        clients.ask(
            id, .tell(peer, wish.text, style: wish.style, isNotice: wish.isNotice, replyTo: wish.replyTo),
            then: .messages(.told(wish, peer, nick: nick, isHere: isHere)))
    }

    // MARK: - Replies

    mutating func answered(
        _ step: Step, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) -> Verdict? {
        switch (step, outcome) {
        case (.said(let wishes, let room, let isClosed), .success(.answer(.said(let outcomes)))):
            for (wish, outcome) in zip(wishes, outcomes) {
                said(wish, outcome, in: room, isClosed: isClosed, id, into: &clients)
            }
        case (.said(let wishes, let room, _), .failure(let error)):
            for _ in wishes { clients.numeric(id, .cannotSend, [room.text], trailing: error.words) }
        case (.told(let wish, let peer, let nick, let isHere), .success(.answer(.told(let message)))):
            clients.echo(wish, to: nick, msgid: message.messageID, at: message.at, id)
            if !wish.isNotice { reportProgress(message, nick, isHere: isHere, id, people, into: &clients) }
            return .spoke(peer)
        case (.told(_, _, let nick, _), .failure(let error)):
            let number = error.code == .unknownPeer ? IRCNumeric.noSuchNick : .cannotSend
            clients.numeric(
                id, number, [IRCText.named(nick)],
                trailing: "Not sent to \(IRCText.named(nick)): \(error.words)")
        case (.acted(let verb, let target, let line), .failure(let error)):
            IRCLineActs.failed(verb, target, line, error, id, into: &clients)
        case (_, .success): break
        }
        return nil
    }

    private mutating func said(
        _ wish: IRCSaying, _ outcome: SayLines.Outcome, in room: RoomName, isClosed: Bool, _ id: ConnectionID,
        into clients: inout IRCClients
    ) {
        switch outcome {
        case .said(let line):
            // Others here have not read it yet. Its event may arrive before this reply or after it.
            let isHeard = rows[id]?.heard == line.record
            if !isClosed { rows[id]?.unheard = isHeard ? nil : line.record }
            clients.echo(wish, to: room.text, msgid: line.record.hex, at: line.at, id)
        case .refused(let error): clients.numeric(id, .cannotSend, [room.text], trailing: error.words)
        }
    }

    private mutating func reportProgress(
        _ message: PrivateMessage, _ nick: String, isHere: Bool, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        if let away = people.person(nick, clients)?.awayText {
            clients.numeric(id, .away, [nick], trailing: away)
        }
        guard !isHere || message.state == .waiting, message.state != .delivered else { return }
        // Somebody who is present receives it in a moment.
        let notifyAt = isHere ? clients.now.advanced(by: clients.limits.messagePatience) : nil
        rows[id]?.messages.append(Message(number: message.number, nick: nick, notifyAt: notifyAt))
        if rows[id]?.messages.count ?? 0 > Self.messagesMax { rows[id]?.messages.removeFirst() }
        if !isHere { clients.note(id, "\(nick) is away. Your message is delivered when they come back.") }
    }

    // MARK: - Private messages

    /// Notifies the client of private messages that should have been delivered by now.
    mutating func reportWaiting(_ id: ConnectionID, into clients: inout IRCClients) {
        for (index, message) in (rows[id]?.messages ?? []).enumerated() {
            guard let time = message.notifyAt, time <= clients.now else { continue }
            rows[id]?.messages[index].notifyAt = nil
            clients.note(
                id, "\(message.nick) cannot be reached right now. Your message is delivered as soon as they can.")
        }
    }

    mutating func cameFurther(
        _ progress: PrivateProgress, _ id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        if let file = progress.file {
            let name = people[progress.peer].map(\.nick) ?? "#\(progress.peer.short)"
            clients.note(aside: id, "\(name) has \(DisplayText.safe(file)).")
            rows[id]?.messages.removeAll { $0.number == progress.number }
            return
        }
        guard let index = rows[id]?.messages.firstIndex(where: { $0.number == progress.number }),
            let message = rows[id]?.messages[index]
        else { return }
        let nick = message.nick
        switch progress.state {
        case .waiting, .relayed: return
        case .delivered: if message.notifyAt == nil { clients.note(aside: id, "\(nick) has received your message.") }
        case .lapsed:
            clients.note(aside: id, "\(nick) did not come back in time. Your message was not delivered.")
        }
        rows[id]?.messages.remove(at: index)
    }
}

struct IRCSaying: Sendable {
    let raw: String
    /// Without IRC formatting.
    let text: String
    let style: SpeechStyle
    let isNotice: Bool
    /// A CTCP command other than ACTION.
    let ctcp: String?
    /// The line that it answers.
    let replyTo: RecordID?

    init(_ raw: String, isNotice: Bool, replyTo: RecordID? = nil) {
        self.raw = raw
        self.replyTo = replyTo
        self.isNotice = isNotice
        switch IRCText.ctcp(raw) {
        case (let command, let rest)? where command == "ACTION":
            (text, style, ctcp) = (IRCText.plain(rest), .acts, nil)
        case (let command, _)?: (text, style, ctcp) = ("", .says, command)
        case nil: (text, style, ctcp) = (IRCText.plain(raw), .says, nil)
        }
    }

    /// - Parameter hasLabels: whether a label asks for a reply of its own.
    /// - Returns: `nil` unless the line says something in this room, and in no other.
    fileprivate init?(_ line: [UInt8], in room: RoomName, isNotice: Bool, hasLabels: Bool) {
        let command: IRCVerb = isNotice ? .notice : .privmsg
        do {
            guard let message = try IRCMessage(line), message.command == command.rawValue, message.params.count > 1,
                !hasLabels || message.tag("label") == nil
            else { return nil }
            let targets = IRCText.items(message.params[0])
            self.init(message.params[1], isNotice: isNotice, replyTo: IRCLineActs.answered(message))
            guard targets.count == 1, IRCChannel(named: targets[0]) == .room(room), ctcp == nil,
                !text.allSatisfy(\.isWhitespace)
            else { return nil }
        } catch {
            return nil  // Its error follows when it is read.
        }
    }
}

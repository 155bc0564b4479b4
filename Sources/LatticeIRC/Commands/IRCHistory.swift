import LatticeAPI
import LatticeCore

/// Past lines (CHATHISTORY, and on joining a room), and how far each account has read (MARKREAD).
struct IRCHistory {
    enum Step: Sendable {
        case room(RoomName, Reading)
        case partner(IRCHistoryWish)
        case conversation(IRCHistoryWish, PeerID, limit: Int)
        case conversations(IRCTargets, IRCHistoryWish)
        case lastLine(IRCTargets, IRCHistoryWish)
    }

    enum Reading: Sendable {
        case before(IRCHistoryWish, RecordID)
        /// Nothing precedes the record: it is the first line of the room, or unknown.
        case first(IRCHistoryWish, RecordID)
        /// With the lines read so far that may still matter, oldest first.
        case search(IRCHistoryWish, known: [Message], steps: Int)
        case past
        /// Only lines that were not known before.
        case since(known: Set<RecordID>)
    }

    /// Lines read in one step of a search.
    private static let stepLines = 2_000
    /// Steps in one search: half a million lines, more than a node stores for a room.
    private static let stepsMax = 250
    /// How many lines are searched for a message id.
    private static let idWindowLines = 20_000
    /// Lines that a node stores for one conversation.
    private static let conversationLines = 10_000
    private static let unreadable = "The history cannot be read right now; try again"

    private var marks: IRCReadMarks

    init(marks: IRCReadMarks) {
        self.marks = marks
    }

    // MARK: - CHATHISTORY

    func history(
        _ params: [String], of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        into clients: inout IRCClients
    ) {
        do throws(IRCHistoryFault) {
            let wish = try IRCHistoryWish(params, limitMax: clients.limits.historyLinesMax)
            if wish.kind == .targets {
                let targets = IRCTargets(rooms: rooms.rooms(of: id))
                return clients.ask(id, .conversations, then: .history(.conversations(targets, wish)))
            }
            guard IRCChannel.isOne(wish.target) else {
                return privateHistory(wish, of: id, people, into: &clients)
            }
            guard case .room(let room)? = IRCChannel(named: wish.target), rooms.isIn(.room(room), id) else {
                return fail(id, "INVALID_TARGET", wish, "JOIN the room first", into: &clients)
            }
            guard wish.kind == .before, case .id(let text) = wish.points.first, let hash = Bytes32(hex: text) else {
                return search(wish, room, in: [], steps: 0, of: id, into: &clients)
            }
            let record = RecordID(hash)
            clients.ask(
                id, .history(HistoryQuery(room: room, limit: wish.limit, before: record)),
                then: .history(.room(room, .before(wish, record))))
        } catch {
            clients.fail(
                id, "CHATHISTORY", error.rawValue, params.prefix(2).map(IRCText.named),
                trailing: "Example: CHATHISTORY LATEST #room * 50")
        }
    }

    private func fail(
        _ id: ConnectionID, _ code: String, _ wish: IRCHistoryWish, _ text: String, into clients: inout IRCClients
    ) {
        let context = [wish.kind.rawValue, IRCText.named(wish.target)]
        clients.fail(id, "CHATHISTORY", code, context, trailing: text)
    }

    /// The specification has no code for an unknown message; MESSAGE_ERROR stands for history that "cannot be returned
    /// due to an error". The client can continue by date.
    private func unknownPoint(_ wish: IRCHistoryWish, _ id: ConnectionID, into clients: inout IRCClients) {
        let points = wish.points.compactMap { if case .id(let text) = $0 { "msgid=\(text)" } else { nil } }
        clients.fail(
            id, "CHATHISTORY", "MESSAGE_ERROR", [wish.kind.rawValue, IRCText.named(wish.target)] + points,
            trailing: "This message is not among the last \(Self.idWindowLines) here; use a timestamp")
    }

    /// Reads back in steps until the requested lines are found or there are no more.
    private func search(
        _ wish: IRCHistoryWish, _ room: RoomName, in known: [Message], steps: Int, of id: ConnectionID,
        into clients: inout IRCClients
    ) {
        let count = wish.kind == .latest && wish.points.isEmpty ? wish.limit : Self.stepLines
        clients.ask(
            id, .history(HistoryQuery(room: room, limit: count, before: known.first?.record)),
            then: .history(.room(room, .search(wish, known: known, steps: steps))))
    }

    private func privateHistory(
        _ wish: IRCHistoryWish, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        if let peer = people.person(wish.target, clients)?.id ?? people.absent(wish.target) {
            return read(wish, with: peer, limit: Self.stepLines, of: id, into: &clients)
        }
        let person = PeerReference(IRCNick.reference(wish.target))
        clients.ask(id, .known(.find(person)), then: .history(.partner(wish)))
    }

    private func read(
        _ wish: IRCHistoryWish, with peer: PeerID, limit: Int, of id: ConnectionID, into clients: inout IRCClients
    ) {
        clients.ask(
            id, .privateHistory(peer, limit: limit), then: .history(.conversation(wish, peer, limit: limit)))
    }

    // MARK: - On joining

    /// Shows the last lines of a room on joining, unless the client can request them itself.
    func showPast(_ room: RoomName, _ id: ConnectionID, into clients: inout IRCClients) {
        let replayLines = clients.limits.replayLines
        guard replayLines > 0, clients.lacking(.chathistory, [id]) == [id] else { return }
        clients.ask(id, .history(HistoryQuery(room: room, limit: replayLines)), then: .history(.room(room, .past)))
    }

    /// Shows those of the last lines that were not known before.
    func showSince(_ known: Set<RecordID>, _ room: RoomName, _ id: ConnectionID, into clients: inout IRCClients) {
        clients.ask(
            id, .history(HistoryQuery(room: room, limit: clients.limits.historyLinesMax)),
            then: .history(.room(room, .since(known: known))))
    }

    // MARK: - Replies

    func answered(
        _ step: Step, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        switch step {
        case .room(let room, let reading):
            var page: HistoryPage?
            if case .success(.answer(.history(let read))) = outcome { page = read }
            answered(reading, page, of: room, id, people, into: &clients)
        case .partner(let wish):
            guard case .success(.answer(.known(.person(let person)))) = outcome else {
                return fail(id, "INVALID_TARGET", wish, IRCPeople.nobody, into: &clients)
            }
            read(wish, with: person.id, limit: Self.stepLines, of: id, into: &clients)
        case .conversation(let wish, let peer, let limit):
            guard case .success(.answer(.privateHistory(let messages))) = outcome else {
                return fail(id, "MESSAGE_ERROR", wish, Self.unreadable, into: &clients)
            }
            answered(wish, messages, with: peer, limit: limit, of: id, people, into: &clients)
        case .conversations(var found, let wish):
            if case .success(.answer(.privateHistory(let last))) = outcome {
                for message in last { found.add(people.speaker(message.peer, message.peerName).nick, message.at) }
            }
            lastLine(found, wish, of: id, into: &clients)
        case .lastLine(var found, let wish):
            var last: Message?
            if case .success(.answer(.history(let page))) = outcome { last = page.lines.last }
            found.answered(last?.at)
            lastLine(found, wish, of: id, into: &clients)
        }
    }

    /// - Parameter page: `nil` if the history could not be read.
    private func answered(
        _ reading: Reading, _ page: HistoryPage?, of room: RoomName, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        switch reading {
        case .before(let wish, let record):
            guard let page else { return fail(id, "MESSAGE_ERROR", wish, Self.unreadable, into: &clients) }
            guard page.lines.isEmpty else { return show(page.lines, of: room, id, people, into: &clients) }
            clients.ask(
                id, .history(HistoryQuery(room: room, limit: Self.stepLines)),
                then: .history(.room(room, .first(wish, record))))
        case .first(let wish, let record):
            guard let page, page.hasMore || page.lines.contains(where: { $0.record == record }) else {
                return unknownPoint(wish, id, into: &clients)
            }
            show([], of: room, id, people, into: &clients)
        case .search(let wish, let known, let steps):
            guard let page else { return fail(id, "MESSAGE_ERROR", wish, Self.unreadable, into: &clients) }
            found(page, wish, room, in: known, steps: steps, of: id, people, into: &clients)
        case .past:
            guard let page, !page.lines.isEmpty else { return }
            show(page.lines, of: room, id, people, into: &clients)
        case .since(let known):
            let new = page?.lines.filter { !known.contains($0.record) } ?? []
            if !new.isEmpty { show(new, of: room, id, people, into: &clients) }
        }
    }

    private func found(
        _ page: HistoryPage, _ wish: IRCHistoryWish, _ room: RoomName, in known: [Message], steps: Int,
        of id: ConnectionID, _ people: IRCPeople, into clients: inout IRCClients
    ) {
        let lines = page.lines + known
        let range = wish.selection(of: lines.map { IRCHistoryWish.Entry(id: $0.record.hex, date: $0.at) })
        let isOver =
            !page.hasMore || page.lines.isEmpty || steps + 1 >= Self.stepsMax
            || range == nil && lines.count >= Self.idWindowLines
        guard isOver || wish.isSettled(by: range) else {
            // Drop lines that an older selection cannot include.
            let kept = range == nil ? lines[...] : lines.prefix(2 * wish.limit + 1)
            return search(wish, room, in: Array(kept), steps: steps + 1, of: id, into: &clients)
        }
        guard let range else { return unknownPoint(wish, id, into: &clients) }
        show(Array(lines[range]), of: room, id, people, into: &clients)
    }

    /// Reads the whole conversation if the requested lines are not among its last ones.
    private func answered(
        _ wish: IRCHistoryWish, _ messages: [PrivateMessage], with peer: PeerID, limit: Int, of id: ConnectionID,
        _ people: IRCPeople, into clients: inout IRCClients
    ) {
        let entries = messages.map { IRCHistoryWish.Entry(id: $0.messageID, date: $0.at) }
        let range = wish.selection(of: entries)
        guard wish.isSettled(by: range) || messages.count < limit || limit >= Self.conversationLines else {
            return read(wish, with: peer, limit: Self.conversationLines, of: id, into: &clients)
        }
        guard let range else { return unknownPoint(wish, id, into: &clients) }
        var lines: [IRCLine] = []
        if let own = clients[id]?.person.flatMap({ people[$0] }) {
            lines = messages[range].flatMap { message in
                let other = people.speaker(message.peer, message.peerName)
                let (from, to) = message.isMine ? (own, other) : (other, own)
                return clients.lines(message, from: from, to: to.nick)
            }
        }
        send(id, ["chathistory", wish.target], lines, into: &clients)
    }

    /// Asks for the last line of the next room; after all of them, lists the conversations and rooms with lines between
    /// two dates.
    private func lastLine(
        _ found: IRCTargets, _ wish: IRCHistoryWish, of id: ConnectionID, into clients: inout IRCClients
    ) {
        if let room = found.nextRoom {
            return clients.ask(
                id, .history(HistoryQuery(room: room, limit: 1)), then: .history(.lastLine(found, wish)))
        }
        let serverName = clients.serverName
        let lines = found.between(wish).map { name, date in
            IRCLine(source: serverName, "CHATHISTORY", ["TARGETS", name, RFC3339.string(date)])
        }
        send(id, ["draft/chathistory-targets"], lines, into: &clients)
    }

    private func show(
        _ messages: [Message], of room: RoomName, _ id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) {
        let heard = messages.filter { clients.hears($0.from, id) }
        let lines = heard.flatMap { clients.lines($0, from: people.speaker($0.from, $0.name)) }
        send(id, ["chathistory", room.text], lines, into: &clients)
    }

    private func send(_ id: ConnectionID, _ params: [String], _ lines: [IRCLine], into clients: inout IRCClients) {
        clients.batch(id, params, clients.showsDates(id) ? lines : lines.map { clients.dated($0) })
    }

    // MARK: - MARKREAD

    mutating func markRead(_ params: [String], of id: ConnectionID, into clients: inout IRCClients) {
        guard let target = params.first, !target.isEmpty else {
            return clients.fail(
                id, "MARKREAD", "NEED_MORE_PARAMS", trailing: "Say which room or nick: MARKREAD #room")
        }
        let context = [IRCText.named(target)]
        guard IRCChannel.isOne(target) || IRCNick.isValid(target) else {
            return clients.fail(id, "MARKREAD", "INVALID_PARAMS", context, trailing: "Not a room or nick")
        }
        guard params.count > 1 else { return sendMark(target, id, into: &clients) }
        let dated = context + [IRCText.named(params[1])]
        guard params[1].hasPrefix("timestamp="), let date = RFC3339.read(params[1].dropFirst(10)) else {
            return clients.fail(
                id, "MARKREAD", "INVALID_PARAMS", dated,
                trailing: "Not a date; write timestamp=2026-11-20T14:02:00.000Z")
        }
        guard let account = clients[id]?.account else {
            return clients.fail(
                id, "MARKREAD", "INTERNAL_ERROR", dated,
                trailing: "Sign in to an account (SASL) to have this remembered")
        }
        let key = IRCNick.folded(target)
        let before = marks.mark(account, key)
        guard let mark = marks.move(account, key, to: date) else {
            return clients.fail(
                id, "MARKREAD", "INTERNAL_ERROR", dated, trailing: "Too many conversations are remembered already")
        }
        if mark != before { clients.want(.keep(marks)) }
        sendMark(target, id, into: &clients)
    }

    private func sendMark(_ target: String, _ id: ConnectionID, into clients: inout IRCClients) {
        let mark = clients[id]?.account.flatMap { marks.mark($0, IRCNick.folded(target)) }
        let text = mark.map { "timestamp=\(RFC3339.string($0))" } ?? "*"
        clients.reply(id, IRCLine(source: clients.serverName, "MARKREAD", [target, text]))
    }

    /// Sent before the names (IRCv3 draft/read-marker, section Server behaviour).
    func markOnJoin(_ channel: String, _ id: ConnectionID, into clients: inout IRCClients) {
        guard clients.has(.readMarker, id) else { return }
        sendMark(channel, id, into: &clients)
    }
}

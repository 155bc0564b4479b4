import LatticeAPI
import LatticeCore

// Events of the node as IRC lines.
extension IRCGateway {
    mutating func told(_ event: NodeEvent) {
        switch event {
        case .presence(let change): presence(change)
        case .message(let message): heard(message)
        case .posted(let item): posted(item, to: audience(of: .wall))
        case .peer(let change): linked(change)
        case .notice(let notice): status(IRCWords.said(notice.text), isNotice: true)
        case .sync(let progress): if let text = synced.text(progress) { status(text) }
        case .renamed(let id, let from, let to):
            status("\(DisplayText.safe(from.text))#\(id.short) is now called \(DisplayText.safe(to.text))")
        case .nameClash(let clash):
            status(
                "Careful: #\(clash.newcomer.id.short) uses a name that looks like the name of #\(clash.known.id.short). "
                    + "WHOIS shows their keys.")
        case .invitation(_, let name, _):
            status("\(DisplayText.safe(name.text)) wants to connect. The owner of this node decides.")
        case .missed(let count):
            for id in connections.keys.sorted() where connections[id]?.rooms.isEmpty == false {
                missed(count, id)
            }
        case .ready, .privateMessage, .privateProgress, .standing, .me, .placed, .room, .changed, .sent: break
        }
    }

    mutating func toldAlone(_ event: NodeEvent, _ id: ConnectionID) {
        guard connections[id]?.isRegistered == true else { return }
        switch event {
        case .message(let message): heardAlone(message, id)
        case .privateMessage(let message): heardAlone(message, id)
        case .privateProgress(let progress): cameFurther(progress, id)
        case .notice(let notice): note(aside: id, IRCWords.said(notice.text))
        case .room(let event): happened(event, id)
        case .missed(let count): missed(count, id)
        case .posted(let item): posted(item, to: connections[id]?.isInWall == true ? [id] : [])
        default: break
        }
    }

    /// A notice that is no reply, so it never gets the label of the current line.
    mutating func note(aside id: ConnectionID, _ text: String, to target: String? = nil) {
        let (label, isMute) = (connections[id]?.label, connections[id]?.isMute ?? false)
        connections[id]?.label = nil
        connections[id]?.isMute = false
        note(id, text, to: target)
        connections[id]?.label = label
        connections[id]?.isMute = isMute
    }

    private mutating func missed(_ count: Int, _ id: ConnectionID) {
        note(
            aside: id,
            "This gateway was too slow and lost \(Self.counted(count, "event")). Leave a room and join it again to see its last lines."
        )
    }

    private mutating func heard(_ message: Message) {
        let speaker = speaker(message.from, message.name)
        defer { if let own = speaker.connection { cameRound(message.record, of: own) } }
        let audience = (audiences[message.room] ?? []).filter { $0 != speaker.connection }
        guard !audience.isEmpty else { return }
        if message.isLate, !late[message.room, default: IRCLateLines()].shows(at: now) { return }
        deliver(message, from: speaker, to: audience)
    }

    private mutating func cameRound(_ record: RecordID, of id: ConnectionID) {
        connections[id]?.heard = record
        guard connections[id]?.unheard == record else { return }
        connections[id]?.unheard = nil
        if let farewell = connections[id]?.farewell { close(id, farewell) }
    }

    /// Reports for each room how many late lines were not shown, once they have stopped arriving.
    mutating func tellOfLateLines() {
        for (room, lines) in late.sorted(by: { $0.key < $1.key }) where lines.isOver(at: now) {
            late[room] = nil
            guard lines.hidden > 0 else { continue }
            var line = IRCLine(source: serviceMask, "NOTICE", [room.text])
            (line.time, line.isBot) = (date, true)
            let count = Self.counted(lines.hidden, "more older line")
            line.trailing = "\(count) arrived. CHATHISTORY shows them; leaving and joining shows the last ones."
            spread(line, to: audiences[room] ?? [])
        }
    }

    private mutating func heardAlone(_ message: Message, _ id: ConnectionID) {
        guard let connection = connections[id], message.from != connection.person,
            let closed = connection.rooms[message.room]?.members
        else { return }
        let speaker = speaker(message.from, message.name)
        if people[message.from] != nil, !closed.contains(message.from) {
            connections[id]?.rooms[message.room]?.absent.remove(message.from)
            connections[id]?.rooms[message.room]?.members?.insert(message.from)
            tellOfJoin(speaker, message.room.text, to: [id], by: nil)
        }
        deliver(message, from: speaker, to: [id])
    }

    private mutating func deliver(_ message: Message, from speaker: IRCPerson, to ids: [ConnectionID]) {
        deliver(lines(message, from: speaker), isLate: message.isLate, to: ids)
    }

    func lines(_ message: Message, from speaker: IRCPerson) -> [IRCLine] {
        var line = line(from: speaker, message.isNotice ? "NOTICE" : "PRIVMSG", [message.room.text])
        (line.time, line.msgid) = (message.at, message.record.hex)
        return pieces(message.text, message.isNotice ? .says : message.style, line)
    }

    func lines(_ message: PrivateMessage, from speaker: IRCPerson, to nick: String) -> [IRCLine] {
        var line = line(from: speaker, message.isNotice ? "NOTICE" : "PRIVMSG", [nick])
        (line.time, line.msgid) = (message.at, Self.msgid(message))
        return pieces(message.text, message.isNotice ? .says : message.style, line)
    }

    private mutating func deliver(_ lines: [IRCLine], isLate: Bool, to ids: [ConnectionID]) {
        for line in lines { if isLate { spread(past: line, to: ids) } else { spread(line, to: ids) } }
    }

    /// Sends a past line. Clients that do not show its date get the date in the text.
    mutating func spread(past line: IRCLine, to ids: [ConnectionID]) {
        spread(line, to: ids.filter { showsDates($0) })
        spread(dated(line), to: ids.filter { !showsDates($0) })
    }

    /// `[14:02] text`, with the day if it is not today: `[2026-11-20 14:02] text`.
    func dated(_ line: IRCLine) -> IRCLine {
        guard let time = line.time, let text = line.trailing else { return line }
        var dated = line
        let (then, today) = (settings.dateText(time), settings.dateText(date))
        let mark = "[\(then.prefix(10) == today.prefix(10) ? String(then.suffix(5)) : then)]"
        let action = "\u{1}ACTION "
        dated.trailing =
            text.hasPrefix(action) ? "\(action)\(mark) \(text.dropFirst(action.count))" : "\(mark) \(text)"
        return dated
    }

    /// The author with their current nick. An absent person has their last nick, or one with the short id if that is
    /// taken.
    func speaker(_ id: PeerID, _ name: PeerName?) -> IRCPerson {
        if let person = people[id] { return person }
        let nick = gone.last { $0.id == id }?.nick ?? IRCNick.made(from: name, id) { isHeld($0) }
        let free = isHeld(nick) ? IRCNick.made(from: name, id) { isHeld($0) } : nick
        do {
            let stand = try PeerName(free)
            return IRCPerson(id: id, nick: free, name: name ?? stand, rooms: [], hops: 0)
        } catch {
            preconditionFailure("a nick that was made is a name: \(error)")
        }
    }

    private mutating func heardAlone(_ message: PrivateMessage, _ id: ConnectionID) {
        guard !message.isMine, let nick = connections[id]?.nick else { return }
        connections[id]?.spoke(with: message.peer)
        let speaker = speaker(message.peer, message.peerName)
        // Remembered so that the client can answer somebody it has never seen.
        if people[message.peer] == nil { remember(speaker) }
        deliver(lines(message, from: speaker, to: nick), isLate: message.isLate, to: [id])
    }

    private mutating func cameFurther(_ progress: PrivateProgress, _ id: ConnectionID) {
        guard let index = connections[id]?.letters.firstIndex(where: { $0.number == progress.number }),
            let letter = connections[id]?.letters[index]
        else { return }
        let nick = letter.nick
        switch progress.state {
        case .waiting, .relayed: return
        case .delivered: if letter.tellAt == nil { note(aside: id, "\(nick) has received your message.") }
        case .lapsed: note(aside: id, "\(nick) did not come back in time. Your message was not delivered.")
        }
        connections[id]?.letters.remove(at: index)
    }

    private mutating func linked(_ change: PeerChange) {
        guard !change.isRearranged, !change.isBrief, !change.isSummedUp else { return }
        let name = people[change.id]?.nick ?? DisplayText.safe(change.name.text)
        switch change.state {
        case .connected: status("Connected to \(name).")
        case .notConnected: status("Disconnected from \(name)\(change.reason.map { ": \(IRCWords.said($0))" } ?? "").")
        case .connecting: break
        }
    }

    /// Writes a line to `&mesh`.
    mutating func status(_ text: String, isNotice: Bool = false) {
        let ids = audience(of: .status)
        guard !ids.isEmpty else { return }
        var line = IRCLine(source: serviceMask, isNotice ? "NOTICE" : "PRIVMSG", [IRCChannel.statusName])
        (line.time, line.isBot) = (date, true)
        for piece in IRCText.lines(text, bytesMax: line.textBytesLeft) {
            line.trailing = piece
            spread(line, to: ids)
        }
    }
}

/// Late lines of a room. After a long separation thousands arrive at once: some are shown, the others counted.
struct IRCLateLines {
    private static let shownMax = 30
    private static let pause: Duration = .seconds(5)
    private var shown = 0
    private(set) var hidden = 0
    private var lastAt = Instant.zero

    mutating func shows(at now: Instant) -> Bool {
        lastAt = now
        guard shown < Self.shownMax else {
            hidden += 1
            return false
        }
        shown += 1
        return true
    }

    func isOver(at now: Instant) -> Bool { lastAt.advanced(by: Self.pause) <= now }
}

/// Reports reconciling at its beginning and its end, and not several times a second in between.
struct IRCSyncNews {
    private var isBehind = false

    init() {}

    /// - Returns: `nil` if there is nothing to report.
    mutating func text(_ progress: SyncProgress) -> String? {
        guard progress.isCaughtUp else {
            defer { isBehind = true }
            return isBehind || progress.total <= progress.fetched
                ? nil : "Catching up: \(IRCGateway.counted(progress.total - progress.fetched, "record")) missing."
        }
        guard isBehind || progress.fetched > 0 else { return nil }
        isBehind = false
        return progress.fetched > 0 ? "Caught up: \(IRCGateway.counted(progress.fetched, "new record"))." : "Caught up."
    }
}

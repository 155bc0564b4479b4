import LatticeAPI
import LatticeCore

/// The service `mesh`, with commands for what IRC has no command for, and the channel `&mesh` with the events of the
/// mesh.
struct IRCService {
    enum Step: Sendable {
        /// With the channel of the command; `nil` if it was sent to the service.
        case command(Command, channel: String?)
        case postsChannel(IRCPostsChannel.Step)
        case posts(IRCPosts.Step, channel: String?)
        case contacts(IRCContacts.Step, channel: String?)
    }

    enum Command: Sendable {
        case sync
        case stats
        case key(RoomName)
        case create(RoomName)
        /// Whether the key of the room is here.
        case keys(forget: RoomName)
        case forget(RoomName, isHeld: Bool)
        case urgent(RoomName)
        case here
        case safety(nick: String)
    }

    /// What others than this machine have to do.
    enum Verdict {
        /// A client left a private room for good, or declined an invitation.
        case forgotten(RoomName, isHeld: Bool, channel: String?)
        /// Nobody present has this nick.
        case find(String, channel: String?)
    }

    static let nick = "mesh"
    static let placeUnknown = "This node does not know where it is. Say where you are: /msg mesh place 52.52,13.41"
    private static let unknown = "This is not known right now."

    static let help = [
        "peers              who is here, how far away, in which rooms",
        "stats              links, people and waiting data",
        "sync               sync with every neighbour now",
        "whoami             your own key",
        "create #room       make a private room with a new key",
        "safety NICK        a number to compare by voice with somebody",
        "key #room          the key of a private room you are in",
        "urgent #room TEXT  say something urgent: on top for everybody, at most three in 24 hours",
        "forget #room       leave a private room for good, or decline an invitation",
        "here               where this node is; #posts shows posts near it",
    ]

    private let version: String
    private var synced = IRCSyncNews()

    init(version: String) {
        self.version = version
    }

    // MARK: - &mesh

    /// Writes a line to `&mesh`.
    func status(_ text: String, isNotice: Bool = false, to ids: [ConnectionID], into clients: inout IRCClients) {
        guard !ids.isEmpty else { return }
        var line = IRCLine(source: clients.serviceMask, isNotice ? "NOTICE" : "PRIVMSG", [IRCChannel.statusName])
        (line.time, line.isBot) = (clients.date, true)
        for piece in IRCText.lines(text, bytesMax: line.textBytesLeft) {
            line.trailing = piece
            clients.spread(line, to: ids)
        }
    }

    mutating func synced(_ progress: SyncProgress, to ids: [ConnectionID], into clients: inout IRCClients) {
        if let text = synced.text(progress) { status(text, to: ids, into: &clients) }
    }

    func linked(_ change: PeerChange, _ people: IRCPeople, to ids: [ConnectionID], into clients: inout IRCClients) {
        guard !change.isRearranged, !change.isBrief, !change.isSummedUp else { return }
        let name = people[change.id]?.nick ?? DisplayText.safe(change.name.text)
        switch change.state {
        case .connected: status("Connected to \(name).", to: ids, into: &clients)
        case .notConnected:
            let reason = change.reason.map { ": \($0.words)" } ?? ""
            status("Disconnected from \(name)\(reason).", to: ids, into: &clients)
        case .connecting: break
        }
    }

    // MARK: - Commands

    /// - Parameter channel: the channel of the command; `nil` if it was sent to the service.
    func serve(
        _ text: String, to channel: String?, of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        into clients: inout IRCClients
    ) -> Verdict? {
        let words = text.split(separator: " ", maxSplits: 3).map(String.init)
        switch words.first?.lowercased() {
        case "help": for line in Self.help + IRCContacts.help + IRCPosts.help { clients.note(id, line, to: channel) }
        case "peers": servePeers(channel, id, people, rooms, into: &clients)
        case "stats": clients.ask(id, .stats, then: .service(.command(.stats, channel: channel)))
        case "whoami":
            let key = clients[id]?.person?.hex ?? ""
            clients.note(id, "You are \(clients.mask(id)). Your key is \(key).", to: channel)
        case "sync": clients.ask(id, .sync, then: .service(.command(.sync, channel: channel)))
        case "create", "key", "forget": serveRoom(words, channel, id, rooms, into: &clients)
        case "urgent": sayUrgently(words, channel, id, rooms, into: &clients)
        case "here": clients.ask(id, .posts(.here), then: .service(.command(.here, channel: channel)))
        case "safety":
            guard words.count > 1 else {
                clients.note(id, "Who? For example: safety bob", to: channel)
                return nil
            }
            // A safety number can also be compared by phone, so the person need not be present.
            guard let person = people.person(words[1], clients) else { return .find(words[1], channel: channel) }
            compareKeys(with: person.id, person.nick, channel, id, into: &clients)
        default:
            if IRCContacts.serve(text, to: channel, of: id, people, into: &clients) { return nil }
            if IRCPosts.serve(text, to: channel, of: id, people, into: &clients) { return nil }
            if channel == nil { clients.note(id, "Unknown command. Type help for a list.", to: channel) }
        }
        return nil
    }

    private func servePeers(
        _ channel: String?, _ id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        into clients: inout IRCClients
    ) {
        let shown = 40
        let all = people.all.sorted { ($0.hops, $0.nick) < ($1.hops, $1.nick) }
        if all.count <= 1 { clients.note(id, "Nobody else is here yet.", to: channel) }
        for person in all.prefix(shown) where person.connection != id {
            let names = rooms.publicRooms(of: person.id).sorted().map(\.text).joined(separator: " ")
            let way = person.hops == 0 ? "here" : person.hops == 1 ? "1 hop" : "\(person.hops) hops"
            clients.note(id, "\(person.nick)  \(way)  \(names.isEmpty ? "no room" : names)", to: channel)
        }
        if all.count > shown {
            clients.note(id, "… and \(all.count - shown) more. WHO shows all.", to: channel)
        }
    }

    private func serveRoom(
        _ words: [String], _ channel: String?, _ id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard words.count > 1, let named = clients.channel(words[1], of: id), case .room(let room) = named else {
            return clients.note(id, "Which room? For example: \(words[0]) #camp", to: channel)
        }
        switch words[0].lowercased() {
        case "key": clients.ask(id, .room(.key(room)), then: .service(.command(.key(room), channel: channel)))
        case "create":
            guard !rooms.isIn(named, id) else {
                return clients.note(id, "You are in \(room.text); PART it first.", to: channel)
            }
            clients.ask(id, .room(.create(room)), then: .service(.command(.create(room), channel: channel)))
        default: clients.ask(id, .room(.list), then: .service(.command(.keys(forget: room), channel: channel)))
        }
    }

    private func sayUrgently(
        _ words: [String], _ channel: String?, _ id: ConnectionID, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        guard words.count > 2, let named = clients.channel(words[1], of: id), case .room(let room) = named,
            rooms.isIn(named, id)
        else {
            return clients.note(
                id, "Name a room that you are in, and the text. For example: urgent #camp The bridge is out",
                to: channel)
        }
        let line = SayLines.Line(words.dropFirst(2).joined(separator: " "), isUrgent: true)
        clients.ask(
            id, .say([line], room: room, audience: .everybody),
            then: .service(.command(.urgent(room), channel: channel)))
    }

    func compareKeys(
        with peer: PeerID, _ nick: String, _ channel: String?, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        clients.ask(
            id, .known(.safetyNumber(PeerReference(peer.hex))),
            then: .service(.command(.safety(nick: nick), channel: channel)))
    }

    // MARK: - Replies

    func answered(
        _ command: Command, to channel: String?, _ outcome: IRCOutcome, of id: ConnectionID, _ people: IRCPeople,
        into clients: inout IRCClients
    ) -> Verdict? {
        switch (command, outcome) {
        case (.keys(let room), .success(.answer(.room(.rooms(let rooms))))):
            let step = Command.forget(room, isHeld: rooms.contains(room))
            clients.ask(id, .room(.forget(room)), then: .service(.command(step, channel: channel)))
        case (.forget(let room, let isHeld), .success): return .forgotten(room, isHeld: isHeld, channel: channel)
        case (.safety(let nick), .success(.answer(.known(.safetyNumber(let number))))):
            let groups = number.groups.joined(separator: " ")
            clients.note(id, "You and \(nick) must see the same number: \(groups)", to: channel)
            clients.note(id, "In words: \(number.words.joined(separator: " "))", to: channel)
        default: clients.note(id, sentence(command, outcome, people, clients), to: channel)
        }
        return nil
    }

    /// After a room was left for good, or an invitation declined.
    ///
    /// - Parameter isHeld: whether its key was here; otherwise only its invitations are forgotten.
    func reportForgotten(
        _ room: RoomName, isHeld: Bool, _ channel: String?, _ id: ConnectionID, into clients: inout IRCClients
    ) {
        guard isHeld else {
            return clients.note(
                id, "You have no key of \(room.text). Invitations to it are declined.", to: channel)
        }
        clients.note(
            id,
            "\(room.text) and its key are deleted here. From now on JOIN \(room.text) enters the public room with this name.",
            to: channel)
    }

    /// The answer to a command whose request has its reply.
    private func sentence(
        _ command: Command, _ outcome: IRCOutcome, _ people: IRCPeople, _ clients: IRCClients
    ) -> String {
        switch (command, outcome) {
        case (.stats, .success(.answer(.stats(let stats)))):
            let (count, records) = (people.count, stats.waitingRecords)
            let counts = [
                IRCText.counted(stats.links, "link"), count == 1 ? "1 person" : "\(count) people",
                "\(IRCText.counted(clients.registeredCount, "IRC client")) here",
                "\(IRCText.counted(stats.waitingBytes, "byte")) and \(IRCText.counted(records, "record")) waiting to be sent",
            ]
            return counts.joined(separator: ", ")
        case (.key(let room), .success(.answer(.room(.key(let key))))):
            return "Everybody with this key can read \(room.text): \(key)"
        case (.here, .success(.answer(.posts(.here(let place?))))): return "This node is at \(place)."
        case (.urgent(let room), .success(.answer(.said(let outcomes)))):
            return Self.urgentSentence(outcomes.first, in: room)
        case (_, .failure(let error)): return error.words
        case (.sync, .success): return "Syncing with every neighbour."
        case (.key(let room), .success): return "\(room.text) is not private."
        case (.create(let room), .success):
            return "\(room.text) is a private room now. JOIN \(room.text) to enter it; INVITE lets others in."
        case (.here, .success): return Self.placeUnknown
        case (.stats, .success), (.keys, .success), (.urgent, .success), (.forget, .success), (.safety, .success):
            return Self.unknown
        }
    }

    private static func urgentSentence(_ outcome: SayLines.Outcome?, in room: RoomName) -> String {
        switch outcome {
        case .said(let said):
            said.isUrgent
                ? "Sent to \(room.text) as urgent."
                : "You said it in \(room.text) as a usual line: you have sent your three urgent ones of the last 24 hours."
        case .refused(let error): error.words
        case nil: unknown
        }
    }

    /// Answers CTCP to the service.
    func answer(_ ctcp: String, _ wish: IRCSaying, _ id: ConnectionID, into clients: inout IRCClients) {
        guard !wish.isNotice, let nick = clients[id]?.nick else { return }
        let text: String
        switch ctcp {
        case "VERSION": text = "VERSION lattice \(version)"
        case "PING": text = "PING \(IRCText.ctcp(wish.raw)?.rest ?? "")"
        case "TIME": text = "TIME \(RFC3339.string(clients.date))"
        default: return
        }
        clients.reply(id, IRCLine(source: clients.serviceMask, "NOTICE", [nick], trailing: "\u{1}\(text)\u{1}"))
    }
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
                ? nil : "Catching up: \(IRCText.counted(progress.total - progress.fetched, "record")) missing."
        }
        guard isBehind || progress.fetched > 0 else { return nil }
        isBehind = false
        return progress.fetched > 0 ? "Caught up: \(IRCText.counted(progress.fetched, "new record"))." : "Caught up."
    }
}

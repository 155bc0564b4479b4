import LatticeAPI
import LatticeCore

/// What the gateway says about itself: the welcome, and the answers to queries such as MOTD, LUSERS and HELP.
struct IRCServerPages {
    private let settings: IRCSettings
    private var mostConnections = 0
    /// `nil` if the mesh has none.
    var card: MeshCard?

    init(_ settings: IRCSettings) {
        self.settings = settings
    }

    mutating func connected(count: Int) { mostConnections = max(mostConnections, count) }

    func welcome(_ id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms, into clients: inout IRCClients) {
        let server = settings.serverName
        clients.numeric(id, .welcome, trailing: "Welcome to the mesh \(settings.mesh), \(clients.mask(id))")
        clients.numeric(id, .yourHost, trailing: "Your host is \(server), running lattice \(settings.version)")
        clients.numeric(id, .created, trailing: "This gateway was started \(RFC3339.string(settings.begun))")
        clients.numeric(id, .myInfo, [server, "lattice-\(settings.version)", "B", "knt", "k"])
        supports(id, into: &clients)
        users(id, people, rooms, into: &clients)
        motd(id, into: &clients)
        clients.note(id, "JOIN &mesh to see who comes and goes. /msg \(IRCService.nick) help shows more commands.")
        people.reportNamesake(id, into: &clients)
    }

    /// RPL_ISUPPORT: only limits and features that are in force here.
    private func supports(_ id: ConnectionID, into clients: inout IRCClients) {
        let tokens = [
            "AWAYLEN=\(IRCLimits.awayBytes)", "BOT=B", "CASEMAPPING=ascii",
            "CHANLIMIT=#:\(settings.limits.channelsMax),&:1",
            "CHANMODES=,k,,nt", "CHANNELLEN=\(RoomName.bytesMax)", "CHANTYPES=#&",
            "CHATHISTORY=\(settings.limits.historyLinesMax)", "CLIENTTAGDENY=\(IRCLineActs.denied)", "ELIST=MU",
            "HOSTLEN=63",
            "KEYLEN=\(IRCLimits.roomKeyBytes)", "LINELEN=\(IRCMessage.bytesMax)", "MAXTARGETS=\(IRCLimits.targetsMax)",
            "MODES=1", "MONITOR=\(settings.limits.monitorMax)", "MSGREFTYPES=msgid,timestamp",
            "NAMELEN=\(IRCLimits.realNameBytes)", "NETWORK=\(settings.mesh)", "NICKLEN=\(IRCNick.bytesMax)",
            "PREFIX=(ov)@+",
            "SAFELIST",
            "TARGMAX=\(Self.targets)",
            "TOPICLEN=\(IRCLimits.topicBytes)", "USERLEN=\(IRCLimits.userBytes)", "UTF8ONLY", "WHOX",
        ]
        for start in stride(from: 0, to: tokens.count, by: 13) {
            clients.numeric(
                id, .isupport, Array(tokens[start..<min(start + 13, tokens.count)]),
                trailing: "are supported by this server")
        }
    }

    private static let targets =
        "JOIN:,KICK:1,LIST:,NAMES:,NOTICE:\(IRCLimits.targetsMax),PART:,PRIVMSG:\(IRCLimits.targetsMax),WHOIS:1"

    func show(
        _ command: IRCVerb, _ params: [String], of id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms,
        into clients: inout IRCClients
    ) {
        switch command {
        case .motd: motd(id, into: &clients)
        case .lusers: users(id, people, rooms, into: &clients)
        case .version:
            let server = settings.serverName
            clients.numeric(
                id, .version, ["lattice-\(settings.version)", server], trailing: "A peer of a mesh, not a server")
            supports(id, into: &clients)
        case .time: clients.numeric(id, .time, [settings.serverName], trailing: RFC3339.string(clients.date))
        case .info:
            for line in Self.about { clients.numeric(id, .info, trailing: line) }
            clients.numeric(
                id, .info, trailing: "lattice \(settings.version), running since \(RFC3339.string(settings.begun))")
            clients.numeric(id, .infoEnd, trailing: "End of INFO list")
        case .help, .helpop: help(params.first, id, into: &clients)
        case .stats: stats(params.first ?? "*", id, into: &clients)
        case .admin:
            clients.numeric(id, .adminMe, [settings.serverName], trailing: "Who runs this gateway")
            clients.numeric(id, .adminLocation1, trailing: "The person who runs lattice on this machine")
            clients.numeric(id, .adminLocation2, trailing: "The mesh has no operators: each node belongs to its owner")
            clients.numeric(id, .adminEmail, trailing: "Ask in #lobby")
        case .links:
            clients.numeric(
                id, .links, [settings.serverName, settings.serverName],
                trailing: "0 this gateway; /msg mesh peers shows the mesh")
            clients.numeric(id, .linksEnd, ["*"], trailing: "End of /LINKS list")
        case .users: clients.numeric(id, .usersDisabled, trailing: "USERS is not available; use WHO")
        case .summon: clients.numeric(id, .summonDisabled, trailing: "SUMMON is not available")
        case .oper: clients.numeric(id, .noOperHost, trailing: "This network has no operators")
        default: clients.numeric(id, .noPrivileges, trailing: "Not allowed: this network has no operators")
        }
    }

    private static let about = [
        "lattice: people on one network talk and leave messages at places, without a server and without the internet.",
        "Each client of this gateway is a peer of its own, with its own key.",
    ]

    private func motd(_ id: ConnectionID, into clients: inout IRCClients) {
        clients.numeric(id, .motdStart, trailing: "- \(settings.serverName) Message of the day -")
        for line in cardLines + Self.message { clients.numeric(id, .motd, trailing: "- \(line)") }
        clients.numeric(id, .motdEnd, trailing: "End of /MOTD command.")
    }

    /// What the owner of the mesh says.
    private var cardLines: [String] {
        guard let card else { return [] }
        let said = [card.name, card.welcome, card.rules.map { "House rules:\n\($0)" }].compactMap(\.self)
        let lines = said.flatMap { $0.split(whereSeparator: \.isNewline) }.flatMap { line in
            IRCText.lines(DisplayText.safe(String(line)), bytesMax: Self.cardLineBytesMax)
        }
        return lines.isEmpty ? [] : lines + [" "]
    }

    /// A line of the server with its numeric has 512.
    private static let cardLineBytesMax = 380

    private static let message = [
        "This is a mesh of peers, not a server. Channels are rooms that everybody in the mesh shares.",
        "/join #lobby          talk to everybody",
        "/join #camp KEY       enter a private room; only people with its key can read it",
        "/join #posts          posts near this place",
        "/join &mesh           who comes and goes, and problems",
        "/msg NICK TEXT        write to one person; they get it later if they are away",
        "/msg mesh help        more commands",
    ]

    private func users(
        _ id: ConnectionID, _ people: IRCPeople, _ rooms: IRCRooms, into clients: inout IRCClients
    ) {
        let here = people.count
        let own = clients.registeredCount
        let unknown = clients.count - own
        clients.numeric(
            id, .luserClient,
            trailing: "There \(here == 1 ? "is 1 person" : "are \(here) people") and 0 invisible on 1 server")
        clients.numeric(id, .luserOp, ["0"], trailing: "operator(s) online")
        clients.numeric(id, .luserUnknown, ["\(unknown)"], trailing: "unknown connection(s)")
        clients.numeric(id, .luserChannels, ["\(rooms.counts.count)"], trailing: "channels formed")
        clients.numeric(id, .luserMe, trailing: "I have \(IRCText.counted(own, "client")) and 0 servers")
        let (most, all) = ("\(mostConnections)", "\(here)")
        clients.numeric(id, .localUsers, ["\(own)", most], trailing: "Current local users \(own), max \(most)")
        clients.numeric(id, .globalUsers, [all, all], trailing: "Current global users \(all), max \(all)")
    }

    private func stats(_ letter: String, _ id: ConnectionID, into clients: inout IRCClients) {
        if letter.first == "u" {
            let seconds = max(0, (clients.date.milliseconds - settings.begun.milliseconds) / 1_000)
            let (days, rest) = (seconds / 86_400, seconds % 86_400)
            let clock = RFC3339.string(WallTime(milliseconds: rest * 1_000)).dropFirst(11).prefix(8)
            clients.numeric(id, .statsUptime, trailing: "Server Up \(days) days \(clock)")
        }
        clients.numeric(id, .statsEnd, [String(letter.prefix(1))], trailing: "End of /STATS report")
    }

    private func help(_ subject: String?, _ id: ConnectionID, into clients: inout IRCClients) {
        let subject = subject.map { $0.uppercased() } ?? "INDEX"
        let lines = subject == "INDEX" ? IRCHelp.index : IRCHelp.about(subject)
        guard let lines else {
            return clients.numeric(
                id, .helpNotFound, [IRCText.named(subject)], trailing: "No help on this; HELP lists the commands")
        }
        clients.numeric(id, .helpStart, [subject], trailing: lines[0])
        for line in lines.dropFirst() { clients.numeric(id, .helpText, [subject], trailing: line) }
        clients.numeric(id, .helpEnd, [subject], trailing: "End of /HELP")
    }
}

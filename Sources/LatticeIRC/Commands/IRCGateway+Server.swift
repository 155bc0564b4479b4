import LatticeAPI
import LatticeCore

extension IRCGateway {
    mutating func welcome(_ id: ConnectionID) {
        guard let nick = connections[id]?.nick else { return }
        let server = settings.serverName
        numeric(id, .welcome, trailing: "Welcome to the mesh \(settings.mesh), \(mask(id))")
        numeric(id, .yourHost, trailing: "Your host is \(server), running lattice \(settings.version)")
        numeric(id, .created, trailing: "This gateway was started \(RFC3339.string(settings.begun))")
        numeric(id, .myInfo, [server, "lattice-\(settings.version)", "B", "knt", "k"])
        supports(id)
        users(id)
        motd(id)
        note(id, "JOIN &mesh to see who comes and goes. /msg \(IRCService.nick) help shows more commands.")
        tellOfNamesake(id)
        if nick != connections[id]?.nick { preconditionFailure("a nick changes by NICK alone") }
    }

    /// RPL_ISUPPORT: only limits and features that are in force here.
    private mutating func supports(_ id: ConnectionID) {
        let tokens = [
            "AWAYLEN=\(IRCLimits.awayBytes)", "BOT=B", "CASEMAPPING=ascii", "CHANLIMIT=#:\(limits.channelsMax),&:1",
            "CHANMODES=,k,,nt", "CHANNELLEN=\(RoomName.bytesMax)", "CHANTYPES=#&",
            "CHATHISTORY=\(limits.historyLinesMax)", "CLIENTTAGDENY=*", "ELIST=MU", "HOSTLEN=63",
            "KEYLEN=\(IRCLimits.roomKeyBytes)", "LINELEN=\(IRCMessage.bytesMax)", "MAXTARGETS=\(IRCLimits.targetsMax)",
            "MODES=1", "MONITOR=\(limits.monitorMax)", "MSGREFTYPES=msgid,timestamp",
            "NAMELEN=\(IRCLimits.realNameBytes)", "NETWORK=\(settings.mesh)", "NICKLEN=\(IRCNick.bytesMax)",
            "PREFIX=(ov)@+",
            "SAFELIST",
            "TARGMAX=\(Self.targets)",
            "TOPICLEN=\(IRCLimits.topicBytes)", "USERLEN=\(IRCLimits.userBytes)", "UTF8ONLY", "WHOX",
        ]
        for start in stride(from: 0, to: tokens.count, by: 13) {
            numeric(
                id, .isupport, Array(tokens[start..<min(start + 13, tokens.count)]),
                trailing: "are supported by this server")
        }
    }

    private static let targets =
        "JOIN:,KICK:1,LIST:,NAMES:,NOTICE:\(IRCLimits.targetsMax),PART:,PRIVMSG:\(IRCLimits.targetsMax),WHOIS:1"

    mutating func aboutServer(_ command: IRCCommand, _ params: [String], of id: ConnectionID) {
        switch command {
        case .motd: motd(id)
        case .lusers: users(id)
        case .version:
            let server = settings.serverName
            numeric(id, .version, ["lattice-\(settings.version)", server], trailing: "A peer of a mesh, not a server")
            supports(id)
        case .time: numeric(id, .time, [settings.serverName], trailing: RFC3339.string(date))
        case .info:
            for line in Self.about { numeric(id, .info, trailing: line) }
            numeric(id, .info, trailing: "lattice \(settings.version), running since \(RFC3339.string(settings.begun))")
            numeric(id, .infoEnd, trailing: "End of INFO list")
        case .help, .helpop: help(params.first, id)
        case .stats: stats(params.first ?? "*", id)
        case .admin:
            numeric(id, .adminMe, [settings.serverName], trailing: "Who runs this gateway")
            numeric(id, .adminLocation1, trailing: "The person who runs lattice on this machine")
            numeric(id, .adminLocation2, trailing: "The mesh has no operators: each node belongs to its owner")
            numeric(id, .adminEmail, trailing: "Ask in #lobby")
        case .links:
            numeric(
                id, .links, [settings.serverName, settings.serverName],
                trailing: "0 this gateway; /msg mesh peers shows the mesh")
            numeric(id, .linksEnd, ["*"], trailing: "End of /LINKS list")
        case .users: numeric(id, .usersDisabled, trailing: "USERS is not available; use WHO")
        case .summon: numeric(id, .summonDisabled, trailing: "SUMMON is not available")
        case .oper: numeric(id, .noOperHost, trailing: "This network has no operators")
        default: numeric(id, .noPrivileges, trailing: "Not allowed: this network has no operators")
        }
    }

    private static let about = [
        "lattice: people on one network talk and leave messages at places, without a server and without the internet.",
        "Each client of this gateway is a peer of its own, with its own key.",
    ]

    private mutating func motd(_ id: ConnectionID) {
        numeric(id, .motdStart, trailing: "- \(settings.serverName) Message of the day -")
        for line in Self.message { numeric(id, .motd, trailing: "- \(line)") }
        numeric(id, .motdEnd, trailing: "End of /MOTD command.")
    }

    private static let message = [
        "This is a mesh of peers, not a server. Channels are rooms that everybody in the mesh shares.",
        "/join #lobby          talk to everybody",
        "/join #camp KEY       enter a private room; only people with its key can read it",
        "/join #wall           posts near this place",
        "/join &mesh           who comes and goes, and problems",
        "/msg NICK TEXT        write to one person; they get it later if they are away",
        "/msg mesh help        more commands",
    ]

    private mutating func users(_ id: ConnectionID) {
        let here = people.count
        let own = connections.values.count(where: \.isRegistered)
        let unknown = connections.count - own
        numeric(
            id, .luserClient,
            trailing: "There \(here == 1 ? "is 1 person" : "are \(here) people") and 0 invisible on 1 server")
        numeric(id, .luserOp, ["0"], trailing: "operator(s) online")
        numeric(id, .luserUnknown, ["\(unknown)"], trailing: "unknown connection(s)")
        numeric(id, .luserChannels, ["\(members.values.count { !$0.isEmpty })"], trailing: "channels formed")
        numeric(id, .luserMe, trailing: "I have \(Self.counted(own, "client")) and 0 servers")
        let (most, all) = ("\(mostConnections)", "\(here)")
        numeric(id, .localUsers, ["\(own)", most], trailing: "Current local users \(own), max \(most)")
        numeric(id, .globalUsers, [all, all], trailing: "Current global users \(all), max \(all)")
    }

    private mutating func stats(_ letter: String, _ id: ConnectionID) {
        if letter.first == "u" {
            let seconds = max(0, (date.milliseconds - settings.begun.milliseconds) / 1_000)
            let (days, rest) = (seconds / 86_400, seconds % 86_400)
            let clock = RFC3339.string(WallTime(milliseconds: rest * 1_000)).dropFirst(11).prefix(8)
            numeric(id, .statsUptime, trailing: "Server Up \(days) days \(clock)")
        }
        numeric(id, .statsEnd, [String(letter.prefix(1))], trailing: "End of /STATS report")
    }

    private mutating func help(_ subject: String?, _ id: ConnectionID) {
        let subject = subject.map { $0.uppercased() } ?? "INDEX"
        let lines = subject == "INDEX" ? IRCHelp.index : IRCHelp.about(subject)
        guard let lines else {
            return numeric(
                id, .helpNotFound, [Self.named(subject)], trailing: "No help on this; HELP lists the commands")
        }
        numeric(id, .helpStart, [subject], trailing: lines[0])
        for line in lines.dropFirst() { numeric(id, .helpText, [subject], trailing: line) }
        numeric(id, .helpEnd, [subject], trailing: "End of /HELP")
    }
}

enum IRCHelp {
    static let index: [String] =
        ["HELP COMMAND explains one command"]
        + stride(from: 0, to: IRCCommand.allCases.count, by: 10).map { start in
            IRCCommand.allCases[start..<min(start + 10, IRCCommand.allCases.count)].map(\.rawValue)
                .joined(separator: " ")
        }

    static func about(_ subject: String) -> [String]? {
        guard let command = IRCCommand(rawValue: subject) else { return nil }
        return ["\(subject)\(call(command))", sentence(command)]
    }

    private static func call(_ command: IRCCommand) -> String {
        switch command {
        case .join: " #room[,#room] [key[,key]]"
        case .part: " #room[,#room] [:reason]"
        case .privmsg, .notice: " #room|nick[,…] :text"
        case .topic, .names, .list: " [#room]"
        case .who: " [#room|nick|mask] [%fields]"
        case .whois, .whowas, .nick: " nick"
        case .away: " [:text]"
        case .ison, .userhost: " nick …"
        case .monitor: " + nick,… | - nick,… | C | L | S"
        case .invite: " nick #room"
        case .kick: " #room nick"
        case .mode: " #room [+k key] | nick [+B]"
        case .chathistory: " LATEST|BEFORE|AFTER|AROUND|BETWEEN|TARGETS …"
        case .markread: " #room|nick [timestamp=…]"
        case .setname: " :real name"
        default: ""
        }
    }

    private static func sentence(_ command: IRCCommand) -> String {
        switch command {
        case .join: "Enter rooms. With a key, enter a private room; it is created if it does not exist."
        case .part: "Leave rooms."
        case .privmsg: "Send a line to a room or to one person, who gets it later if they are away."
        case .notice: "Like PRIVMSG, but programs do not answer it by themselves."
        case .topic: "Rooms have no topics."
        case .names: "Show who is in a room."
        case .list: "List rooms, and how many people are in them."
        case .who: "Show people by room, nick or mask; %fields are those of WHOX."
        case .whois: "Show who somebody is: key, distance, verified or not."
        case .whowas: "Show who used a nick before."
        case .away: "Mark yourself as away; without text, as back. Clients of this gateway see it."
        case .monitor: "Watch nicks: get a line when they come and go."
        case .invite: "Send somebody the key of a private room, or invite them to a public one."
        case .kick:
            "Remove somebody from a private room: the others get a new key. Nobody can be removed from public rooms."
        case .mode: "+k makes a room private if you are alone in it; +B marks you as a bot."
        case .nick: "Change your nick. Your key and account stay the same."
        case .chathistory: "Show earlier lines, as far as this node keeps them."
        case .markread: "Remember how far you have read, for all your clients."
        case .authenticate:
            "Sign in to an account. The first password that is used for an account becomes its password."
        default: "Works as on any IRC server."
        }
    }
}

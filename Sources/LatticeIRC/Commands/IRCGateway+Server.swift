import LatticeAPI
import LatticeCore

// What clients ask of the gateway itself.
extension IRCGateway {
    mutating func welcome(_ id: ConnectionID) {
        guard let nick = connections[id]?.nick else { return }
        let server = settings.serverName
        numeric(id, .welcome, trailing: "Welcome to the mesh \(settings.mesh), \(mask(id))")
        numeric(id, .yourHost, trailing: "Your host is \(server), running lattice \(settings.version)")
        numeric(id, .created, trailing: "This server was created \(RFC3339.string(settings.begun))")
        numeric(id, .myInfo, [server, "lattice-\(settings.version)", "B", "knt", "k"])
        supports(id)
        users(id)
        motd(id)
        note(id, "JOIN &mesh shows who comes and goes; /msg \(IRCService.nick) help tells what else there is")
        tellOfNamesake(id)
        if nick != connections[id]?.nick { preconditionFailure("a nick changes by NICK alone") }
    }

    /// RPL_ISUPPORT: what is enforced here, and nothing else.
    private mutating func supports(_ id: ConnectionID) {
        let tokens = [
            "AWAYLEN=\(IRCLimits.awayBytes)", "BOT=B", "CASEMAPPING=ascii", "CHANLIMIT=#:\(limits.channelsMax),&:1",
            "CHANMODES=,k,,nt", "CHANNELLEN=\(RoomName.bytesMax)", "CHANTYPES=#&",
            "CHATHISTORY=\(limits.historyLinesMax)", "CLIENTTAGDENY=*", "ELIST=MU", "HOSTLEN=63",
            "KEYLEN=\(IRCLimits.roomKeyBytes)", "LINELEN=\(IRCMessage.bytesMax)", "MAXTARGETS=\(IRCLimits.targetsMax)",
            "MODES=1", "MONITOR=\(limits.monitorMax)", "MSGREFTYPES=msgid,timestamp",
            "NAMELEN=\(IRCLimits.realNameBytes)", "NETWORK=\(settings.mesh)", "NICKLEN=\(IRCNick.bytesMax)", "PREFIX=",
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
            numeric(id, .version, ["lattice-\(settings.version)", server], trailing: "a peer of a mesh, and no server")
            supports(id)
        case .time: numeric(id, .time, [settings.serverName], trailing: RFC3339.string(date))
        case .info:
            for line in Self.about { numeric(id, .info, trailing: line) }
            numeric(id, .info, trailing: "lattice \(settings.version), here since \(RFC3339.string(settings.begun))")
            numeric(id, .infoEnd, trailing: "End of INFO list")
        case .help, .helpop: help(params.first, id)
        case .stats: stats(params.first ?? "*", id)
        case .admin:
            numeric(id, .adminMe, [settings.serverName], trailing: "Administrative info")
            numeric(id, .adminLocation1, trailing: "Whoever runs lattice on this machine")
            numeric(id, .adminLocation2, trailing: "A mesh has no operators: each node is its owner's")
            numeric(id, .adminEmail, trailing: "Ask in #lobby")
        case .links:
            numeric(
                id, .links, [settings.serverName, settings.serverName],
                trailing: "0 a peer of the mesh; /msg mesh peers")
            numeric(id, .linksEnd, ["*"], trailing: "End of /LINKS list")
        case .users: numeric(id, .usersDisabled, trailing: "USERS has been disabled; WHO tells who is there")
        case .summon: numeric(id, .summonDisabled, trailing: "SUMMON has been disabled")
        case .oper: numeric(id, .noOperHost, trailing: "A mesh has no operators")
        default: numeric(id, .noPrivileges, trailing: "Permission Denied: a mesh has no operators")
        }
    }

    private static let about = [
        "lattice: people on one network talk and leave messages at places, without a server and without the internet.",
        "This gateway makes each client a peer of its own, with a key of its own.",
    ]

    private mutating func motd(_ id: ConnectionID) {
        numeric(id, .motdStart, trailing: "- \(settings.serverName) Message of the day -")
        for line in Self.message { numeric(id, .motd, trailing: "- \(line)") }
        numeric(id, .motdEnd, trailing: "End of /MOTD command.")
    }

    private static let message = [
        "This is a mesh of peers, and no server: channels are rooms that everybody in the mesh shares.",
        "/join #lobby          talk with whoever is there",
        "/join #camp KEY       enter a private room, which only those with its key read",
        "/join #wall           posts that people left near this place",
        "/join &mesh           who comes and goes, and what goes wrong",
        "/msg NICK TEXT        say something to one person, who gets it later if they are away",
        "/msg mesh help        what else there is",
    ]

    private mutating func users(_ id: ConnectionID) {
        let here = people.count
        let own = connections.values.count(where: \.isRegistered)
        let unknown = connections.count - own
        numeric(
            id, .luserClient,
            trailing: "There \(here == 1 ? "is 1 user" : "are \(here) users") and 0 invisible on 1 server")
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
            return numeric(id, .helpNotFound, [Self.named(subject)], trailing: "No help is available on this topic")
        }
        numeric(id, .helpStart, [subject], trailing: lines[0])
        for line in lines.dropFirst() { numeric(id, .helpText, [subject], trailing: line) }
        numeric(id, .helpEnd, [subject], trailing: "End of /HELP")
    }
}

/// What HELP tells.
enum IRCHelp {
    static let index: [String] =
        ["Help: HELP COMMAND tells of one command"]
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
        case .join: "Enters rooms; with a key a private one, which is made if nobody has it."
        case .part: "Leaves rooms."
        case .privmsg: "Says a line in a room or to one person, who gets it later if they are away."
        case .notice: "As PRIVMSG: the mesh knows one kind of line. Nothing answers it by itself."
        case .topic: "Tells that there is none: rooms of a mesh have no topics."
        case .names: "Tells who is in a room."
        case .list: "Tells which rooms there are, and how many are in them."
        case .who: "Tells who is in a room or goes by a nick; %fields are those of WHOX."
        case .whois: "Tells who somebody is: key, way, verified or not."
        case .whowas: "Tells who somebody was."
        case .away: "Tells clients of this gateway that you are away; without text that you are back."
        case .monitor: "Watches nicks: you are told when they come and go."
        case .invite: "Sends somebody the key of a private room, or tells somebody of a public one."
        case .kick:
            "Makes a new key for a private room and sends it to all but one. From public rooms nobody can be removed."
        case .mode: "+k makes a private room of one in which nobody else is; +B says that you are a bot."
        case .nick: "Calls you otherwise: your key and account stay."
        case .chathistory: "Shows what was said before, from what this node keeps."
        case .markread: "Keeps how far you have read, for all your clients."
        case .authenticate:
            "Shows by a password that an account is yours; the first password of an account is its password."
        default: "As any IRC server understands it."
        }
    }
}

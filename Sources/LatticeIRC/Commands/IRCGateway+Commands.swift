import LatticeCore

/// The supported commands; the raw value is the name.
enum IRCCommand: String, CaseIterable {
    case cap = "CAP"
    case pass = "PASS"
    case nick = "NICK"
    case user = "USER"
    case authenticate = "AUTHENTICATE"
    case ping = "PING"
    case pong = "PONG"
    case quit = "QUIT"
    case join = "JOIN"
    case part = "PART"
    case privmsg = "PRIVMSG"
    case notice = "NOTICE"
    case tagmsg = "TAGMSG"
    case topic = "TOPIC"
    case names = "NAMES"
    case list = "LIST"
    case who = "WHO"
    case whois = "WHOIS"
    case whowas = "WHOWAS"
    case away = "AWAY"
    case ison = "ISON"
    case userhost = "USERHOST"
    case monitor = "MONITOR"
    case invite = "INVITE"
    case kick = "KICK"
    case mode = "MODE"
    case motd = "MOTD"
    case lusers = "LUSERS"
    case version = "VERSION"
    case time = "TIME"
    case info = "INFO"
    case help = "HELP"
    case helpop = "HELPOP"
    case stats = "STATS"
    case admin = "ADMIN"
    case links = "LINKS"
    case setname = "SETNAME"
    case chathistory = "CHATHISTORY"
    case markread = "MARKREAD"
    case users = "USERS"
    case summon = "SUMMON"
    case oper = "OPER"
    case kill = "KILL"
    case rehash = "REHASH"
    case wallops = "WALLOPS"

    /// Whether the command is allowed before registration.
    var isForStrangers: Bool {
        switch self {
        case .cap, .pass, .nick, .user, .authenticate, .ping, .pong, .quit: true
        default: false
        }
    }
}

extension IRCGateway {
    private static let verbs: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
    ]

    mutating func carryOut(_ message: IRCMessage, of id: ConnectionID) {
        guard let connection = connections[id] else { return }
        let command = IRCCommand(rawValue: message.command)
        // A web page can send any bytes to any port of this machine, but its first line names HTTP.
        guard connection.isRegistered || !Self.verbs.contains(message.command) else {
            return close(id, "This is an IRC server, not a web server")
        }
        guard connection.isRegistered || command?.isForStrangers == true else {
            // Some clients send JOIN before registering; an error is enough, and the connection stays.
            return numeric(id, .notRegistered, trailing: "Register first, with NICK and USER")
        }
        guard let command else {
            return numeric(
                id, .unknownCommand, [IRCGateway.named(message.command)], trailing: "Unknown command; HELP lists all")
        }
        let params = message.params
        switch command {
        case .cap, .pass, .nick, .user, .authenticate: register(command, params, of: id)
        case .ping: ping(params, of: id)
        case .pong: break
        case .quit: quit(params.first.map { "Quit: \(DisplayText.safe($0))" } ?? "Quit", of: id)
        case .join, .part, .topic, .names, .list, .invite, .kick, .mode: aboutChannels(command, params, of: id)
        case .privmsg, .notice: say(params, isNotice: command == .notice, of: id)
        case .tagmsg: break  // CLIENTTAGDENY=*: no client tags are relayed.
        case .who, .whois, .whowas, .ison, .userhost, .monitor: aboutPeople(command, params, of: id)
        case .away: away(params.first ?? "", of: id)
        case .setname: setName(params, of: id)
        case .chathistory: history(params, of: id)
        case .markread: markRead(params, of: id)
        case .motd, .lusers, .version, .time, .info, .help, .helpop, .stats, .admin, .links, .users, .summon, .oper,
            .kill, .rehash, .wallops:
            aboutServer(command, params, of: id)
        }
    }

    /// Waits until the client's last line has come round or the next timer, so that others here read it first.
    private mutating func quit(_ reason: String, of id: ConnectionID) {
        guard connections[id]?.unheard != nil else { return close(id, reason) }
        connections[id]?.farewell = reason
    }

    /// Client text as a single parameter: never empty, without blanks, and short.
    static func named(_ text: String) -> String {
        let short = String(DisplayText.safe(text).prefix(64)).replacing(" ", with: "_")
        return short.isEmpty || short.hasPrefix(":") ? "*" : short
    }

    private mutating func ping(_ params: [String], of id: ConnectionID) {
        guard let token = params.first, !token.isEmpty else {
            return numeric(id, .noOrigin, trailing: "PING needs a token")
        }
        reply(id, IRCLine(source: settings.serverName, "PONG", [settings.serverName], trailing: token))
    }

    /// Handles the elements in order; each one waits for the one before it.
    mutating func each<Element: Sendable>(
        _ elements: ArraySlice<Element>, of id: ConnectionID,
        _ body: @escaping @Sendable (inout IRCGateway, Element, @escaping @Sendable (inout IRCGateway) -> Void) -> Void
    ) {
        guard let first = elements.first, connections[id]?.isClosing == false else { return }
        body(&self, first) { gateway in gateway.each(elements.dropFirst(), of: id, body) }
    }
}

/// The supported commands; the raw value is the name.
enum IRCVerb: String, CaseIterable {
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
    case redact = "REDACT"
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

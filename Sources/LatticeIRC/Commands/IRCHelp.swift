enum IRCHelp {
    static let index: [String] =
        ["HELP COMMAND explains one command"]
        + stride(from: 0, to: IRCVerb.allCases.count, by: 10).map { start in
            IRCVerb.allCases[start..<min(start + 10, IRCVerb.allCases.count)].map(\.rawValue)
                .joined(separator: " ")
        }

    static func about(_ subject: String) -> [String]? {
        guard let command = IRCVerb(rawValue: subject) else { return nil }
        return ["\(subject)\(call(command))", sentence(command)]
    }

    private static func call(_ command: IRCVerb) -> String {
        switch command {
        case .join: " #room[,#room] [key[,key]]"
        case .part: " #room[,#room] [:reason]"
        case .privmsg, .notice: " #room|nick[,…] :text"
        case .names, .list: " [#room]"
        case .topic: " #room [:text]"
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

    private static func sentence(_ command: IRCVerb) -> String {
        switch command {
        case .join: "Enter rooms. With a key, enter a private room; it is created if it does not exist."
        case .part: "Leave rooms."
        case .privmsg: "Send a line to a room or to one person, who gets it later if they are away."
        case .notice: "Like PRIVMSG, but programs do not answer it by themselves."
        case .topic: "Show the newest pin of a room, or pin a text. An empty text removes your pin."
        case .names: "Show who is in a room."
        case .list: "List rooms, and how many people are in them."
        case .who: "Show people by room, nick or mask; %fields are those of WHOX."
        case .whois: "Show who somebody is: key, distance, verified or not."
        case .whowas: "Show who used a nick before."
        case .away: "Mark yourself as away; without a text, you are back. The whole mesh sees it."
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

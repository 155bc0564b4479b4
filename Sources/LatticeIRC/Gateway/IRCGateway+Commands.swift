import LatticeCore

extension IRCGateway {
    private static let verbs: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE",
    ]

    mutating func carryOut(_ message: IRCMessage, of id: ConnectionID) {
        guard let connection = clients[id] else { return }
        let command = IRCVerb(rawValue: message.command)
        // A web page can send any bytes to any port of this machine, but its first line names HTTP.
        guard connection.isRegistered || !Self.verbs.contains(message.command) else {
            return close(id, "This is an IRC server, not a web server")
        }
        guard connection.isRegistered || command?.isForStrangers == true else {
            // Some clients send JOIN before registering; an error is enough, and the connection stays.
            return clients.numeric(id, .notRegistered, trailing: "Register first, with NICK and USER")
        }
        guard let command else {
            return clients.numeric(
                id, .unknownCommand, [IRCText.named(message.command)], trailing: "Unknown command; HELP lists all")
        }
        let params = message.params
        switch command {
        case .cap, .pass, .nick, .user, .authenticate: register(command, params, of: id)
        case .ping: ping(params, of: id)
        case .pong: break
        case .quit: quit(params.first.map { "Quit: \(DisplayText.safe($0))" } ?? "Quit", of: id)
        case .join, .part, .topic, .names, .list, .invite, .kick, .mode: aboutChannels(command, params, of: id)
        case .privmsg, .notice:
            let isNotice = command == .notice
            let answered = IRCLineActs.answered(message)
            let jobs = messages.targets(params, isNotice: isNotice, replyTo: answered, of: id, into: &clients)
            clients[id]?.underWay.queue(jobs)
        case .tagmsg: IRCLineActs.tag(message, of: id, rooms, into: &clients)
        case .redact: IRCLineActs.redact(params, of: id, rooms, into: &clients)
        case .who: IRCWho.who(params, of: id, people, rooms, spokeAt: messages.lastSpoke, into: &clients)
        case .whois: IRCWho.whoIs(params, of: id, people, into: &clients)
        case .whowas: IRCWho.whoWas(params, of: id, people, into: &clients)
        case .ison: IRCWho.isOn(params, of: id, people, into: &clients)
        case .userhost: IRCWho.userHost(params, of: id, people, into: &clients)
        case .monitor: monitor.monitor(params, of: id, people, into: &clients)
        case .away: people.away(params.first ?? "", of: id, into: &clients)
        case .setname: people.setName(params, of: id, rooms, into: &clients)
        case .chathistory: history.history(params, of: id, people, rooms, into: &clients)
        case .markread: history.markRead(params, of: id, into: &clients)
        case .motd, .lusers, .version, .time, .info, .help, .helpop, .stats, .admin, .links, .users, .summon, .oper,
            .kill, .rehash, .wallops:
            pages.show(command, params, of: id, people, rooms, into: &clients)
        }
    }

    private mutating func aboutChannels(_ command: IRCVerb, _ params: [String], of id: ConnectionID) {
        guard let first = params.first, !first.isEmpty else {
            switch command {
            case .list: return rooms.list([], of: id, into: &clients)
            case .names: return clients.numeric(id, .namesEnd, ["*"], trailing: "End of /NAMES list")
            default: return clients.missing(id, command.rawValue)
            }
        }
        var jobs: [IRCJob] = []
        switch command {
        case .join: jobs = rooms.joins(first, keys: params.count > 1 ? params[1] : "", of: id)
        case .part: jobs = IRCText.items(first).map { .part($0, reason: params.count > 1 ? params[1] : nil) }
        case .names: jobs = IRCText.items(first).map { .names($0) }
        case .list: rooms.list(IRCText.items(first), of: id, into: &clients)
        case .topic: rooms.topic(params, of: id, into: &clients)
        case .invite: IRCModeration.invite(params, of: id, people, rooms, into: &clients)
        case .kick: IRCModeration.kick(params, of: id, people, rooms, into: &clients)
        default: mode(first, params, of: id)
        }
        clients[id]?.underWay.queue(jobs)
    }

    private mutating func mode(_ target: String, _ params: [String], of id: ConnectionID) {
        guard IRCChannel.isOne(target) else {
            return people.mode(target, params.dropFirst().first, of: id, into: &clients)
        }
        guard let channel = clients.channel(target, of: id) else { return }
        IRCModeration.mode(channel, params, of: id, rooms, into: &clients)
    }

    mutating func carryOut(_ job: IRCJob, of id: ConnectionID) {
        switch job {
        case .join(let name, let key):
            carryOut(rooms.join(name, key: key, of: id, people, into: &clients), of: id)
        case .part(let name, let reason): rooms.part(name, reason, of: id, people, into: &clients)
        case .names(let name): rooms.names(name, of: id, people, into: &clients)
        case .topic(let room, let reason):
            clients.ask(id, .room(.pins(room)), then: .rooms(.topic(room, reason)))
        case .say(let wish, let target):
            carryOut(messages.say(wish, to: target, of: id, people, rooms, into: &clients), of: id)
        }
    }

    private mutating func quit(_ reason: String, of id: ConnectionID) {
        if !messages.waits(toQuit: id, reason) { close(id, reason) }
    }

    private mutating func ping(_ params: [String], of id: ConnectionID) {
        guard let token = params.first, !token.isEmpty else {
            return clients.numeric(id, .noOrigin, trailing: "PING needs a token")
        }
        let server = clients.serverName
        clients.reply(id, IRCLine(source: server, "PONG", [server], trailing: token))
    }
}

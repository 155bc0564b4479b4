import LatticeAPI
import LatticeCore

// NICK, and the nick of a client that registers.
extension IRCPeople {
    enum NickVerdict {
        case settled
        /// The client has the nick; a peer of another node that had it needs another one here.
        case held(displaced: PeerID?)
    }

    /// - Parameter isNegotiating: whether the client may still sign in.
    mutating func nick(
        _ params: [String], of id: ConnectionID, isNegotiating: Bool, into clients: inout IRCClients
    ) -> NickVerdict {
        guard let connection = clients[id] else { return .settled }
        guard let nick = params.first, !nick.isEmpty else {
            clients.numeric(id, .noNicknameGiven, trailing: "Say which nick you want: NICK alice")
            return .settled
        }
        guard IRCNick.isValid(nick), let name = IRCNick.name(nick) else {
            clients.numeric(id, .erroneousNickname, [IRCText.named(nick)], trailing: Self.nickRule)
            return .settled
        }
        guard !IRCNick.isReserved(nick) else {
            clients.numeric(id, .erroneousNickname, [nick], trailing: "This nick is reserved; choose another one")
            return .settled
        }
        guard nick != connection.nick else { return .settled }
        switch holder(nick) {
        case .connection(let other) where other != id:
            guard mayTakeOver(clients[other], connection, isNegotiating: isNegotiating) else {
                inUse(id, nick, into: &clients)
                return .settled
            }
            // Whether it may take the nick is decided when it has signed in.
            if let old = connection.nick { letGo(of: old, .connection(id)) }
            clients[id]?.nick = nick
            return .settled
        case .service:
            inUse(id, nick, into: &clients)
            return .settled
        case .connection, .peer, nil: break
        }
        guard connection.person != nil else { return .held(displaced: hold(nick, id, &clients)) }
        if !askIfClaimed(nick, id, then: .claimed(nick, name), into: &clients) {
            clients.ask(id, .rename(name), then: .people(.renamed(nick)))
        }
        return .settled
    }

    private static let nickRule =
        "A nick has 1 to \(IRCNick.bytesMax) bytes: letters, digits and -_[]{}\\`^|, and does not begin with a digit or -"

    /// Whether a client that is signing in may own the account of another connection.
    private func mayTakeOver(_ other: IRCConnection?, _ connection: IRCConnection, isNegotiating: Bool) -> Bool {
        guard connection.person == nil, let account = other?.account else { return false }
        return connection.account == account || connection.account == nil && isNegotiating
    }

    func inUse(_ id: ConnectionID, _ nick: String, into clients: inout IRCClients) {
        clients.numeric(id, .nicknameInUse, [nick], trailing: "This nick is in use; choose another one")
    }

    /// Asks whether the nick is the name of an account that this client has not signed in to.
    ///
    /// - Returns: `false` if it cannot be one, so nothing was asked.
    func askIfClaimed(
        _ nick: String, _ id: ConnectionID, then step: Step, into clients: inout IRCClients
    ) -> Bool {
        let folded = IRCNick.folded(nick)
        guard clients[id]?.account?.text != folded, let account = AccountName(folded) else { return false }
        clients.ask(id, .isClaimed(account), then: .people(step))
        return true
    }

    /// A registered client may have the nick, unless it belongs to an account.
    func claimed(
        _ nick: String, _ name: PeerName, _ outcome: IRCOutcome, of id: ConnectionID, into clients: inout IRCClients
    ) {
        if Self.isClaimed(outcome) { return inUse(id, nick, into: &clients) }
        clients.ask(id, .rename(name), then: .people(.renamed(nick)))
    }

    /// A node without accounts has no claimed names.
    static func isClaimed(_ outcome: IRCOutcome) -> Bool {
        if case .success(.says(true)) = outcome { true } else { false }
    }

    /// A client that registers cannot have the nick.
    mutating func refuse(_ nick: String, _ id: ConnectionID, _ reason: String, into clients: inout IRCClients) {
        clients.numeric(id, .nicknameInUse, [nick], trailing: reason)
        letGo(of: nick, .connection(id))
        clients[id]?.nick = nil
    }

    mutating func admit(_ id: ConnectionID, _ nick: String, into clients: inout IRCClients) {
        // Accounts with a password never begin with a tilde, so clients without a password cannot get one of them.
        guard let account = clients[id]?.account ?? AccountName("~\(IRCNick.folded(nick))"),
            let name = IRCNick.name(nick)
        else { return refuse(nick, id, "This nick cannot be used here; choose another one", into: &clients) }
        clients.ask(id, .admit(account, name), then: .people(.admitted(nick, name)))
    }

    func reportNamesake(_ id: ConnectionID, into clients: inout IRCClients) {
        guard let connection = clients[id], let nick = connection.nick else { return }
        let folded = IRCNick.folded(nick)
        let namesakes = all.filter { $0.id != connection.person && IRCNick.folded($0.name.text) == folded }
        guard let namesake = namesakes.min(by: { $0.id < $1.id }) else { return }
        clients.note(
            id,
            "Somebody else in the mesh is also called \(nick). Here they are \(namesake.nick); others tell you apart by "
                + "your short ids.")
    }
}

import LatticeAPI
import LatticeCore

// Registration: NICK, USER, PASS, CAP and AUTHENTICATE in any order.
extension IRCGateway {
    mutating func register(_ command: IRCCommand, _ params: [String], of id: ConnectionID) {
        switch command {
        case .cap: negotiate(params, of: id)
        case .pass: password(params, of: id)
        case .nick: nick(params, of: id)
        case .user: user(params, of: id)
        default: authenticate(params, of: id)
        }
    }

    private mutating func password(_ params: [String], of id: ConnectionID) {
        guard let connection = connections[id] else { return }
        guard connection.person == nil else {
            return numeric(id, .alreadyRegistered, trailing: Self.isIn)
        }
        guard let said = params.first else { return missing(id, "PASS") }
        guard settings.password != nil else { return }
        connections[id]?.guess = TypedKey(said)
        judgeGuess(id)
    }

    private static let isIn = "You are already registered"

    /// Checks the client's gateway password once its host may try one. Until then no other input of the client is read.
    mutating func judgeGuess(_ id: ConnectionID) {
        guard let password = settings.password, let connection = connections[id], let guess = connection.guess,
            passwordDesk.mayTry(connection.host, at: now)
        else { return }
        connections[id]?.guess = nil
        guard Self.areEqual(password, guess) else {
            passwordDesk.wasWrong(connection.host, at: now)
            return refusePassword(id, "Wrong password for this gateway")
        }
        connections[id]?.password = .right
    }

    private mutating func refusePassword(_ id: ConnectionID, _ reason: String) {
        numeric(id, .passwordMismatch, trailing: reason)
        close(id, reason)
    }

    /// Whether the client gave the gateway's password, or none is required.
    func isTrusted(_ id: ConnectionID) -> Bool { settings.password == nil || connections[id]?.password == .right }

    /// Compares in constant time.
    private static func areEqual(_ left: TypedKey, _ right: TypedKey) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        return zip(left.bytes, right.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private mutating func user(_ params: [String], of id: ConnectionID) {
        guard connections[id]?.person == nil else {
            return numeric(id, .alreadyRegistered, trailing: Self.isIn)
        }
        guard params.count >= 4, !params[0].isEmpty else { return missing(id, "USER") }
        connections[id]?.user = Self.userName(params[0])
        let realName = Self.clipped(DisplayText.safe(params[3]), bytesMax: IRCLimits.realNameBytes)
        connections[id]?.realName = realName.isEmpty ? "-" : realName
        enter(id)
    }

    private static func userName(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
            default: false
            }
        }
        let name = String(String.UnicodeScalarView(kept.prefix(IRCLimits.userBytes)))
        return name.isEmpty ? "user" : name
    }

    /// Cuts between two characters.
    static func clipped(_ text: String, bytesMax: Int) -> String {
        var (clipped, bytes) = ("", 0)
        for character in text {
            bytes += character.utf8.count
            guard bytes <= bytesMax else { break }
            clipped.append(character)
        }
        return clipped
    }

    private mutating func nick(_ params: [String], of id: ConnectionID) {
        guard let connection = connections[id] else { return }
        guard let nick = params.first, !nick.isEmpty else {
            return numeric(id, .noNicknameGiven, trailing: "Say which nick you want: NICK alice")
        }
        guard IRCNick.isValid(nick), let name = peerName(nick) else {
            return numeric(id, .erroneousNickname, [Self.named(nick)], trailing: Self.nickRule)
        }
        guard !IRCNick.isReserved(nick) else {
            return numeric(id, .erroneousNickname, [nick], trailing: "This nick is reserved; choose another one")
        }
        guard nick != connection.nick else { return }
        switch holders[IRCNick.folded(nick)] {
        case .connection(let other) where other != id:
            guard mayTakeOver(other, id) else { return inUse(id, nick) }
            // Whether it may take the nick is decided when it has signed in.
            if let old = connection.nick { letGo(of: old, .connection(id)) }
            connections[id]?.nick = nick
            return
        case .service: return inUse(id, nick)
        case .connection, .peer, nil: break
        }
        guard connection.person != nil else {
            hold(nick, id)
            return enter(id)
        }
        claimed(nick, id) { gateway, isClaimed in
            if isClaimed { return gateway.inUse(id, nick) }
            gateway.ask(id, .perform(.rename(name))) { gateway, id, outcome in
                switch outcome {
                case .success: gateway.renamed(id, to: nick)
                case .failure(let error):
                    gateway.numeric(id, .erroneousNickname, [nick], trailing: error.description)
                }
            }
        }
    }

    private static let nickRule =
        "A nick has 1 to \(IRCNick.bytesMax) bytes: letters, digits and -_[]{}\\`^|, and does not begin with a digit or -"

    /// Whether a client that is signing in may own the account of another connection.
    private func mayTakeOver(_ other: ConnectionID, _ id: ConnectionID) -> Bool {
        guard let connection = connections[id], connection.person == nil, let account = connections[other]?.account
        else { return false }
        return connection.account == account || connection.account == nil && connection.isNegotiating
    }

    private func peerName(_ nick: String) -> PeerName? {
        do {
            return try PeerName(nick)
        } catch {
            return nil
        }
    }

    private mutating func inUse(_ id: ConnectionID, _ nick: String) {
        numeric(id, .nicknameInUse, [nick], trailing: "This nick is in use; choose another one")
    }

    /// Whether the nick is the name of an account that this client has not signed in to.
    private mutating func claimed(
        _ nick: String, _ id: ConnectionID, then: @escaping @Sendable (inout IRCGateway, Bool) -> Void
    ) {
        let folded = IRCNick.folded(nick)
        guard connections[id]?.account?.text != folded, let account = AccountName(folded) else {
            return then(&self, false)
        }
        ask(id, .isClaimed(account)) { gateway, _, outcome in
            // A node without accounts has no claimed names.
            if case .success(.says(true)) = outcome { return then(&gateway, true) }
            then(&gateway, false)
        }
    }

    /// Assigns a nick to a client. A peer of another node that has it gets another one here.
    private mutating func hold(_ nick: String, _ id: ConnectionID) {
        let folded = IRCNick.folded(nick)
        if let old = connections[id]?.nick { letGo(of: old, .connection(id)) }
        let displaced = holders[folded]
        holders[folded] = .connection(id)
        connections[id]?.nick = nick
        if case .peer(let peer) = displaced { callOtherwise(peer) }
    }

    func isHeld(_ nick: String) -> Bool { holders[IRCNick.folded(nick)] != nil }

    mutating func letGo(of nick: String, _ holder: Holder) {
        let folded = IRCNick.folded(nick)
        if holders[folded] == holder { holders[folded] = nil }
    }

    private mutating func renamed(_ id: ConnectionID, to nick: String) {
        guard let connection = connections[id], let person = connection.person else { return }
        if case .connection(let other) = holders[IRCNick.folded(nick)], other != id {
            // Another client took it while the node was asked.
            return inUse(id, nick)
        }
        let line = IRCLine(source: mask(id), "NICK", [], trailing: nick)
        // A peer with that nick is renamed first, so that nobody sees the nick twice.
        hold(nick, id)
        tellOfNick(person, old: connection.nick ?? "", line, id)
        people[person]?.nick = nick
        if let name = peerName(nick) { people[person]?.name = name }
        tellOfNamesake(id)
        watched(nick, isHere: true)
    }

    /// Registers a client as soon as everything needed is there.
    mutating func enter(_ id: ConnectionID) {
        guard let connection = connections[id], connection.person == nil, !connection.isAdmitting,
            connection.ticket == nil, connection.guess == nil, let nick = connection.nick, connection.user != nil,
            !connection.isNegotiating
        else { return }
        if case .asked = connection.proof { return }
        guard isTrusted(id) else { return refusePassword(id, "This gateway needs a password: set it in your client") }
        takeOver(id)
        if case .connection(let other) = holders[IRCNick.folded(nick)], other != id {
            return refuse(nick, id, "This nick is in use; choose another one")
        }
        hold(nick, id)
        claimed(nick, id) { gateway, isClaimed in
            guard !isClaimed else {
                return gateway.refuse(
                    nick, id, "This nick belongs to an account: sign in with SASL, or choose another nick")
            }
            gateway.admit(id, nick)
        }
    }

    /// Closes older connections of the account that this client has signed in to.
    private mutating func takeOver(_ id: ConnectionID) {
        guard let account = connections[id]?.account else { return }
        let others = connections.values.filter { $0.id != id && $0.account == account && $0.person != nil }
        for other in others.map(\.id).sorted() { close(other, "You signed in from another client") }
    }

    private mutating func refuse(_ nick: String, _ id: ConnectionID, _ reason: String) {
        numeric(id, .nicknameInUse, [nick], trailing: reason)
        letGo(of: nick, .connection(id))
        connections[id]?.nick = nil
    }

    private mutating func admit(_ id: ConnectionID, _ nick: String) {
        // Accounts with a password never begin with a tilde, so clients without a password cannot get one of them.
        guard let account = connections[id]?.account ?? AccountName("~\(IRCNick.folded(nick))"),
            let name = peerName(nick)
        else { return refuse(nick, id, "This nick cannot be used here; choose another one") }
        connections[id]?.isAdmitting = true
        ask(id, .admit(account, name)) { gateway, id, outcome in
            gateway.connections[id]?.isAdmitting = false
            switch outcome {
            case .success(.admitted(let person)): gateway.entered(id, as: person, nick, name)
            case .success: preconditionFailure("each question names its answer")
            case .failure(let error) where error.code == .busy: gateway.isBusy(id, nick, error)
            case .failure(let error): gateway.close(id, error.description)
            }
        }
    }

    /// The account is still used by another connection, which may be closing; `enter` asks again in a moment.
    private mutating func isBusy(_ id: ConnectionID, _ nick: String, _ error: RequestError) {
        guard let connection = connections[id] else { return }
        guard connection.account != nil else { return refuse(nick, id, "This nick is in use; choose another one") }
        connections[id]?.admitTries += 1
        guard connection.admitTries >= Self.admitTriesMax else { return }
        refuse(nick, id, error.description)
        // Another nick would not help.
        close(id, error.description)
    }

    /// About three seconds.
    private static let admitTriesMax = 6

    private mutating func entered(_ id: ConnectionID, as person: PeerID, _ nick: String, _ name: PeerName) {
        connections[id]?.person = person
        // The mesh may have announced this person before; from now on they have the nick they chose.
        if let known = people[person] {
            for room in known.rooms { members[room]?.remove(person) }
            letGo(of: known.nick, .peer(person))
        }
        people[person] = IRCPerson(id: person, nick: nick, name: name, rooms: [], hops: 0, connection: id)
        welcome(id)
        watched(nick, isHere: true)
        if let one = people[person] { isBack(one) }
    }
}

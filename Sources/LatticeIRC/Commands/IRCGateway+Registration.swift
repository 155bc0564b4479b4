import LatticeAPI
import LatticeCore

// Who a client is: NICK, USER, PASS, CAP and AUTHENTICATE in any order.
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
            return numeric(id, .alreadyRegistered, trailing: "You may not reregister")
        }
        guard let said = params.first else { return missing(id, "PASS") }
        guard let password = settings.password else { return }
        connections[id]?.password = Self.areEqual(password, TypedKey(said)) ? .right : .wrong
    }

    /// In a time that tells nothing of where they differ.
    private static func areEqual(_ left: TypedKey, _ right: TypedKey) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        return zip(left.bytes, right.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private mutating func user(_ params: [String], of id: ConnectionID) {
        guard connections[id]?.person == nil else {
            return numeric(id, .alreadyRegistered, trailing: "You may not reregister")
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

    /// Cut between two characters.
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
            return numeric(id, .noNicknameGiven, trailing: "No nickname given")
        }
        guard IRCNick.isValid(nick), let name = peerName(nick) else {
            return numeric(id, .erroneousNickname, [Self.named(nick)], trailing: "Erroneous nickname")
        }
        guard nick != connection.nick else { return }
        switch holders[IRCNick.folded(nick)] {
        case .connection(let other) where other != id: return inUse(id, nick)
        case .service: return inUse(id, nick)
        default: break
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

    private func peerName(_ nick: String) -> PeerName? {
        do {
            return try PeerName(nick)
        } catch {
            return nil
        }
    }

    private mutating func inUse(_ id: ConnectionID, _ nick: String) {
        numeric(id, .nicknameInUse, [nick], trailing: "Nickname is already in use")
    }

    /// Whether it is the name of an account that this client has not shown to be its own.
    private mutating func claimed(
        _ nick: String, _ id: ConnectionID, then: @escaping @Sendable (inout IRCGateway, Bool) -> Void
    ) {
        let folded = IRCNick.folded(nick)
        guard connections[id]?.account?.text != folded, let account = AccountName(folded) else {
            return then(&self, false)
        }
        ask(id, .isClaimed(account)) { gateway, _, outcome in
            // Where nobody can tell, nobody has claimed anything.
            if case .success(.says(true)) = outcome { return then(&gateway, true) }
            then(&gateway, false)
        }
    }

    /// Takes a nick; whoever of another node goes by it is called otherwise from now on.
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
            // Somebody took it while the node was asked: the mesh is told the old name again when it matters.
            return inUse(id, nick)
        }
        let line = IRCLine(source: mask(id), "NICK", [], trailing: nick)
        // Whoever has that nick goes by another one first: nobody sees two of one name.
        hold(nick, id)
        tellOfNick(person, old: connection.nick ?? "", line, id)
        people[person]?.nick = nick
        if let name = peerName(nick) { people[person]?.name = name }
        tellOfNamesake(id)
        watched(nick, isHere: true)
    }

    /// Lets somebody in as soon as all is said.
    mutating func enter(_ id: ConnectionID) {
        guard let connection = connections[id], connection.person == nil, !connection.isAdmitting,
            let nick = connection.nick, connection.user != nil, !connection.isNegotiating
        else { return }
        if case .asked = connection.proof { return }
        guard settings.password == nil || connection.password == .right else {
            numeric(id, .passwordMismatch, trailing: "Password incorrect")
            return close(id, "Password incorrect")
        }
        claimed(nick, id) { gateway, isClaimed in
            guard !isClaimed else {
                gateway.refuse(nick, id, "Nickname belongs to an account; authenticate by SASL, or take another")
                return
            }
            gateway.admit(id, nick)
        }
    }

    private mutating func refuse(_ nick: String, _ id: ConnectionID, _ reason: String) {
        numeric(id, .nicknameInUse, [nick], trailing: reason)
        letGo(of: nick, .connection(id))
        connections[id]?.nick = nil
    }

    private mutating func admit(_ id: ConnectionID, _ nick: String) {
        // Accounts with a password never begin with a tilde: whoever has none cannot be any of them.
        guard let account = connections[id]?.account ?? AccountName("~\(IRCNick.folded(nick))"),
            let name = peerName(nick)
        else { return refuse(nick, id, "Nickname cannot be used here; take another") }
        connections[id]?.isAdmitting = true
        ask(id, .admit(account, name)) { gateway, id, outcome in
            gateway.connections[id]?.isAdmitting = false
            switch outcome {
            case .success(.admitted(let person)): gateway.entered(id, as: person, nick, name)
            case .success: preconditionFailure("each question names its answer")
            case .failure(let error) where error.code == .busy:
                let isOwn = gateway.connections[id]?.account != nil
                gateway.refuse(nick, id, isOwn ? error.description : "Nickname is already in use")
                // Another nick would not help: the account is in by another client.
                if isOwn { gateway.close(id, error.description) }
            case .failure(let error): gateway.close(id, error.description)
            }
        }
    }

    private mutating func entered(_ id: ConnectionID, as person: PeerID, _ nick: String, _ name: PeerName) {
        connections[id]?.person = person
        // The mesh may have told of it before: it is called by the nick it chose.
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

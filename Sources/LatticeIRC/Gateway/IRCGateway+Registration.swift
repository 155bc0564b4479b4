import LatticeAPI
import LatticeCore

// Registration: NICK, USER, PASS, CAP and AUTHENTICATE in any order.
extension IRCGateway {
    mutating func register(_ command: IRCVerb, _ params: [String], of id: ConnectionID) {
        switch command {
        case .cap: carryOut(registration.negotiate(params, of: id, into: &clients), of: id)
        case .pass: carryOut(registration.pass(params, of: id, into: &clients), of: id)
        case .nick: nick(params, of: id)
        case .user: user(params, of: id)
        default: carryOut(registration.authenticate(params, of: id, into: &clients), of: id)
        }
    }

    mutating func carryOut(_ verdict: IRCRegistration.Verdict?, of id: ConnectionID) {
        switch verdict {
        case .enter: enter(id)
        case .close(let reason): close(id, reason)
        case nil: break
        }
    }

    private mutating func user(_ params: [String], of id: ConnectionID) {
        guard clients[id]?.person == nil else {
            return clients.numeric(id, .alreadyRegistered, trailing: IRCRegistration.isIn)
        }
        guard params.count >= 4, !params[0].isEmpty else { return clients.missing(id, "USER") }
        clients[id]?.user = IRCText.userName(params[0])
        let realName = IRCText.clipped(DisplayText.safe(params[3]), bytesMax: IRCLimits.realNameBytes)
        clients[id]?.realName = realName.isEmpty ? "-" : realName
        enter(id)
    }

    private mutating func nick(_ params: [String], of id: ConnectionID) {
        let isNegotiating = registration.isNegotiating(id)
        switch people.nick(params, of: id, isNegotiating: isNegotiating, into: &clients) {
        case .settled: break
        case .held(let displaced):
            if let displaced { callOtherwise(displaced) }
            enter(id)
        }
    }

    /// Registers a client as soon as everything needed is there.
    mutating func enter(_ id: ConnectionID) {
        guard let connection = clients[id], connection.person == nil, !connection.underWay.isAsking,
            let nick = connection.nick, connection.user != nil, registration.isReady(id)
        else { return }
        guard registration.isTrusted(id) else {
            let reason = "This gateway needs a password: set it in your client"
            return carryOut(IRCRegistration.refuse(id, reason, into: &clients), of: id)
        }
        takeOver(id)
        guard people.otherClient(holding: nick, than: id) == nil else {
            return people.refuse(nick, id, "This nick is in use; choose another one", into: &clients)
        }
        hold(nick, id)
        if !people.askIfClaimed(nick, id, then: .claimedOnEntry(nick), into: &clients) {
            people.admit(id, nick, into: &clients)
        }
    }

    /// Closes older connections of the account that this client has signed in to.
    private mutating func takeOver(_ id: ConnectionID) {
        guard let account = clients[id]?.account else { return }
        let others = clients.filter { $0.id != id && $0.account == account && $0.isRegistered }
        for other in others.map(\.id).sorted() { close(other, "You signed in from another client") }
    }

    mutating func admitted(_ nick: String, _ name: PeerName, _ outcome: IRCOutcome, of id: ConnectionID) {
        switch outcome {
        case .success(.admitted(let person)): entered(id, as: person, nick, name)
        case .success: preconditionFailure("each question names its answer")
        case .failure(let error) where error.code == .busy: isBusy(id, nick, error)
        case .failure(let error): close(id, error.words)
        }
    }

    /// The account is still used by another connection, which may be closing; `enter` asks again in a moment.
    private mutating func isBusy(_ id: ConnectionID, _ nick: String, _ error: RequestError) {
        guard clients[id]?.account != nil else {
            return people.refuse(nick, id, "This nick is in use; choose another one", into: &clients)
        }
        guard !registration.mayTryAdmission(id) else { return }
        people.refuse(nick, id, error.words, into: &clients)
        // Another nick would not help.
        close(id, error.words)
    }

    private mutating func entered(_ id: ConnectionID, as person: PeerID, _ nick: String, _ name: PeerName) {
        clients[id]?.person = person
        // The mesh may have announced this person before.
        if let known = people[person] { rooms.leavePublic(known) }
        people.entered(id, as: person, nick, name)
        pages.welcome(id, people, rooms, into: &clients)
        monitor.changed(nick, isHere: true, people, into: &clients)
        if let one = people[person] { rooms.isBack(one, people, into: &clients) }
    }
}

import LatticeAPI
import LatticeCore

// CAP and AUTHENTICATE (IRCv3 capability negotiation 302, SASL 3.2).
extension IRCGateway {
    /// Characters in one chunk of a SASL message; a shorter chunk is the last.
    private static let saslPieceBytes = 400
    /// Limit for the whole message: two names and a password.
    private static let saslBytesMax = 1_200

    mutating func negotiate(_ params: [String], of id: ConnectionID) {
        guard let sub = params.first?.uppercased() else { return missing(id, "CAP") }
        let isOpen = connections[id]?.person == nil
        switch sub {
        case "LS":
            if isOpen { connections[id]?.isNegotiating = true }
            if params.count > 1, let version = Int(params[1]), version >= 302 {
                connections[id]?.knowsVersion302 = true
                capabilities[id]?.insert(.capNotify)
            }
            let showsValues = connections[id]?.knowsVersion302 == true
            let names = IRCCapabilities.known.map { item in
                item.value.map { showsValues ? "\(item.name)=\($0)" : item.name } ?? item.name
            }
            cap(id, "LS", names.joined(separator: " "))
        case "LIST":
            let names = IRCCapabilities.known.filter { capabilities[id]?.contains($0.capability) == true }
            cap(id, "LIST", names.map(\.name).joined(separator: " "))
        case "REQ":
            if isOpen { connections[id]?.isNegotiating = true }
            request(params.count > 1 ? params[1] : "", of: id)
        case "END":
            connections[id]?.isNegotiating = false
            enter(id)
        default:
            numeric(id, .invalidCap, [Self.named(params[0])], trailing: "Unknown CAP command; use LS, LIST, REQ or END")
        }
    }

    private mutating func cap(_ id: ConnectionID, _ sub: String, _ names: String) {
        reply(
            id, IRCLine(source: settings.serverName, "CAP", [connections[id]?.nick ?? "*", sub], trailing: names))
    }

    /// Accepts all requested capabilities or none.
    private mutating func request(_ names: String, of id: ConnectionID) {
        guard var wanted = capabilities[id] else { return }
        for name in names.split(separator: " ") {
            let isOff = name.hasPrefix("-")
            guard let capability = IRCCapabilities.named(isOff ? name.dropFirst() : name),
                !(isOff && capability == .capNotify && connections[id]?.knowsVersion302 == true)
            else { return cap(id, "NAK", names) }
            if isOff { wanted.remove(capability) } else { wanted.insert(capability) }
        }
        cap(id, "ACK", names)
        capabilities[id] = wanted
    }

    mutating func authenticate(_ params: [String], of id: ConnectionID) {
        guard let connection = connections[id] else { return }
        guard let word = params.first else { return missing(id, "AUTHENTICATE") }
        guard connection.account == nil else {
            return numeric(id, .saslAlready, trailing: "You are already signed in")
        }
        guard connection.person == nil, capabilities[id]?.contains(.sasl) == true else {
            return numeric(
                id, .saslFail, trailing: "Sign in while you connect: turn on SASL in your client and reconnect")
        }
        guard isTrusted(id) else {
            return numeric(id, .saslFail, trailing: "This gateway needs its own password first (PASS)")
        }
        if case .asked = connection.proof { return }
        if word == "*" {
            connections[id]?.proof = .idle
            return numeric(id, .saslAborted, trailing: "Sign-in cancelled")
        }
        guard case .chosen(let before) = connection.proof else { return choose(word, of: id) }
        guard word.utf8.count <= Self.saslPieceBytes, before.utf8.count + word.utf8.count <= Self.saslBytesMax else {
            connections[id]?.proof = .idle
            return numeric(id, .saslTooLong, trailing: "SASL message too long: at most \(Self.saslBytesMax) bytes")
        }
        let whole = word == "+" ? before : before + word
        if word.utf8.count == Self.saslPieceBytes {
            connections[id]?.proof = .chosen(whole)
        } else {
            prove(whole, of: id)
        }
    }

    private mutating func choose(_ mechanism: String, of id: ConnectionID) {
        guard mechanism.uppercased() == "PLAIN" else {
            numeric(id, .saslMechanisms, ["PLAIN"], trailing: "are the mechanisms of this gateway")
            return numeric(id, .saslFail, trailing: "Unknown SASL mechanism; use PLAIN")
        }
        connections[id]?.proof = .chosen("")
        reply(id, IRCLine("AUTHENTICATE", ["+"]))
    }

    /// Parses `authorization NUL account NUL password` (RFC 4616) and overwrites it.
    private static func login(_ plain: inout [UInt8]) -> (AccountName, TypedKey)? {
        let login = login(plain)
        for index in plain.indices { plain[index] = 0 }
        return login
    }

    private static func login(_ plain: [UInt8]) -> (AccountName, TypedKey)? {
        let parts = plain.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = String(validating: parts[1], as: UTF8.self),
            let account = AccountName(IRCNick.folded(name)), !account.text.hasPrefix("~"), !parts[2].isEmpty,
            parts[0].isEmpty || parts[0] == parts[1]
        else { return nil }
        return (account, TypedKey(parts[2]))
    }

    private mutating func prove(_ text: String, of id: ConnectionID) {
        connections[id]?.proof = .idle
        var plain = Base64Text.decoded(text) ?? []
        guard let (account, password) = Self.login(&plain), let host = connections[id]?.host else {
            return failed(id, "SASL PLAIN needs an account and a password")
        }
        guard passwordDesk.queue(.init(id: id, host: host, account: account, password: password)) else {
            return numeric(id, .saslFail, trailing: "Many clients are signing in; try again in a minute")
        }
        connections[id]?.proof = .asked
        checkNextProof()
    }

    /// Starts the check of the password that waited longest, unless one is running.
    mutating func checkNextProof() {
        guard let proof = passwordDesk.next(at: now) else { return }
        ask(proof.id, .opens(proof.account, proof.password)) { gateway, id, outcome in
            gateway.connections[id]?.proof = .idle
            switch outcome {
            case .success(.says(true)): gateway.isSignedIn(id, to: proof.account)
            case .success:
                gateway.passwordDesk.wasWrong(proof.host, at: gateway.now)
                gateway.failed(id, "Wrong password for the account \(proof.account)")
            case .failure(let error): gateway.failed(id, error.description)
            }
        }
    }

    private mutating func isSignedIn(_ id: ConnectionID, to account: AccountName) {
        connections[id]?.account = account
        numeric(id, .loggedIn, [mask(id), account.text], trailing: "You are signed in as \(account.text)")
        numeric(id, .saslSuccess, trailing: "SASL authentication successful")
        enter(id)
    }

    private mutating func failed(_ id: ConnectionID, _ reason: String) {
        connections[id]?.passwordTries += 1
        numeric(id, .saslFail, trailing: reason)
        let tries = connections[id]?.passwordTries ?? 0
        if tries >= limits.passwordTriesMax { close(id, "Too many wrong passwords") }
    }
}

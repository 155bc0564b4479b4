import LatticeAPI
import LatticeCore

// CAP and AUTHENTICATE (IRCv3 capability negotiation 302, SASL 3.2).
extension IRCGateway {
    /// Characters of a piece of a SASL message; a shorter one is the last.
    private static let saslPieceBytes = 400
    /// Of the whole: two names and a password.
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
        default: numeric(id, .invalidCap, [Self.named(params[0])], trailing: "Invalid CAP command")
        }
    }

    private mutating func cap(_ id: ConnectionID, _ sub: String, _ names: String) {
        reply(
            id, IRCLine(source: settings.serverName, "CAP", [connections[id]?.nick ?? "*", sub], trailing: names))
    }

    /// All of them, or none.
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
            return numeric(id, .saslAlready, trailing: "You have already authenticated using SASL")
        }
        guard connection.person == nil, capabilities[id]?.contains(.sasl) == true else {
            return numeric(id, .saslFail, trailing: "Authenticate before you are in: connect anew, and ask for sasl")
        }
        if word == "*" {
            connections[id]?.proof = .idle
            return numeric(id, .saslAborted, trailing: "SASL authentication aborted")
        }
        guard case .chosen(let before) = connection.proof else { return choose(word, of: id) }
        guard word.utf8.count <= Self.saslPieceBytes, before.utf8.count + word.utf8.count <= Self.saslBytesMax else {
            connections[id]?.proof = .idle
            return numeric(id, .saslTooLong, trailing: "SASL message too long")
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
            numeric(id, .saslMechanisms, ["PLAIN"], trailing: "are available SASL mechanisms")
            return numeric(id, .saslFail, trailing: "SASL authentication failed")
        }
        connections[id]?.proof = .chosen("")
        reply(id, IRCLine("AUTHENTICATE", ["+"]))
    }

    /// `authorization NUL account NUL password` (RFC 4616), which is overwritten.
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
        guard let (account, password) = Self.login(&plain) else { return failed(id) }
        connections[id]?.proof = .asked
        ask(id, .opens(account, password)) { gateway, id, outcome in
            gateway.connections[id]?.proof = .idle
            if case .failure(let error) = outcome { return gateway.failed(id, error.description) }
            guard case .success(.says(true)) = outcome else { return gateway.failed(id) }
            gateway.connections[id]?.account = account
            let text = "You are now logged in as \(account.text)"
            gateway.numeric(id, .loggedIn, [gateway.mask(id), account.text], trailing: text)
            gateway.numeric(id, .saslSuccess, trailing: "SASL authentication successful")
            gateway.enter(id)
        }
    }

    private mutating func failed(_ id: ConnectionID, _ reason: String? = nil) {
        connections[id]?.passwordTries += 1
        numeric(id, .saslFail, trailing: "SASL authentication failed\(reason.map { ": \($0)" } ?? "")")
        let tries = connections[id]?.passwordTries ?? 0
        if tries >= limits.passwordTriesMax { close(id, "Too many wrong passwords") }
    }
}

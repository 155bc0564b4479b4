import LatticeAPI
import LatticeCore

/// Passwords and capabilities: PASS, CAP and AUTHENTICATE (IRCv3 capability negotiation 302, SASL 3.2), and when a client
/// has sent everything that its registration needs.
struct IRCRegistration {
    /// Sign-in to an account (IRCv3 SASL 3.2). `idle` → `chosen` → `asked` → `idle`.
    private enum Proof {
        case idle
        /// PLAIN was chosen; the base64 text received so far.
        case chosen(String)
        /// The check is queued or running.
        case asked
    }

    private struct Row {
        let host: String
        var isPasswordRight = false
        var proof = Proof.idle
        var passwordTries = 0
        /// The gateway password as received, until its host may try one.
        var guess: TypedKey?
        /// How often admission failed because another connection still used the account.
        var admitTries = 0
        var knowsVersion302 = false
        var isNegotiating = false
    }

    /// What others than this machine have to do.
    enum Verdict {
        /// Perhaps the client has sent everything now.
        case enter
        case close(String)
    }

    /// Characters in one chunk of a SASL message; a shorter chunk is the last.
    private static let saslPieceBytes = 400
    /// Limit for the whole message: two names and a password.
    private static let saslBytesMax = 1_200
    /// About three seconds.
    private static let admitTriesMax = 6

    /// The password that clients must send; `nil` for none.
    private let password: TypedKey?
    private var desk = IRCPasswordDesk()
    private var rows: [ConnectionID: Row] = [:]

    init(password: TypedKey?) {
        self.password = password
    }

    mutating func connected(_ id: ConnectionID, _ host: String) { rows[id] = Row(host: host) }

    mutating func ended(_ id: ConnectionID) {
        desk.dropped(id)
        rows[id] = nil
    }

    // MARK: - State

    func isNegotiating(_ id: ConnectionID) -> Bool { rows[id]?.isNegotiating == true }

    /// Whether a password waits until its host may try one. Until then no other input of the client is read.
    func hasGuess(_ id: ConnectionID) -> Bool { rows[id]?.guess != nil }

    /// Whether nothing is under way that the client's registration has to wait for.
    func isReady(_ id: ConnectionID) -> Bool {
        guard let row = rows[id], row.guess == nil, !row.isNegotiating else { return false }
        if case .asked = row.proof { return false }
        return true
    }

    /// Whether the client gave the gateway's password, or none is required.
    func isTrusted(_ id: ConnectionID) -> Bool { password == nil || rows[id]?.isPasswordRight == true }

    /// The account was still used by another connection, which may be closing.
    ///
    /// - Returns: whether to try again in a moment.
    mutating func mayTryAdmission(_ id: ConnectionID) -> Bool {
        rows[id]?.admitTries += 1
        return rows[id]?.admitTries ?? 0 < Self.admitTriesMax
    }

    // MARK: - PASS

    mutating func pass(_ params: [String], of id: ConnectionID, into clients: inout IRCClients) -> Verdict? {
        guard clients[id]?.person == nil else {
            clients.numeric(id, .alreadyRegistered, trailing: Self.isIn)
            return nil
        }
        guard let said = params.first else {
            clients.missing(id, "PASS")
            return nil
        }
        guard password != nil else { return nil }
        rows[id]?.guess = TypedKey(said)
        return judgeGuess(id, into: &clients)
    }

    static let isIn = "You are already registered"

    /// Checks the client's gateway password once its host may try one.
    mutating func judgeGuess(_ id: ConnectionID, into clients: inout IRCClients) -> Verdict? {
        guard let password, let row = rows[id], let guess = row.guess, desk.mayTry(row.host, at: clients.now) else {
            return nil
        }
        rows[id]?.guess = nil
        guard Self.areEqual(password, guess) else {
            desk.wasWrong(row.host, at: clients.now)
            return Self.refuse(id, "Wrong password for this gateway", into: &clients)
        }
        rows[id]?.isPasswordRight = true
        return nil
    }

    static func refuse(_ id: ConnectionID, _ reason: String, into clients: inout IRCClients) -> Verdict {
        clients.numeric(id, .passwordMismatch, trailing: reason)
        return .close(reason)
    }

    /// Compares in constant time.
    private static func areEqual(_ left: TypedKey, _ right: TypedKey) -> Bool {
        guard left.bytes.count == right.bytes.count else { return false }
        return zip(left.bytes, right.bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: - CAP

    mutating func negotiate(_ params: [String], of id: ConnectionID, into clients: inout IRCClients) -> Verdict? {
        guard let sub = params.first?.uppercased() else {
            clients.missing(id, "CAP")
            return nil
        }
        let isOpen = clients[id]?.person == nil
        switch sub {
        case "LS":
            if isOpen { rows[id]?.isNegotiating = true }
            if params.count > 1, let version = Int(params[1]), version >= 302 {
                rows[id]?.knowsVersion302 = true
                clients.setCapabilities(id, (clients.capabilities(id) ?? []).union(.capNotify))
            }
            let showsValues = rows[id]?.knowsVersion302 == true
            let names = IRCCapabilities.known.map { item in
                item.value.map { showsValues ? "\(item.name)=\($0)" : item.name } ?? item.name
            }
            cap(id, "LS", names.joined(separator: " "), into: &clients)
        case "LIST":
            let on = clients.capabilities(id) ?? []
            let names = IRCCapabilities.known.filter { on.contains($0.capability) }.map(\.name)
            cap(id, "LIST", names.joined(separator: " "), into: &clients)
        case "REQ":
            if isOpen { rows[id]?.isNegotiating = true }
            request(params.count > 1 ? params[1] : "", of: id, into: &clients)
        case "END":
            rows[id]?.isNegotiating = false
            return .enter
        default:
            clients.numeric(
                id, .invalidCap, [IRCText.named(params[0])], trailing: "Unknown CAP command; use LS, LIST, REQ or END")
        }
        return nil
    }

    private func cap(_ id: ConnectionID, _ sub: String, _ names: String, into clients: inout IRCClients) {
        let params = [clients[id]?.nick ?? "*", sub]
        clients.reply(id, IRCLine(source: clients.serverName, "CAP", params, trailing: names))
    }

    /// Accepts all requested capabilities or none.
    private func request(_ names: String, of id: ConnectionID, into clients: inout IRCClients) {
        guard var wanted = clients.capabilities(id) else { return }
        for name in names.split(separator: " ") {
            let isOff = name.hasPrefix("-")
            guard let capability = IRCCapabilities.named(isOff ? name.dropFirst() : name),
                !(isOff && capability == .capNotify && rows[id]?.knowsVersion302 == true)
            else { return cap(id, "NAK", names, into: &clients) }
            if isOff { wanted.remove(capability) } else { wanted.insert(capability) }
        }
        cap(id, "ACK", names, into: &clients)
        clients.setCapabilities(id, wanted)
    }

    // MARK: - AUTHENTICATE

    mutating func authenticate(_ params: [String], of id: ConnectionID, into clients: inout IRCClients) -> Verdict? {
        guard let connection = clients[id], let row = rows[id] else { return nil }
        guard let word = params.first else {
            clients.missing(id, "AUTHENTICATE")
            return nil
        }
        guard connection.account == nil else {
            clients.numeric(id, .saslAlready, trailing: "You are already signed in")
            return nil
        }
        guard connection.person == nil, clients.has(.sasl, id) else {
            clients.numeric(
                id, .saslFail, trailing: "Sign in while you connect: turn on SASL in your client and reconnect")
            return nil
        }
        guard isTrusted(id) else {
            clients.numeric(id, .saslFail, trailing: "This gateway needs its own password first (PASS)")
            return nil
        }
        switch row.proof {
        case .asked: return nil
        case _ where word == "*":
            rows[id]?.proof = .idle
            clients.numeric(id, .saslAborted, trailing: "Sign-in cancelled")
            return nil
        case .idle:
            choose(word, of: id, into: &clients)
            return nil
        case .chosen(let before): return take(word, after: before, of: id, into: &clients)
        }
    }

    private mutating func choose(_ mechanism: String, of id: ConnectionID, into clients: inout IRCClients) {
        guard mechanism.uppercased() == "PLAIN" else {
            clients.numeric(id, .saslMechanisms, ["PLAIN"], trailing: "are the mechanisms of this gateway")
            return clients.numeric(id, .saslFail, trailing: "Unknown SASL mechanism; use PLAIN")
        }
        rows[id]?.proof = .chosen("")
        clients.reply(id, IRCLine("AUTHENTICATE", ["+"]))
    }

    private mutating func take(
        _ word: String, after before: String, of id: ConnectionID, into clients: inout IRCClients
    ) -> Verdict? {
        guard word.utf8.count <= Self.saslPieceBytes, before.utf8.count + word.utf8.count <= Self.saslBytesMax else {
            rows[id]?.proof = .idle
            clients.numeric(id, .saslTooLong, trailing: "SASL message too long: at most \(Self.saslBytesMax) bytes")
            return nil
        }
        let whole = word == "+" ? before : before + word
        if word.utf8.count == Self.saslPieceBytes {
            rows[id]?.proof = .chosen(whole)
            return nil
        }
        return prove(whole, of: id, into: &clients)
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

    private mutating func prove(_ text: String, of id: ConnectionID, into clients: inout IRCClients) -> Verdict? {
        rows[id]?.proof = .idle
        var plain = Base64Text.decoded(text) ?? []
        guard let (account, password) = Self.login(&plain), let host = rows[id]?.host else {
            return failed(id, "SASL PLAIN needs an account and a password", into: &clients)
        }
        guard desk.queue(.init(id: id, host: host, account: account, password: password)) else {
            clients.numeric(id, .saslFail, trailing: "Many clients are signing in; try again in a minute")
            return nil
        }
        rows[id]?.proof = .asked
        checkNextProof(into: &clients)
        return nil
    }

    /// Starts the check of the password that waited longest, unless one is running.
    mutating func checkNextProof(into clients: inout IRCClients) {
        guard let proof = desk.next(at: clients.now) else { return }
        clients.ask(proof.id, .opens(proof.account, proof.password), then: .registration(proof))
    }

    /// A request of this client has its reply; perhaps it was the check of a password.
    mutating func finished(_ id: ConnectionID) { desk.finished(id) }

    mutating func answered(
        _ proof: IRCPasswordDesk.Proof, _ outcome: IRCOutcome, of id: ConnectionID, into clients: inout IRCClients
    ) -> Verdict? {
        rows[id]?.proof = .idle
        switch outcome {
        case .success(.says(true)):
            let account = proof.account
            clients[id]?.account = account
            clients.numeric(
                id, .loggedIn, [clients.mask(id), account.text], trailing: "You are signed in as \(account.text)")
            clients.numeric(id, .saslSuccess, trailing: "SASL authentication successful")
            return .enter
        case .success:
            desk.wasWrong(proof.host, at: clients.now)
            return failed(id, "Wrong password for the account \(proof.account)", into: &clients)
        case .failure(let error): return failed(id, error.words, into: &clients)
        }
    }

    private mutating func failed(_ id: ConnectionID, _ reason: String, into clients: inout IRCClients) -> Verdict? {
        rows[id]?.passwordTries += 1
        clients.numeric(id, .saslFail, trailing: reason)
        let tries = rows[id]?.passwordTries ?? 0
        return tries >= clients.limits.passwordTriesMax ? .close("Too many wrong passwords") : nil
    }
}

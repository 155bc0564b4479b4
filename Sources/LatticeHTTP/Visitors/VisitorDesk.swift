import LatticeAPI
import LatticeCore
import LatticeSocket

/// People who write through this node from their browsers, each with keys of their own.
actor VisitorDesk {
    /// What a browser gets once: both are stored as digests only.
    struct Welcome: Sendable {
        let seat: VisitorSeat
        let token: String
        /// `nil` for somebody who came back.
        let code: String?
    }

    /// People who may come from one address while this server runs.
    private static let addressVisitorsMax = 20
    private static let addressesMax = 4_096
    /// Who has no open stream and asks nothing for so long is not here any more.
    private static let idleMax: Duration = .seconds(90)
    private static let guessesMax = 5
    private static let guessPause: Duration = .seconds(600)

    private let settings: VisitorSettings
    private let limits: HTTPLimits
    private let digest: @Sendable (String) -> String
    private let now: @Sendable () -> Instant
    private var book: VisitorBook
    private var seats: [String: VisitorSeat] = [:]
    private var arriving: [String: Task<VisitorSeat, any Error>] = [:]
    private var cameFrom: [String: Int] = [:]
    private var guesses: [String: (count: Int, until: Instant)] = [:]

    init(_ visitors: VisitorSettings, _ settings: HTTPSettings) {
        self.settings = visitors
        (limits, digest, now) = (settings.limits, settings.digest, settings.now)
        book = visitors.book
    }

    // MARK: - Coming

    /// - Returns: `nil` if nobody is signed in with this token.
    func seat(token: String) async throws(HTTPProblem) -> VisitorSeat? {
        guard let entry = book.entry(session: digest(token)) else { return nil }
        return try await seat(of: entry)
    }

    private func seat(of entry: VisitorEntry) async throws(HTTPProblem) -> VisitorSeat {
        if let seat = seats[entry.account] {
            seat.touch(at: now())
            return seat
        }
        let arrival = arriving[entry.account] ?? Task { try await self.admit(entry) }
        arriving[entry.account] = arrival
        defer { arriving[entry.account] = nil }
        do {
            return try await arrival.value
        } catch {
            throw HTTPProblem(error as? RequestError ?? .other(code: .busy, message: "\(error)"))
        }
    }

    private func admit(_ entry: VisitorEntry) async throws -> VisitorSeat {
        guard let account = AccountName(entry.account) else { throw RequestError.stopped(why: .left) }
        let visitor = try await settings.host.admit(account, as: try PeerName(entry.name))
        for room in entry.rooms { await Self.enter(room, visitor) }
        var dice = SystemRandomNumberGenerator()
        let boot = String(UInt32.random(in: .min ... .max, using: &dice), radix: 16)
        let seat = VisitorSeat(entry.account, visitor, limits, boot: boot, at: now())
        seats[entry.account] = seat
        seen(entry.account)
        return seat
    }

    /// A private room opens if its key is here; one that cannot be entered any more is left out.
    private static func enter(_ room: String, _ visitor: any Visitor) async {
        do {
            let name = try RoomName(room)
            do {
                _ = try await visitor.perform(JoinRoom(name))
            } catch {
                _ = try await visitor.perform(EnterPrivateRoom(name, key: nil))
            }
        } catch {
            return
        }
    }

    /// Somebody new. The name must be free.
    ///
    /// - Throws: `nameTaken` with proposals, `visitorsFull`, `tooMany`.
    func come(as name: PeerName, from address: String) async throws(HTTPProblem) -> Welcome {
        let others = try await names()
        guard !isTaken(name.text, others) else { throw taken(name, others) }
        let rooms = try await publicRooms()
        guard cameFrom[address, default: 0] < Self.addressVisitorsMax, cameFrom.count < Self.addressesMax else {
            throw HTTPProblem(
                429, "tooMany", "Too many people came from this device. Sign in with a recovery code instead.")
        }
        // Somebody else may have come under this name meanwhile.
        guard !isTaken(name.text, others) else { throw taken(name, others) }
        try makeRoom()
        let (token, code, account) = (Self.secret(), VisitorCode.made(), "web/\(Self.secret())")
        let date = settings.date().milliseconds
        var entry = VisitorEntry(
            account: account, id: "", name: name.text, since: date, seen: date, sessions: [digest(token)],
            code: digest(code), rooms: rooms)
        let seat = try await seat(of: entry)
        entry.id = seat.node.id.hex
        var more = book
        more[account] = entry
        do throws(HTTPProblem) {
            try keep(more)
        } catch {
            seats[account] = nil
            await seat.leave()
            throw error
        }
        cameFrom[address, default: 0] += 1
        return Welcome(seat: seat, token: token, code: VisitorCode.grouped(code))
    }

    private func makeRoom() throws(HTTPProblem) {
        guard book.entries.count >= settings.countMax else { return }
        guard let absent = book.absent(at: settings.date()) else {
            throw HTTPProblem(503, "visitorsFull", "This camp is full. Ask the people who run it to make room.")
        }
        var fewer = book
        fewer[absent.account] = nil
        try keep(fewer)
    }

    /// How somebody shows who they are, on another browser.
    enum Proof: Sendable {
        case code(String)
        case password(TypedKey, name: String)
    }

    /// Somebody comes back on another browser.
    ///
    /// - Throws: `wrongCode` with how many tries are left, `tooMany`.
    func comeBack(_ proof: Proof, from address: String) async throws(HTTPProblem) -> Welcome {
        let time = now()
        guesses = guesses.filter { $0.value.until > time }
        let count = guesses[address]?.count ?? 0
        guard count < Self.guessesMax, guesses.count < Self.addressesMax else { throw Self.tooManyGuesses }
        // Counted before the password is checked: many guesses at once are many.
        guesses[address] = (count + 1, time.advanced(by: Self.guessPause))
        guard let account = try await account(proof), var entry = book[account] else {
            let left = Self.guessesMax - count - 1
            guard left > 0 else { throw Self.tooManyGuesses }
            let words = "\(left) \(left == 1 ? "try" : "tries") left."
            if case .password = proof {
                throw HTTPProblem(403, "wrongPassword", "That name or password is not right. \(words)")
            }
            throw HTTPProblem(403, "wrongCode", "That code is not right. \(words)")
        }
        guesses[address] = nil
        let token = Self.secret()
        entry.sessions = Array((entry.sessions + [digest(token)]).suffix(VisitorEntry.sessionsMax))
        try change(entry)
        return Welcome(seat: try await seat(of: entry), token: token, code: nil)
    }

    /// - Returns: the account that the proof opens; `nil` if it opens none.
    private func account(_ proof: Proof) async throws(HTTPProblem) -> String? {
        switch proof {
        case .code(let typed): return book.entry(code: digest(VisitorCode.tidied(typed)))?.account
        case .password(let password, let name):
            let entry = book.entries.first { $0.name.lowercased() == name.lowercased() }
            guard let entry, entry.hasPassword == true, let account = AccountName(entry.account) else { return nil }
            do throws(RequestError) {
                return try await settings.host.opens(account, password: password) ? entry.account : nil
            } catch {
                throw HTTPProblem(error)
            }
        }
    }

    /// From now on this person can come back with their name and this password, too.
    ///
    /// - Throws: `passwordSet` if they have one; `invalid` if it is too short or too long.
    func setPassword(_ password: TypedKey, for seat: VisitorSeat) async throws(HTTPProblem) {
        let isSet = HTTPProblem(409, "passwordSet", "You have a password already. It cannot be changed here.")
        guard book[seat.account]?.hasPassword != true, let account = AccountName(seat.account) else { throw isSet }
        let isNew: Bool
        do throws(RequestError) {
            isNew = try await settings.host.opens(account, password: password)
        } catch {
            throw HTTPProblem(error)
        }
        guard isNew else { throw isSet }
        guard var entry = book[seat.account] else { throw .tokenNeeded }
        entry.hasPassword = true
        try change(entry)
    }

    private static let tooManyGuesses: HTTPProblem = {
        var problem = HTTPProblem(429, "tooMany", "Too many tries. Wait 10 minutes.")
        problem.headers["retry-after"] = "600"
        return problem
    }()

    /// 256 bits.
    private static func secret() -> String {
        var dice = SystemRandomNumberGenerator()
        return Base64URL.string((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    // MARK: - Names

    /// Names that people have here or had lately, in lower case.
    private func names() async throws(HTTPProblem) -> Set<String> {
        do throws(RequestError) {
            let me = try await settings.host.perform(ShowMe())
            let peers = try await settings.host.perform(ListPeers()).peers
            return Set((peers.map(\.name) + [me.name.text]).map { $0.lowercased() })
        } catch {
            throw HTTPProblem(error)
        }
    }

    private func publicRooms() async throws(HTTPProblem) -> [String] {
        do throws(RequestError) {
            let me = try await settings.host.perform(ShowMe())
            return me.rooms.filter { !me.privateRooms.contains($0) }.map(\.text)
        } catch {
            throw HTTPProblem(error)
        }
    }

    private func isTaken(_ name: String, _ others: Set<String>) -> Bool {
        others.contains(name.lowercased()) || book.isTaken(name)
    }

    private func taken(_ name: PeerName, _ others: Set<String>) -> HTTPProblem {
        let free = (2...1_000).lazy.map { "\(name.text) \($0)" }.filter { !self.isTaken($0, others) }.prefix(2)
        return HTTPProblem(
            409, "nameTaken", "Somebody here is already called \(name.text). Take another name.",
            faults: free.map { HTTPProblem.Fault("name", $0) })
    }

    /// Whether somebody could come under this name, and otherwise which names they could have.
    func proposals(for name: PeerName) async throws(HTTPProblem) -> [String]? {
        let others = try await names()
        return isTaken(name.text, others) ? taken(name, others).faults.map(\.reason) : nil
    }

    /// - Throws: `nameTaken`
    func checkMayRename(_ seat: VisitorSeat, _ name: PeerName) async throws(HTTPProblem) {
        guard book[seat.account]?.name.lowercased() != name.text.lowercased() else { return }
        let others = try await names()
        if isTaken(name.text, others) { throw taken(name, others) }
    }

    // MARK: - Staying

    /// They are called something else from now on, or are in other rooms.
    func changed(_ seat: VisitorSeat) async {
        do {
            let me = try await seat.node.perform(ShowMe())
            guard var entry = book[seat.account] else { return }
            (entry.name, entry.rooms) = (me.name.text, me.rooms.map(\.text))
            try change(entry)
        } catch {
            return  // It holds until they leave.
        }
    }

    /// - Returns: a new recovery code; the old one opens nothing any more.
    func newCode(for seat: VisitorSeat) throws(HTTPProblem) -> String {
        guard var entry = book[seat.account] else { throw .tokenNeeded }
        let code = VisitorCode.made()
        entry.code = digest(code)
        try change(entry)
        return VisitorCode.grouped(code)
    }

    func signOut(token: String) throws(HTTPProblem) {
        let session = digest(token)
        guard var entry = book.entry(session: session) else { return }
        entry.sessions.removeAll { $0 == session }
        try change(entry)
    }

    private func seen(_ account: String) {
        let date = settings.date().milliseconds
        guard var entry = book[account], date - entry.seen >= VisitorBook.seenInterval else { return }
        entry.seen = date
        do throws(HTTPProblem) {
            try change(entry)
        } catch {
            return  // The next visit is noted again.
        }
    }

    private func change(_ entry: VisitorEntry) throws(HTTPProblem) {
        var more = book
        more[entry.account] = entry
        try keep(more)
    }

    private func keep(_ more: VisitorBook) throws(HTTPProblem) {
        do throws(RequestError) {
            try settings.keep(more).get()
        } catch {
            throw HTTPProblem(error)
        }
        book = more
    }

    // MARK: - Leaving

    /// Keeps streams open; those who are not here any more leave.
    func beat() async {
        for seat in seats.values { await seat.hub.beat() }
        let limit = now().advanced(by: .zero - Self.idleMax)
        for (account, seat) in seats where await seat.isIdle(since: limit) {
            seats[account] = nil
            seen(account)
            await seat.leave()
        }
    }

    func close() async {
        for seat in seats.values { await seat.leave() }
        seats = [:]
    }

    // MARK: - For the owner

    struct Listed: Sendable {
        let entry: VisitorEntry
        let isHere: Bool
    }

    var countMax: Int { settings.countMax }

    func list() -> [Listed] { book.entries.map { Listed(entry: $0, isHere: seats[$0.account] != nil) } }

    /// Signs somebody out everywhere. What they said stays theirs.
    func remove(id: String) async throws(HTTPProblem) {
        guard let entry = book.entries.first(where: { $0.id == id }) else {
            throw .notFound("No visitor has this id.")
        }
        var fewer = book
        fewer[entry.account] = nil
        try keep(fewer)
        if let seat = seats.removeValue(forKey: entry.account) { await seat.leave() }
    }
}

/// Recovery codes: 16 letters and digits that nobody confuses, 80 bits.
enum VisitorCode {
    private static let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789x".utf8)
    private static let length = 16

    static func made() -> String {
        var dice = SystemRandomNumberGenerator()
        return String(
            decoding: (0..<length).map { _ in alphabet[Int.random(in: 0..<31, using: &dice)] }, as: UTF8.self)
    }

    /// `k7fm-2x9p-…`
    static func grouped(_ code: String) -> String {
        let characters = Array(code)
        return stride(from: 0, to: characters.count, by: 4).map {
            String(characters[$0..<min($0 + 4, characters.count)])
        }
        .joined(separator: "-")
    }

    /// As it is stored: without blanks and dashes, in lower case.
    static func tidied(_ typed: String) -> String {
        typed.prefix(64).lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

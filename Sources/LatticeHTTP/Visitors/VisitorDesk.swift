import LatticeAPI
import LatticeConcurrency
import LatticeCore
import LatticeSocket

/// People who write through this node from their browsers, each with keys of their own.
actor VisitorDesk {
    /// People who may come from one address while this server runs.
    private static let addressVisitorsMax = 20
    private static let addressesMax = 4_096
    /// A visitor without an open stream or a request for this long leaves.
    private static let idleMax: Duration = .seconds(90)

    private let settings: VisitorSettings
    private let host: VisitorHost
    private let limits: HTTPLimits
    private let digest: @Sendable (String) -> String
    private let now: @Sendable () -> Instant
    private var book: VisitorBook
    private var seats: [String: VisitorSeat] = [:]
    private var turns = AccountTurns()
    nonisolated let runner = SeatRunner()
    private var names = VisitorNames()
    private var cameFrom: [String: Int] = [:]
    private var guesses = VisitorGuesses()

    init(_ visitors: VisitorSettings, _ settings: HTTPSettings) {
        self.settings = visitors
        host = VisitorHost(node: visitors.host)
        (limits, digest, now) = (settings.limits, settings.digest, settings.now)
        book = visitors.book
    }

    /// Forgets keys that somebody brought who then did not come.
    func begin() async {
        let accounts = Set(book.entries.map(\.account))
        await host.forgetKeys { accounts.contains($0) || !$0.hasPrefix(Self.accountPrefix) }
    }

    // MARK: - Coming

    /// - Returns: `nil` if nobody is signed in with this token.
    func seat(token: String) async throws(HTTPProblem) -> VisitorSeat? {
        guard let entry = book.entry(session: digest(token)) else { return nil }
        return try await seat(of: entry)
    }

    /// - Parameter isNew: whether the book does not have them yet.
    private func seat(of entry: VisitorEntry, isNew: Bool = false) async throws(HTTPProblem) -> VisitorSeat {
        if let seat = usedSeat(of: entry.account) { return seat }
        // Several requests of one browser admit them once.
        let turn = turns.enter(entry.account)
        await turn.take()
        defer {
            turn.end()
            turns.leave(entry.account)
        }
        if let seat = usedSeat(of: entry.account) { return seat }
        // The node sent them away: the owner may have blocked them.
        if let seat = seats.removeValue(forKey: entry.account) { await seat.leave() }
        do { return try await admit(entry, isNew: isNew) } catch {
            throw HTTPProblem(withoutPaths: error as? RequestError ?? .other(code: .busy, message: "\(error)"))
        }
    }

    /// - Returns: `nil` if they are not here.
    private func usedSeat(of account: String) -> VisitorSeat? {
        guard let seat = seats[account], !seat.isOver else { return nil }
        seat.touch(at: now())
        return seat
    }

    private func admit(_ entry: VisitorEntry, isNew: Bool) async throws -> VisitorSeat {
        guard let account = AccountName(entry.account) else { throw RequestError.stopped(why: .left) }
        let visitor = try await settings.host.admit(account, as: try PeerName(entry.name))
        guard isNew || visitor.id.hex == entry.id else {
            await visitor.leave()
            throw RequestError.badKeyFile(problem: .lost)
        }
        for room in entry.rooms { await VisitorHost.enter(room, visitor) }
        let events = await visitor.events()
        guard isNew || book[entry.account] != nil else {
            // The owner removed them meanwhile.
            await visitor.leave()
            throw RequestError.stopped(why: .left)
        }
        var dice = SystemRandomNumberGenerator()
        let boot = String(UInt32.random(in: .min ... .max, using: &dice), radix: 16)
        let seat = VisitorSeat(entry.account, visitor, events, limits, boot: boot, now: now)
        seats[entry.account] = seat
        runner.begin(seat)
        seen(entry.account)
        return seat
    }

    /// Somebody new. The name must be free.
    ///
    /// - Parameter account: a new one, for which a key was brought or follows from the node's.
    /// - Throws: `nameTaken` with proposals, `visitorsFull`, `tooMany`.
    func come(
        as name: PeerName, from address: String, account: String = newAccount()
    ) async throws(HTTPProblem) -> Welcome {
        let others = try await host.names()
        let rooms = try await host.publicRooms()
        // No other request runs between here and the next `await`.
        let folded = VisitorName.folded(name.text)
        guard !names.isTaken(name.text, others, book) else { throw names.refusal(of: name, others, book) }
        guard cameFrom[address, default: 0] < Self.addressVisitorsMax else { throw .tooManyFromHere }
        if cameFrom.count >= Self.addressesMax { cameFrom.removeAll() }
        _ = try leaving()
        names.reserve(folded)
        cameFrom[address, default: 0] += 1
        defer { names.release(folded) }
        do throws(HTTPProblem) {
            return try await enter(name, rooms, account)
        } catch {
            cameFrom[address]? -= 1
            throw error
        }
    }

    private func enter(
        _ name: PeerName, _ rooms: [String], _ account: String
    ) async throws(HTTPProblem) -> Welcome {
        let (token, code) = (VisitorCode.secret(), VisitorCode.made())
        let date = settings.date().milliseconds
        var entry = VisitorEntry(
            account: account, id: "", name: name.text, since: date, seen: date, sessions: [digest(token)],
            code: digest(code), rooms: rooms)
        let seat = try await seat(of: entry, isNew: true)
        entry.id = seat.node.id.hex
        do throws(HTTPProblem) {
            var more = book
            var gone: VisitorEntry?
            if more.entries.count >= settings.countMax, let absent = more.absent(at: settings.date()) {
                more[absent.account] = nil
                gone = absent
            }
            more[account] = entry
            try keep(more)
            if let gone { await host.forgetKey(of: gone.account) }
        } catch {
            seats[account] = nil
            await seat.leave()
            throw error
        }
        return Welcome(seat: seat, token: token, code: VisitorCode.grouped(code))
    }

    /// Somebody comes with the key that they have elsewhere. Whose key is here already is signed in.
    ///
    /// - Parameter name: for everybody else.
    func come(
        with key: VisitorKey, as name: PeerName?, from address: String
    ) async throws(HTTPProblem) -> Welcome {
        let text = Self.newAccount()
        guard let account = AccountName(text) else { throw .nameNeeded }
        // Counted also if it opens: that takes as much memory and time as a password.
        _ = try guesses.guess(from: address, nil, at: now())
        let id = try await host.bring(key, as: account).hex
        do throws(HTTPProblem) {
            if let known = book.entry(id: id) {
                try await host.moveKey(of: text, to: known.account)
                // Meanwhile the owner may have removed them.
                guard let known = book.entry(id: id) else { throw .nameNeeded }
                return try await signIn(known)
            }
            guard let name else { throw .invalid(HTTPProblem.Fault("name", "give a name, such as Jonna")) }
            return try await come(as: name, from: address, account: text)
        } catch {
            await host.forgetKey(of: text)
            throw error
        }
    }

    private static let accountPrefix = "web/"

    private static func newAccount() -> String { "\(accountPrefix)\(VisitorCode.secret())" }

    /// Their key in a file, to take along.
    func keyFile(of seat: VisitorSeat, under passphrase: TypedKey) async throws(HTTPProblem) -> [UInt8] {
        guard let account = AccountName(seat.account) else { throw .tokenNeeded }
        try guesses.work(for: seat.account, at: now())
        return try await host.keyFile(of: account, under: passphrase)
    }

    /// - Returns: the visitor to remove for one more; `nil` if there is space.
    private func leaving() throws(HTTPProblem) -> VisitorEntry? {
        guard book.entries.count + names.reserved.count >= settings.countMax else { return nil }
        guard let absent = book.absent(at: settings.date()) else {
            throw HTTPProblem(503, "visitorsFull", "This camp is full. Ask the people who run it to make room.")
        }
        return absent
    }

    /// Somebody comes back on another browser.
    ///
    /// - Throws: `wrongCode` with how many tries are left, `tooMany`.
    func comeBack(_ proof: VisitorProof, from address: String) async throws(HTTPProblem) -> Welcome {
        // Counted before the password is checked: many guesses at once are many.
        let left = try guesses.guess(from: address, proof, at: now())
        guard let account = try await account(proof), let entry = book[account] else {
            guard left > 0 else { throw VisitorGuesses.tooMany }
            let words = "\(left) \(left == 1 ? "try" : "tries") left."
            if case .password = proof {
                throw HTTPProblem(403, "wrongPassword", "That name or password is not right. \(words)")
            }
            throw HTTPProblem(403, "wrongCode", "That code is not right. \(words)")
        }
        guesses.wasRight(from: address)
        return try await signIn(entry)
    }

    private func signIn(_ known: VisitorEntry) async throws(HTTPProblem) -> Welcome {
        var entry = known
        let token = VisitorCode.secret()
        let isFull = entry.sessions.count >= VisitorEntry.sessionsMax
        entry.sessions = Array((entry.sessions + [digest(token)]).suffix(VisitorEntry.sessionsMax))
        try change(entry)
        if isFull { await seats[entry.account]?.hub.end() }
        return Welcome(seat: try await seat(of: entry), token: token, code: nil)
    }

    /// - Returns: the account that the proof opens; `nil` if it opens none.
    private func account(_ proof: VisitorProof) async throws(HTTPProblem) -> String? {
        switch proof {
        case .code(let typed): return book.entry(code: digest(VisitorCode.tidied(typed)))?.account
        case .password(let password, let name):
            let folded = VisitorName.folded(name)
            let entry = book.entries.first { VisitorName.folded($0.name) == folded }
            guard let entry, entry.hasPassword == true, let account = AccountName(entry.account) else { return nil }
            return try await host.opens(account, password) ? entry.account : nil
        }
    }

    /// From now on this person can come back with their name and this password, too.
    ///
    /// - Throws: `passwordSet` if they have one; `invalid` if it is too short or too long.
    func setPassword(_ password: TypedKey, for seat: VisitorSeat) async throws(HTTPProblem) {
        let isSet = HTTPProblem(409, "passwordSet", "You have a password already. It cannot be changed here.")
        guard book[seat.account]?.hasPassword != true, let account = AccountName(seat.account) else { throw isSet }
        guard try await host.opens(account, password) else { throw isSet }
        guard var entry = book[seat.account] else { throw .tokenNeeded }
        entry.hasPassword = true
        try change(entry)
    }

    // MARK: - Names

    /// Whether somebody could come under this name, and otherwise which names they could have.
    func proposals(for name: PeerName) async throws(HTTPProblem) -> [String]? {
        let others = try await host.names()
        return names.isTaken(name.text, others, book) ? names.refusal(of: name, others, book).faults.map(\.reason) : nil
    }

    /// Nobody else can take this name until `release`. They may have it already.
    ///
    /// - Returns: what to release.
    /// - Throws: `nameTaken`
    func reserve(_ name: PeerName, for seat: VisitorSeat) async throws(HTTPProblem) -> String? {
        let others = try await host.names()
        let folded = VisitorName.folded(name.text)
        if book[seat.account].map({ VisitorName.folded($0.name) }) == folded { return nil }
        guard !names.isTaken(name.text, others, book) else { throw names.refusal(of: name, others, book) }
        names.reserve(folded)
        return folded
    }

    func release(_ reserved: String?) {
        if let reserved { names.release(reserved) }
    }

    /// They are called this from now on. Call it while the name is reserved.
    func renamed(_ seat: VisitorSeat, _ name: PeerName) throws(HTTPProblem) {
        guard var entry = book[seat.account] else { throw .nameNeeded }
        entry.name = name.text
        try change(entry)
    }

    // MARK: - Staying

    /// They entered a room, or left it.
    func changed(_ seat: VisitorSeat, _ room: RoomName, isIn: Bool) {
        guard var entry = book[seat.account] else { return }
        let rooms = entry.rooms.filter { $0 != room.text } + (isIn ? [room.text] : [])
        guard rooms.count <= VisitorEntry.roomsMax, rooms != entry.rooms else { return }
        entry.rooms = rooms
        do throws(HTTPProblem) {
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

    /// Also if that cannot be written: then it holds until the next start.
    func signOut(token: String) async {
        let session = digest(token)
        guard var entry = book.entry(session: session) else { return }
        entry.sessions.removeAll { $0 == session }
        var fewer = book
        fewer[entry.account] = entry
        forget(fewer)
        guard !entry.sessions.isEmpty else {
            await seats.removeValue(forKey: entry.account)?.leave()
            return
        }
        // Other browsers of theirs open theirs again.
        await seats[entry.account]?.hub.end()
    }

    /// What is taken away is away, even if it cannot be written.
    private func forget(_ fewer: VisitorBook) {
        do throws(HTTPProblem) {
            try keep(fewer)
        } catch {
            book = fewer
        }
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
            throw HTTPProblem(withoutPaths: error)
        }
        book = more
    }

    // MARK: - Leaving

    /// Keeps streams open; those who are not here any more leave.
    func beat() async {
        for (account, seat) in seats {
            seen(account)
            await seat.hub.beat()
        }
        let limit = now().advanced(by: .zero - Self.idleMax)
        for (account, seat) in seats where await seat.isIdle(since: limit) {
            // Somebody may have asked for something while the streams were counted.
            guard seats[account] === seat, seat.isUnused(since: limit) else { continue }
            seats[account] = nil
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
        guard let entry = book.entry(id: id) else {
            throw .notFound("No visitor has this id.")
        }
        var fewer = book
        fewer[entry.account] = nil
        forget(fewer)
        if let seat = seats.removeValue(forKey: entry.account) { await seat.leave() }
        await host.forgetKey(of: entry.account)
    }
}

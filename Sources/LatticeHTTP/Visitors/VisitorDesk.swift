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
    /// A visitor without an open stream or a request for this long leaves.
    private static let idleMax: Duration = .seconds(90)

    private let settings: VisitorSettings
    private let limits: HTTPLimits
    private let digest: @Sendable (String) -> String
    private let now: @Sendable () -> Instant
    private var book: VisitorBook
    private var seats: [String: VisitorSeat] = [:]
    private var arriving: [String: Task<VisitorSeat, any Error>] = [:]
    /// Folded names of people who are not in the book yet.
    private var arrivingNames: Set<String> = []
    private var cameFrom: [String: Int] = [:]
    private var guesses = VisitorGuesses()

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

    /// - Parameter isNew: whether the book does not have them yet.
    private func seat(of entry: VisitorEntry, isNew: Bool = false) async throws(HTTPProblem) -> VisitorSeat {
        if let seat = seats[entry.account] {
            if !seat.isOver {
                seat.touch(at: now())
                return seat
            }
            // The node sent them away: the owner may have blocked them.
            seats[entry.account] = nil
            await seat.leave()
        }
        if let arrival = arriving[entry.account] { return try await Self.value(of: arrival) }
        let arrival = Task { try await self.admit(entry, isNew: isNew) }
        arriving[entry.account] = arrival
        defer { arriving[entry.account] = nil }
        return try await Self.value(of: arrival)
    }

    private static func value(of arrival: Task<VisitorSeat, any Error>) async throws(HTTPProblem) -> VisitorSeat {
        do {
            return try await arrival.value
        } catch {
            throw HTTPProblem(withoutPaths: error as? RequestError ?? .other(code: .busy, message: "\(error)"))
        }
    }

    private func admit(_ entry: VisitorEntry, isNew: Bool) async throws -> VisitorSeat {
        guard let account = AccountName(entry.account) else { throw RequestError.stopped(why: .left) }
        let visitor = try await settings.host.admit(account, as: try PeerName(entry.name))
        for room in entry.rooms { await Self.enter(room, visitor) }
        guard isNew || book[entry.account] != nil else {
            // The owner removed them meanwhile.
            await visitor.leave()
            throw RequestError.stopped(why: .left)
        }
        var dice = SystemRandomNumberGenerator()
        let boot = String(UInt32.random(in: .min ... .max, using: &dice), radix: 16)
        let seat = VisitorSeat(entry.account, visitor, limits, boot: boot, now: now)
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
        let rooms = try await publicRooms()
        // No other request runs between here and the next `await`.
        let folded = VisitorName.folded(name.text)
        guard !isTaken(name.text, others) else { throw taken(name, others) }
        guard cameFrom[address, default: 0] < Self.addressVisitorsMax else { throw .tooManyFromHere }
        if cameFrom.count >= Self.addressesMax { cameFrom.removeAll() }
        _ = try leaving()
        arrivingNames.insert(folded)
        cameFrom[address, default: 0] += 1
        defer { arrivingNames.remove(folded) }
        do throws(HTTPProblem) {
            return try await enter(name, rooms)
        } catch {
            cameFrom[address]? -= 1
            throw error
        }
    }

    private func enter(_ name: PeerName, _ rooms: [String]) async throws(HTTPProblem) -> Welcome {
        let (token, code, account) = (Self.secret(), VisitorCode.made(), "web/\(Self.secret())")
        let date = settings.date().milliseconds
        var entry = VisitorEntry(
            account: account, id: "", name: name.text, since: date, seen: date, sessions: [digest(token)],
            code: digest(code), rooms: rooms)
        let seat = try await seat(of: entry, isNew: true)
        entry.id = seat.node.id.hex
        do throws(HTTPProblem) {
            var more = book
            if more.entries.count >= settings.countMax, let absent = more.absent(at: settings.date()) {
                more[absent.account] = nil
            }
            more[account] = entry
            try keep(more)
        } catch {
            seats[account] = nil
            await seat.leave()
            throw error
        }
        return Welcome(seat: seat, token: token, code: VisitorCode.grouped(code))
    }

    /// - Returns: who makes room for one more; `nil` if there is room.
    private func leaving() throws(HTTPProblem) -> VisitorEntry? {
        guard book.entries.count + arrivingNames.count >= settings.countMax else { return nil }
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
        guard let account = try await account(proof), var entry = book[account] else {
            guard left > 0 else { throw VisitorGuesses.tooMany }
            let words = "\(left) \(left == 1 ? "try" : "tries") left."
            if case .password = proof {
                throw HTTPProblem(403, "wrongPassword", "That name or password is not right. \(words)")
            }
            throw HTTPProblem(403, "wrongCode", "That code is not right. \(words)")
        }
        guesses.wasRight(from: address)
        let token = Self.secret()
        let isFull = entry.sessions.count >= VisitorEntry.sessionsMax
        entry.sessions = Array((entry.sessions + [digest(token)]).suffix(VisitorEntry.sessionsMax))
        try change(entry)
        if isFull { await seats[account]?.hub.end() }
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
            do throws(RequestError) {
                return try await settings.host.opens(account, password: password) ? entry.account : nil
            } catch {
                throw HTTPProblem(withoutPaths: error)
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
            throw HTTPProblem(withoutPaths: error)
        }
        guard isNew else { throw isSet }
        guard var entry = book[seat.account] else { throw .tokenNeeded }
        entry.hasPassword = true
        try change(entry)
    }

    /// 256 bits.
    private static func secret() -> String {
        var dice = SystemRandomNumberGenerator()
        return Base64URL.string((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
    }

    // MARK: - Names

    /// Names that people have, folded.
    private func names() async throws(HTTPProblem) -> Set<String> {
        do throws(RequestError) {
            let me = try await settings.host.perform(ShowMe())
            let peers = try await settings.host.perform(ListPeers()).peers
            return Set((peers.map(\.name) + [me.name.text]).map { VisitorName.folded($0) })
        } catch {
            throw HTTPProblem(withoutPaths: error)
        }
    }

    private func publicRooms() async throws(HTTPProblem) -> [String] {
        do throws(RequestError) {
            let me = try await settings.host.perform(ShowMe())
            return me.rooms.filter { !me.privateRooms.contains($0) }.map(\.text)
        } catch {
            throw HTTPProblem(withoutPaths: error)
        }
    }

    private func isTaken(_ name: String, _ others: Set<String>) -> Bool {
        let folded = VisitorName.folded(name)
        return others.contains(folded) || arrivingNames.contains(folded) || book.isTaken(folded)
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

    /// Nobody else can take this name until `release`. They may have it already.
    ///
    /// - Returns: what to release.
    /// - Throws: `nameTaken`
    func reserve(_ name: PeerName, for seat: VisitorSeat) async throws(HTTPProblem) -> String? {
        let others = try await names()
        let folded = VisitorName.folded(name.text)
        if book[seat.account].map({ VisitorName.folded($0.name) }) == folded { return nil }
        guard !isTaken(name.text, others) else { throw taken(name, others) }
        arrivingNames.insert(folded)
        return folded
    }

    func release(_ reserved: String?) {
        if let reserved { arrivingNames.remove(reserved) }
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
        guard let entry = book.entries.first(where: { $0.id == id }) else {
            throw .notFound("No visitor has this id.")
        }
        var fewer = book
        fewer[entry.account] = nil
        forget(fewer)
        if let seat = seats.removeValue(forKey: entry.account) { await seat.leave() }
    }
}

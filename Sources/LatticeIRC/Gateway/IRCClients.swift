import LatticeAPI
import LatticeCore

/// The connected clients. All output goes through here: lines to clients, requests for them, and other effects.
///
/// The machines of the gateway read this table and get it as the place for their effects, in order.
struct IRCClients {
    private let settings: IRCSettings
    private(set) var now = Instant.zero
    private(set) var date = WallTime(milliseconds: 0)
    private var effects: [IRCEffect] = []
    private var connections: [ConnectionID: IRCConnection] = [:]
    /// Output format of each client. Kept apart from `connections`, since a line to a room needs nothing else of
    /// hundreds.
    private var formats: [ConnectionID: IRCCapabilities] = [:]
    /// The connections that do not hear an author.
    private var deaf: [PeerID: Set<ConnectionID>] = [:]
    private var lastTicket = 0
    private var lastBatch = 0

    init(_ settings: IRCSettings) {
        self.settings = settings
    }

    var serverName: String { settings.serverName }
    var limits: IRCLimits { settings.limits }
    var page: String? { settings.page() }

    mutating func begin(at now: Instant, date: WallTime) {
        (self.now, self.date) = (now, date)
    }

    mutating func want(_ effect: IRCEffect) { effects.append(effect) }

    mutating func takeEffects() -> [IRCEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: - The table

    subscript(id: ConnectionID) -> IRCConnection? {
        get { connections[id] }
        _modify { yield &connections[id] }
    }

    var count: Int { connections.count }
    var isEmpty: Bool { connections.isEmpty }
    var ids: [ConnectionID] { connections.keys.sorted() }
    var registeredCount: Int { connections.values.count(where: \.isRegistered) }

    func filter(_ isIncluded: (IRCConnection) -> Bool) -> [IRCConnection] { connections.values.filter(isIncluded) }

    mutating func add(_ connection: IRCConnection) {
        connections[connection.id] = connection
        formats[connection.id] = []
    }

    /// Nothing more is written to it.
    mutating func mute(_ id: ConnectionID) {
        connections[id]?.isClosing = true
        formats[id] = nil
    }

    mutating func remove(_ id: ConnectionID) {
        take(ContactMarks(), of: id)
        connections[id] = nil
        formats[id] = nil
    }

    // MARK: - Who hears whom

    /// A client marked people.
    mutating func take(_ contactMarks: ContactMarks, of id: ConnectionID) {
        let (before, unheard) = (connections[id]?.contactMarks.unheard ?? [], contactMarks.unheard)
        for author in before.subtracting(unheard) {
            deaf[author]?.remove(id)
            if deaf[author]?.isEmpty == true { deaf[author] = nil }
        }
        for author in unheard.subtracting(before) { deaf[author, default: []].insert(id) }
        connections[id]?.contactMarks = contactMarks
    }

    func hears(_ author: PeerID, _ id: ConnectionID) -> Bool { deaf[author]?.contains(id) != true }

    func hearing(_ author: PeerID, _ ids: [ConnectionID]) -> [ConnectionID] {
        guard let deaf = deaf[author] else { return ids }
        return ids.filter { !deaf.contains($0) }
    }

    // MARK: - Capabilities

    func capabilities(_ id: ConnectionID) -> IRCCapabilities? { formats[id] }

    func has(_ capability: IRCCapabilities, _ id: ConnectionID) -> Bool {
        formats[id]?.contains(capability) ?? false
    }

    mutating func setCapabilities(_ id: ConnectionID, _ capabilities: IRCCapabilities) {
        if formats[id] != nil { formats[id] = capabilities }
    }

    func having(_ capability: IRCCapabilities, _ ids: [ConnectionID]) -> [ConnectionID] {
        ids.filter { has(capability, $0) }
    }

    func lacking(_ capability: IRCCapabilities, _ ids: [ConnectionID]) -> [ConnectionID] {
        ids.filter { formats[$0]?.contains(capability) == false }
    }

    /// Whether a client shows the date of a line. irssi requests server-time but does not show it by default; unlike
    /// clients that do, it does not request message-tags.
    func showsDates(_ id: ConnectionID) -> Bool {
        guard let capabilities = formats[id], capabilities.contains(.serverTime) else { return false }
        return !capabilities.isDisjoint(with: [.messageTags, .batch])
    }

    // MARK: - Requests

    /// Sends a request; further input of the connection waits for the reply.
    mutating func ask(_ id: ConnectionID, _ question: IRCQuestion, then step: IRCStep) {
        guard connections[id] != nil else { return }
        lastTicket += 1
        let ticket = IRCTicket(lastTicket)
        connections[id]?.underWay.ask(ticket, then: step)
        want(.ask(id, ticket, question))
    }

    mutating func ask(_ id: ConnectionID, _ request: IRCRequest, then step: IRCStep) {
        ask(id, .perform(request), then: step)
    }

    // MARK: - Writing

    mutating func write(_ id: ConnectionID, _ line: IRCLine) {
        guard let capabilities = formats[id] else { return }
        want(.write([id], line.bytes(for: capabilities)))
    }

    /// Sends a line to many clients, encoding it once for each set of capabilities.
    mutating func spread(_ line: IRCLine, to ids: [ConnectionID]) {
        var groups: [(IRCCapabilities, [ConnectionID])] = []
        for id in ids {
            guard let way = formats[id]?.intersection(.tagged) else { continue }
            if let index = groups.firstIndex(where: { $0.0 == way }) {
                groups[index].1.append(id)
            } else {
                groups.append((way, [id]))
            }
        }
        for (way, ids) in groups { want(.write(ids, line.bytes(for: way))) }
    }

    /// Sends what a client did to others and to itself.
    mutating func spread(_ line: IRCLine, of id: ConnectionID, to ids: [ConnectionID]) {
        if ids.contains(id) { reply(id, line) }
        spread(line, to: ids.filter { $0 != id })
    }

    /// Sends a past line. Clients that do not show its date get the date in the text.
    mutating func spread(past line: IRCLine, to ids: [ConnectionID]) {
        spread(line, to: ids.filter { showsDates($0) })
        spread(dated(line), to: ids.filter { !showsDates($0) })
    }

    /// `[14:02] text`, with the day if it is not today: `[2026-11-20 14:02] text`.
    func dated(_ line: IRCLine) -> IRCLine {
        guard let time = line.time, let text = line.trailing else { return line }
        var dated = line
        let (then, today) = (settings.dateText(time), settings.dateText(date))
        let mark = "[\(then.prefix(10) == today.prefix(10) ? String(then.suffix(5)) : then)]"
        let action = "\u{1}ACTION "
        dated.trailing =
            text.hasPrefix(action) ? "\(action)\(mark) \(text.dropFirst(action.count))" : "\(mark) \(text)"
        return dated
    }

    // MARK: - Replies to a line

    /// A reply to the client's current line. A notice gets no replies (RFC 2812 section 3.3.2).
    mutating func reply(_ id: ConnectionID, _ line: IRCLine) {
        if connections[id]?.reply.isMute != true { show(id, line) }
    }

    /// A line that belongs to the client's current line.
    mutating func show(_ id: ConnectionID, _ line: IRCLine) {
        guard connections[id]?.reply.label != nil else { return write(id, line) }
        connections[id]?.reply.labelled.append(line)
    }

    /// Replies of a kind of their own, which clients can tell from new lines (IRCv3 batch).
    mutating func batch(_ id: ConnectionID, _ params: [String], _ lines: [IRCLine]) {
        guard has(.batch, id) else {
            for line in lines { reply(id, line) }
            return
        }
        let batch = nextBatch()
        reply(id, IRCLine(source: serverName, "BATCH", ["+\(batch)"] + params))
        for var line in lines {
            line.batch = batch
            reply(id, line)
        }
        reply(id, IRCLine(source: serverName, "BATCH", ["-\(batch)"]))
    }

    private mutating func nextBatch() -> String {
        lastBatch += 1
        return "b\(lastBatch)"
    }

    /// Sends the replies to one labelled line as one (IRCv3 labeled-response).
    mutating func finishLabel(_ id: ConnectionID) {
        connections[id]?.reply.isMute = false
        guard let label = connections[id]?.reply.label, let lines = connections[id]?.reply.labelled else { return }
        connections[id]?.reply = IRCReplyFormat()
        guard lines.count != 1 || lines[0].batch != nil else {
            var line = lines[0]
            line.label = label
            return write(id, line)
        }
        guard !lines.isEmpty else {
            var line = IRCLine(source: serverName, "ACK")
            line.label = label
            return write(id, line)
        }
        guard has(.batch, id) else {
            for line in lines { write(id, line) }
            return
        }
        let batch = nextBatch()
        var start = IRCLine(source: serverName, "BATCH", ["+\(batch)", "labeled-response"])
        start.label = label
        write(id, start)
        for var line in lines {
            if line.batch == nil { line.batch = batch }
            write(id, line)
        }
        write(id, IRCLine(source: serverName, "BATCH", ["-\(batch)"]))
    }
}

import LatticeAPI
package import LatticeCore

/// All clients of one gateway and their view of the mesh, computed from events and a time.
///
/// The lines of a client are handled in order: while a request to the node is pending, the next lines of that client
/// wait, but those of others do not. Output is collected in `effects`, in order.
package struct IRCGateway {
    typealias Continuation = @Sendable (inout IRCGateway, ConnectionID, IRCOutcome) -> Void

    enum Holder: Equatable {
        case connection(ConnectionID)
        case peer(PeerID)
        case service
    }

    let settings: IRCSettings
    var limits: IRCLimits { settings.limits }
    private(set) var now = Instant.zero
    private(set) var date = WallTime(milliseconds: 0)
    private var effects: [IRCEffect] = []

    var connections: [ConnectionID: IRCConnection] = [:]
    /// Output format of each client. Kept apart from `connections`, since a line to a room needs nothing else of
    /// hundreds.
    var capabilities: [ConnectionID: IRCCapabilities] = [:]
    /// By folded nick. A connection holds its nick even before it is registered.
    var holders: [String: Holder]
    var people: [PeerID: IRCPerson] = [:]
    /// Members of public rooms, on other nodes and on this gateway.
    var members: [RoomName: Set<PeerID>] = [:]
    /// Connections in each public room, in the order they joined.
    var audiences: [RoomName: [ConnectionID]] = [:]
    /// Members of clients' private rooms who are not in the mesh.
    var awaited: Set<PeerID> = []
    /// Private rooms that people on this gateway declined or left for good since it started.
    var forgotten: [PeerID: Set<RoomName>] = [:]
    /// People who left, the latest last.
    var gone: [IRCGone] = []
    var readMarks: IRCReadMarks
    var mostConnections = 0
    var passwordDesk = IRCPasswordDesk()
    private var lastTicket = 0
    private var lastBatch = 0
    private var continuations: [IRCTicket: Continuation] = [:]
    var synced = IRCSyncNews()
    var late: [RoomName: IRCLateLines] = [:]

    package init(_ settings: IRCSettings, readMarks: IRCReadMarks = IRCReadMarks()) {
        self.settings = settings
        self.readMarks = readMarks
        holders = [IRCService.nick: .service]
    }

    package mutating func handle(_ event: IRCEvent, at now: Instant, date: WallTime) -> [IRCEffect] {
        (self.now, self.date) = (now, date)
        switch event {
        case .connected(let id, let host, let isSecure): connected(id, host, isSecure)
        case .line(let id, let line): arrived(line, from: id)
        case .ended(let id, let reason): ended(id, reason)
        case .overflowed(let id): close(id, "SendQ exceeded: your client reads too slowly")
        case .answered(let id, let ticket, let outcome): answered(id, ticket, outcome)
        case .told(let event): told(event)
        case .toldAlone(let id, let event): toldAlone(event, id)
        case .found(let peers): found(peers)
        case .woke: woke()
        case .stopping: for id in connections.keys.sorted() { close(id, "The gateway is shutting down") }
        }
        defer { effects = [] }
        return effects
    }

    mutating func want(_ effect: IRCEffect) { effects.append(effect) }

    /// Sends a request; further input of the connection waits for the reply.
    mutating func ask(_ id: ConnectionID, _ question: IRCQuestion, then: @escaping Continuation) {
        guard let connection = connections[id] else { return }
        assert(connection.ticket == nil, "a client asks one thing at a time")
        lastTicket += 1
        let ticket = IRCTicket(lastTicket)
        continuations[ticket] = then
        connections[id]?.ticket = ticket
        want(.ask(id, ticket, question))
    }

    /// Runs `more` after the reply to a request has been handled.
    mutating func append(to ticket: IRCTicket, _ more: @escaping Continuation) {
        guard let first = continuations[ticket] else { return }
        continuations[ticket] = { gateway, id, outcome in
            first(&gateway, id, outcome)
            more(&gateway, id, outcome)
        }
    }

    private mutating func answered(_ id: ConnectionID, _ ticket: IRCTicket, _ outcome: IRCOutcome) {
        guard let continuation = continuations.removeValue(forKey: ticket) else { return }
        passwordDesk.finished(id)
        guard connections[id]?.ticket == ticket else {
            // The client is gone, so the person admitted for it leaves again.
            if case .success(.admitted) = outcome { want(.leave(id)) }
            return checkNextProof()
        }
        connections[id]?.ticket = nil
        continuation(&self, id, outcome.mapError { IRCWords.said($0) })
        checkNextProof()
        drain(id)
    }

    func makesBatches(_ id: ConnectionID) -> Bool { capabilities[id]?.contains(.batch) ?? false }

    mutating func nextBatch() -> String {
        lastBatch += 1
        return "b\(lastBatch)"
    }
}

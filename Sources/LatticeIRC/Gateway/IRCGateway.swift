import LatticeAPI
package import LatticeCore

/// All clients of one gateway and their view of the mesh, computed from events and a time.
///
/// Each job is a machine of its own. They do not call each other: `IRCGateway` asks one, gets a verdict and asks the
/// next. A machine may read another one that it is passed. All of them write to `clients`, which collects the effects.
///
/// The lines of a client are handled in order: while a request to the node is pending, the next lines of that client
/// wait, but those of others do not.
package struct IRCGateway {
    var limits: IRCLimits { clients.limits }

    var clients: IRCClients
    var registration: IRCRegistration
    var people = IRCPeople()
    var rooms = IRCRooms()
    var messages = IRCMessages()
    var history: IRCHistory
    var monitor = IRCMonitor()
    var service: IRCService
    var pages: IRCServerPages

    package init(_ settings: IRCSettings, readMarks: IRCReadMarks = IRCReadMarks()) {
        clients = IRCClients(settings)
        registration = IRCRegistration(password: settings.password)
        history = IRCHistory(marks: readMarks)
        service = IRCService(version: settings.version)
        pages = IRCServerPages(settings)
    }

    package mutating func handle(_ event: IRCEvent, at now: Instant, date: WallTime) -> [IRCEffect] {
        clients.begin(at: now, date: date)
        switch event {
        case .connected(let id, let host, let isSecure): connected(id, host, isSecure)
        case .line(let id, let line): arrived(line, from: id)
        case .ended(let id, let reason): ended(id, reason)
        case .overflowed(let id): close(id, "SendQ exceeded: your client reads too slowly")
        case .answered(let id, let ticket, let outcome): answered(id, ticket, outcome)
        case .told(let event): told(event)
        case .deliveredAlone(let id, let event): deliveredAlone(event, id)
        case .found(let peers): found(peers)
        case .card(let status): pages.card = status.card
        case .woke: woke()
        case .stopping: for id in clients.ids { close(id, "The gateway is shutting down") }
        }
        return clients.takeEffects()
    }
}

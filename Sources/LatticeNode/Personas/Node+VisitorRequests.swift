import LatticeAPI
import LatticeCore
import LatticeLink
import LatticeWire

// Visitors' requests, carried out in their name.
extension Node {
    func perform<R: Request>(_ request: R, for visit: Persona.Visit) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, for: try person(of: visit), on: self)
    }

    private func person(of visit: Persona.Visit) throws(RequestError) -> Persona {
        guard !hasStopped else { throw .stopped(why: .stopping) }
        guard let person = personas[visit] else { throw .stopped(why: .left) }
        return person
    }

    /// Resolves a reference; a full id needs no search.
    func peer(_ reference: PeerReference, for persona: Persona) async throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return try await HandlerTable.all[FindPerson.self].perform(FindPerson(reference), for: persona, on: self).id
    }

    func me(_ persona: Persona) -> Me {
        let privateRooms = (persona.privacy.names ?? []).sorted()
        return Me(
            id: persona.id, name: persona.name, mesh: configuration.mesh, port: links.transport.port,
            discovery: network.source,
            rooms: persona.rooms, privateRooms: privateRooms, isClosed: configuration.meshKey != nil,
            away: persona.away)
    }
}

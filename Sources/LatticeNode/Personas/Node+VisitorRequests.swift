import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeLink
import LatticeMesh
import LatticeWire

// Visitors' requests, carried out in their name. They do not see the owner's contacts.
extension Node {
    func perform<R: Request>(_ request: R, for visit: Persona.Visit) async throws(RequestError) -> R.Reply {
        try await HandlerTable.all[R.self].perform(request, for: try person(of: visit), on: self)
    }

    private func person(of visit: Persona.Visit) throws(RequestError) -> Persona {
        guard !hasStopped else { throw .nodeStopped }
        guard let person = personas[visit] else { throw .gone }
        return person
    }

    func me(_ persona: Persona) -> Me {
        let privateRooms = persona.isOwner ? (persona.privacy.names ?? []).sorted() : []
        return Me(
            id: persona.id, name: persona.name, mesh: configuration.mesh, port: links.port, discovery: discoveryNow,
            rooms: persona.rooms, privateRooms: privateRooms, isClosed: configuration.meshKey != nil)
    }

    /// A visitor sees the owner like any other peer.
    func peers(seenBy persona: Persona) async -> [PeerInfo] {
        let others = await peersWithHosts()
        return persona.isOwner ? others : [owner] + others.filter { $0.id != persona.id }
    }

    /// The owner, as visitors see it.
    private var owner: PeerInfo {
        PeerInfo(
            id: mesh.me, prefix: mesh.me.prefix, name: personas.owner.name.text, state: .notConnected, hops: 0,
            isHere: true, rooms: personas.owner.publicRooms)
    }

    // MARK: - People

    /// Known people without the owner's marks.
    func unmarked() -> [KnownPerson] {
        contacts.known.all.map { known in
            KnownPerson(
                id: known.id, name: known.name, namedSince: known.namedSince, firstSeen: known.firstSeen,
                lastSeen: known.lastSeen)
        }
    }

    /// Resolves a reference; a full id needs no search.
    func peer(_ reference: PeerReference, for persona: Persona) async throws(RequestError) -> PeerID {
        if let id = reference.id { return id }
        return persona.isOwner
            ? try await perform(FindPerson(reference)).id : try find(reference, for: persona).id
    }

    func find(
        _ reference: PeerReference, for person: Persona
    ) throws(RequestError) -> KnownPerson {
        let me = person.id
        let here = ([owner] + peers()).compactMap { peer -> KnownPerson? in
            peer.id.map { KnownPerson(id: $0, name: PeerName.announced(peer.name)) }
        }
        let found = Naming.meant(by: reference.text, among: unmarked() + here).filter { $0.id != me }
        guard found.count <= 1 else { throw Naming.ambiguous(found, at: clock.now) }
        if let one = found.first ?? PeerID(hex: reference.text).map({ KnownPerson(id: $0) }) { return one }
        let safe = DisplayText.isolated(String(reference.text.prefix(64)))
        throw RequestError(.unknownPeer, "I don't know anyone called \(safe); you can also give a full id (64 digits)")
    }
}

extension PeerName {
    /// - Returns: `nil` if the announced text is no valid name.
    fileprivate static func announced(_ text: String) -> PeerName? {
        do {
            return try PeerName(text)
        } catch {
            return nil
        }
    }
}

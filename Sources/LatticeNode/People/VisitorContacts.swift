import LatticeAPI
import LatticeCore
import LatticeStore
import Logging
import OrderedCollections

/// Marks of visitors on people. Visitors see whom their node knows, without the owner's marks.
enum VisitorContacts {
    /// Asks the contacts of a visitor, or changes them.
    static func ask<Value: Sendable>(
        _ persona: Persona, on node: isolated Node,
        _ work: @Sendable (KnownDesk, WallTime) async throws(RequestError) -> KnownDesk.Outcome<Value>
    ) async throws(RequestError) -> Value {
        let mesh = node.configuration.mesh
        let book = ContactBook(of: persona.archive, in: mesh)
        let desk = KnownDesk(
            book: book, me: persona.id, mesh: mesh, name: persona.name,
            acquaintances: acquaintances(of: persona.id, on: node), archive: persona.archive)
        let (value, _) = try await work(desk, node.clock.now)
        // Read in one step with what follows: an answer that was awaited may be older than the marks are now.
        let known = try book.read()
        let contactMarks = ContactMarks(known.all, muted: known.muted(in: mesh))
        guard let before = node.personas[persona.visit]?.contactMarks, contactMarks != before else { return value }
        node.personas.change(persona.id) { $0.take(contactMarks) }
        node.notifier.deliver(.contactMarks(contactMarks), to: persona.id, for: node)
        return value
    }

    /// Marks that were stored before they came.
    ///
    /// - Parameter archive: the visitor's.
    static func contactMarks(in archive: Archive?, of mesh: MeshName, _ logger: Logger) -> ContactMarks {
        do {
            let known = try ContactBook(of: archive, in: mesh).read()
            return ContactMarks(known.all, muted: known.muted(in: mesh))
        } catch {
            logger.warning("could not read a visitor's contacts", metadata: ["error": "\(error)"])
            return ContactMarks()
        }
    }

    private static func acquaintances(of visitor: PeerID, on node: isolated Node) -> [KnownPerson] {
        var people: OrderedDictionary<PeerID, KnownPerson> = [:]
        for known in node.contacts.known.all {
            people[known.id] = KnownPerson(
                id: known.id, name: known.name, namedSince: known.namedSince, firstSeen: known.firstSeen,
                lastSeen: known.lastSeen)
        }
        for peer in [PeerHandlers.owner(of: node)] + PeerHandlers.peers(of: node) {
            guard let id = peer.id, people[id] == nil else { continue }
            people[id] = KnownPerson(id: id, name: PeerName.announced(peer.name))
        }
        people[visitor] = nil
        return Array(people.values)
    }
}

extension ContactBook {
    /// - Parameter archive: a visitor's; `nil` if nothing is stored.
    fileprivate init(of archive: Archive?, in mesh: MeshName) {
        self = archive.map { .table($0.store.contacts, mesh) } ?? .none
    }
}

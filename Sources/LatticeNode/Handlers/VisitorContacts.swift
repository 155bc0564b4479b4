import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh

/// Known people as visitors see them, without the owner's marks.
enum VisitorContacts {
    static func all(on node: isolated Node) -> [KnownPerson] {
        node.contacts.known.all.map { known in
            KnownPerson(
                id: known.id, name: known.name, namedSince: known.namedSince, firstSeen: known.firstSeen,
                lastSeen: known.lastSeen)
        }
    }

    static func find(
        _ reference: PeerReference, for person: Persona, on node: isolated Node
    ) throws(RequestError) -> KnownPerson {
        let here = ([PeerHandlers.owner(of: node)] + PeerHandlers.peers(of: node)).compactMap { peer -> KnownPerson? in
            peer.id.map { KnownPerson(id: $0, name: PeerName.announced(peer.name)) }
        }
        let found = Naming.meant(by: reference.text, among: all(on: node) + here).filter { $0.id != person.id }
        guard found.count <= 1 else { throw .ambiguousPeer(candidates: found, at: node.clock.now) }
        if let one = found.first ?? PeerID(hex: reference.text).map({ KnownPerson(id: $0) }) { return one }
        throw .unknownPeer(text: String(reference.text.prefix(64)))
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

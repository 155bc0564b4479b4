import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh

// Visitors come. The same account is always the same persona: its key was
// brought, or derives from the node's key and the account.
extension Personas {
    static func admit(
        _ account: AccountName, as name: PeerName, by node: isolated Node
    ) async throws(RequestError) -> Persona.Visit {
        let configuration = node.configuration
        let identity = try await identity(of: account, configuration)
        try checkMayCome(account, identity.peer, to: node)
        let own = node.archive.map { Archive(of: identity, in: $0, name: name) }
        let privacy = await RoomPrivacy.found(in: own, configuration)
        // Others may have come and gone meanwhile.
        try checkMayCome(account, identity.peer, to: node)
        let visit = node.personas.came(
            account, identity, as: name, privacy: privacy,
            contactMarks: VisitorContacts.contactMarks(in: own, of: configuration.mesh, node.logger),
            archive: own, at: Clocks.now)
        node.announcer.came(visit.id, for: node)
        // Otherwise it is stored with the prekeys: a write for each would delay the next visitor.
        if own == nil || !configuration.hasMail { await node.announcer.vouch(for: visit.id, on: node) }
        node.mail.wake()
        return visit
    }

    private static func identity(
        of account: AccountName, _ configuration: NodeConfiguration
    ) async throws(RequestError) -> Identity {
        try await configuration.accounts?.identity(of: account, on: configuration.identity)
            ?? configuration.identity.visitor(of: Array(account.text.utf8))
    }

    private static func checkMayCome(
        _ account: AccountName, _ id: PeerID, to node: isolated Node
    ) throws(RequestError) {
        guard !node.hasStopped else { throw .stopped(why: .stopping) }
        guard !node.personas.isIn(account), node.personas[id] == nil, !node.mesh.register.isNeighbour(id) else {
            throw .accountInUse(account: account.text)
        }
        guard !node.personas.isFull else {
            throw .visitorsFull(max: MeshLimit.visitorsMax)
        }
        guard !node.contacts.contactMarks.blocked.contains(id) else {
            throw .blocked(who: .account)
        }
    }
}

package import LatticeAPI
package import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeMesh
import LatticeWire
import OrderedCollections

// Visitors come and go. The same account is always the same persona: its key derives from the node's key and the account.
extension Node: MeshHost {
    package func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Resident {
        let identity = configuration.identity.resident(of: Array(account.text.utf8))
        try checkMayCome(account, identity.peer)
        let own = wall.map { Wall(of: identity, in: $0, name: name) }
        let privacy = await RoomPrivacy.found(in: own, configuration)
        // Others may have come and gone meanwhile.
        try checkMayCome(account, identity.peer)
        let visit = personas.came(
            account, identity, as: name, privacy: privacy, standing: VisitorContacts.standing(in: own, logger),
            wall: own, at: Clocks.now)
        announcer.came(visit.id, for: self)
        // Otherwise it is stored with the prekeys: a write for each would delay the next visitor.
        if own == nil || !configuration.hasMail { await vouch(for: visit.id) }
        mail.wake()
        return NodeResident(node: self, visit: visit)
    }

    private func checkMayCome(_ account: AccountName, _ id: PeerID) throws(RequestError) {
        guard !hasStopped else { throw .stopped(why: .stopping) }
        guard !personas.isIn(account) else {
            throw .accountInUse(account: account.text)
        }
        guard !personas.isFull else {
            throw .visitorsFull(max: MeshLimit.residentsMax)
        }
        guard !contacts.standing.blocked.contains(id) else {
            throw .blocked(who: .account)
        }
    }

    package func publicEvents() -> NodeEvents {
        personas.sharedEvents()
    }

    func leave(_ visit: Persona.Visit) {
        guard personas[visit] != nil else { return }
        announcer.sendAway([visit.id], for: self)
    }
}

/// A persona's use of a node, until they leave.
struct NodeResident: Resident {
    let node: Node
    let visit: Persona.Visit

    var id: PeerID { visit.id }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await node.perform(request, for: visit)
    }

    func events() async -> NodeEvents { await node.events(of: visit) }

    func ownEvents() async -> NodeEvents { await node.ownEvents(of: visit) }

    func leave() async { await node.leave(visit) }
}

extension Node {
    func events(of visit: Persona.Visit) -> NodeEvents {
        mail.wake()
        return personas.events(of: visit)
    }

    func ownEvents(of visit: Persona.Visit) -> NodeEvents {
        mail.wake()
        return personas.ownEvents(of: visit)
    }
}

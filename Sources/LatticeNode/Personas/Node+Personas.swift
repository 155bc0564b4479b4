package import LatticeAPI
package import LatticeCore
import OrderedCollections

// Visitors come and go. The same account is always the same persona: its key derives from the node's key and the account.
extension Node: MeshHost {
    package func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Visitor {
        NodeVisitor(node: self, visit: try await Personas.admit(account, as: name, by: self))
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
struct NodeVisitor: Visitor {
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

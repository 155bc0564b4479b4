package import LatticeAPI
package import LatticeCore
import LatticeCrypto
import LatticeDiscovery
import LatticeMesh
import LatticeWire
import OrderedCollections

// Visitors come and go. The same account is always the same persona: its key derives from the node's key and the account.
extension Node: MeshHost {
    /// A visitor with a younger presence is not announced again: the next one is still in time.
    private static let renewAfter: Duration = .seconds(5)

    package func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Resident {
        let identity = configuration.identity.resident(of: Array(account.text.utf8))
        try checkMayCome(account, identity.peer)
        let own = wall.map { Wall(of: identity, in: $0, name: name) }
        let privacy = await RoomPrivacy.found(in: own, configuration)
        // Others may have come and gone meanwhile.
        try checkMayCome(account, identity.peer)
        let visit = personas.came(account, identity, as: name, privacy: privacy, wall: own, at: Clocks.now)
        visitorsChanged()
        announce([visit.id])
        // Otherwise it is stored with the prekeys: a write for each would delay the next visitor.
        if own == nil || !configuration.hasMail { await vouch(for: visit.id) }
        mail.wake()
        return NodeResident(node: self, visit: visit)
    }

    private func checkMayCome(_ account: AccountName, _ id: PeerID) throws(RequestError) {
        guard !hasStopped else { throw .nodeStopped }
        guard !personas.isIn(account) else {
            throw RequestError(.busy, "\(DisplayText.isolated(account.text)) is already logged in; log out there first")
        }
        guard !personas.isFull else {
            throw RequestError(
                .tooManyPeople,
                "\(MeshLimit.residentsMax) people are logged in here, the most there can be; try again later")
        }
        guard !contacts.standing.blocked.contains(id) else {
            throw RequestError(.blocked, "the owner of this node has blocked this account")
        }
    }

    package func publicEvents() -> NodeEvents {
        personas.sharedEvents()
    }

    func leave(_ visit: Persona.Visit) {
        guard personas[visit] != nil else { return }
        sendAway([visit.id])
    }

    /// Ends these visits and announces it.
    func sendAway(_ ids: [PeerID]) {
        handle(
            ids.compactMap { personas.visitor($0) }.map { persona in
                .submitted(sign(Presence(isHere: false, name: persona.name, rooms: []), by: persona.identity))
            })
        for id in ids {
            personas.went(id)
            publisher.forget(id)
        }
        visitorsChanged()
    }

    private func visitorsChanged() {
        handle(.residentsChanged(Set(personas.visitorIDs)))
    }

    /// Announces the current state of these visitors.
    private func announce(_ ids: [PeerID]) {
        let now = Clocks.now
        for id in ids { personas.change(id) { $0.announcedAt = now } }
        let renewal = mesh.presences.own.renewalSeconds
        handle(
            ids.compactMap { personas.visitor($0) }.map { persona in
                var presence = persona.presence()
                presence.renewalSeconds = renewal
                return .submitted(sign(presence, by: persona.identity))
            })
    }

    /// Together with the node's own presence: they are still here.
    func renewVisitors() {
        let now = Clocks.now
        announce(personas.visitorIDs(announcedBefore: now.advanced(by: .zero - Self.renewAfter)))
    }

    /// Announces this persona's current name and public rooms.
    func presenceChanged(of id: PeerID) {
        guard id == personas.owner.id else { return announce([id]) }
        showOwnerToVisitors(isHere: true)
        handle(.presenceChanged(personas.owner.presence(isBrief: configuration.isBrief)))
    }

    /// Visitors see the owner like any other peer.
    func showOwnerToVisitors(isHere: Bool) {
        let owner = personas.owner
        let rooms = isHere ? owner.publicRooms : []
        personas.deliverToVisitors(
            .presence(PresenceChange(id: owner.id, name: owner.name, isHere: isHere, rooms: rooms, hops: 0)))
    }

    func rename(_ name: PeerName, as id: PeerID) async {
        guard personas[id]?.name != name || id == personas.owner.id else { return }
        personas.change(id) { $0.name = name }
        if id == personas.owner.id {
            face.rename(name)
            if !announcement.isClosed { discovery.rename(name) }
        }
        personas[id]?.wall?.reader.author.choose(name)
        presenceChanged(of: id)
        if id == personas.owner.id { tellMe() }
    }
}

extension RequestError {
    static let nodeStopped = RequestError(.stopped, "this node is stopping")
    static let gone = RequestError(.stopped, "you have left this node")
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

package import LatticeAPI
package import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire
import OrderedCollections

// People who come and go through this node. The same account is the same person: their key follows from the node's and the account.
extension Node: MeshHost {
    /// A resident whose presence is younger than this is not announced again: with it the next one still comes in time.
    private static let renewAfter: Duration = .seconds(5)

    package func admit(_ account: AccountName, as name: PeerName) async throws(RequestError) -> any Resident {
        let identity = configuration.identity.resident(of: Array(account.text.utf8))
        try checkMayCome(account, identity.peer)
        let own = wall.map { Wall(of: identity, in: $0, name: name) }
        let privacy =
            if let own { await RoomPrivacy.found(in: own.store) } else {
                RoomPrivacy(configuration.isStoreClosed ? nil : [])
            }
        // Others came and went meanwhile.
        try checkMayCome(account, identity.peer)
        let stay = residents.came(account, identity, as: name, privacy: privacy, wall: own, at: Clocks.now)
        residentsChanged()
        announce([stay.id])
        // Else together with their keys for letters: what is written for each holds up whoever comes next.
        if own == nil || !configuration.hasMail { await vouch(for: stay.id) }
        mailInput.yield()
        return NodeResident(node: self, stay: stay)
    }

    private func checkMayCome(_ account: AccountName, _ id: PeerID) throws(RequestError) {
        guard !hasStopped else { throw .nodeStopped }
        guard !residents.isIn(account) else {
            throw RequestError(.busy, "\(DisplayText.isolated(account.text)) is already logged in; log out there first")
        }
        guard !residents.isFull else {
            throw RequestError(
                .tooManyPeople,
                "\(MeshLimit.residentsMax) people are logged in here, the most there can be; try again later")
        }
        guard !standing.blocked.contains(id) else {
            throw RequestError(.blocked, "the owner of this node has blocked this account")
        }
    }

    package func publicEvents() -> NodeEvents {
        residents.publicEvents()
    }

    /// They go; others are told.
    func leave(_ stay: Residents.Stay) {
        guard residents[stay] != nil else { return }
        sendAway([stay.id])
    }

    /// Whoever runs the node has blocked these.
    func sendAway(_ ids: [PeerID]) {
        handle(
            ids.compactMap { residents[$0] }.map { person in
                .submitted(sign(Presence(isHere: false, name: person.name, rooms: []), by: person.identity))
            })
        for id in ids { residents.went(id) }
        residentsChanged()
    }

    private func residentsChanged() {
        handle(.residentsChanged(residents.ids))
    }

    /// Others are to see how these are now.
    func announce(_ ids: [PeerID]) {
        let now = Clocks.now
        for id in ids { residents.change(id) { $0.announcedAt = now } }
        let renewal = mesh.presenceNow.renewalSeconds
        handle(
            ids.compactMap { residents[$0] }.map { person in
                var presence = person.presence
                presence.renewalSeconds = renewal
                return .submitted(sign(presence, by: person.identity))
            })
    }

    /// Together with the node's own: they are still here.
    func renewResidents() {
        let now = Clocks.now
        announce(
            residents.persons.values.filter { $0.announcedAt.duration(to: now) >= Self.renewAfter }.map(\.identity.peer)
        )
    }

    /// Those who see it through residents see the owner as anybody else.
    func tellOwnersPresence(isHere: Bool) {
        let rooms = isHere ? rooms.filter { privacy.isPublic($0) } : []
        residents.tellEverybody(
            .presence(PresenceChange(id: mesh.me, name: name, isHere: isHere, rooms: rooms, hops: 0)))
    }
}

extension RequestError {
    static let nodeStopped = RequestError(.stopped, "this node is stopping")
    static let gone = RequestError(.stopped, "you have left this node")
}

/// Somebody's place in a node, until they leave.
struct NodeResident: Resident {
    let node: Node
    let stay: Residents.Stay

    var id: PeerID { stay.id }

    func perform(_ request: NodeRequest) async throws(RequestError) -> Answer {
        try await node.perform(request, for: stay)
    }

    func perform<R: Request>(_ request: R) async throws(RequestError) -> R.Reply {
        try await node.perform(request, for: stay)
    }

    func events() async -> NodeEvents { await node.events(of: stay) }

    func ownEvents() async -> NodeEvents { await node.ownEvents(of: stay) }

    func leave() async { await node.leave(stay) }
}

extension Node {
    func events(of stay: Residents.Stay) -> NodeEvents {
        mailInput.yield()
        return residents.events(of: stay)
    }

    func ownEvents(of stay: Residents.Stay) -> NodeEvents {
        mailInput.yield()
        return residents.ownEvents(of: stay)
    }
}

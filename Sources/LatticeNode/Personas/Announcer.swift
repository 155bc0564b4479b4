import LatticeAPI
import LatticeCore
import LatticeCrypto
import LatticeMesh
import LatticeWire

/// Announces the personas of this node: their names and public rooms, and their ends.
final class Announcer {
    /// A visitor with a younger presence is not announced again: the next one is still in time.
    private static let renewAfter: Duration = .seconds(5)

    private let clock: NodeClock
    /// Dates presences. They report our own clock, so others' dates must not advance it.
    private var dates = HybridClock()

    init(_ clock: NodeClock) {
        self.clock = clock
    }

    private func sign(_ presence: Presence, by identity: Identity) -> VerifiedRecord {
        identity.sign(
            Record(
                kind: .presence, author: identity.peer, created: dates.next(at: clock.now),
                lifetimeSeconds: presence.lifetimeSeconds, topic: [], body: presence.body))
    }

    // MARK: The owner

    /// The owner's presence is due, and with it those of visitors.
    func announce(_ presence: Presence, for node: isolated Node) {
        node.submit(sign(presence, by: node.configuration.identity))
        let now = Clocks.now
        announce(node.personas.visitorIDs(announcedBefore: now.advanced(by: .zero - Self.renewAfter)), for: node)
    }

    /// Nobody is here any more.
    func end(for node: isolated Node) {
        showOwnerToVisitors(isHere: false, for: node)
        sendAway(node.personas.visitorIDs, for: node)
        node.submit(sign(node.mesh.presences.own.ended, by: node.configuration.identity))
    }

    /// Visitors see the owner like any other peer.
    private func showOwnerToVisitors(isHere: Bool, for node: isolated Node) {
        let owner = node.personas.owner
        let rooms = isHere ? owner.publicRooms : []
        node.personas.deliverToVisitors(
            .presence(
                PresenceChange(
                    id: owner.id, name: owner.name, isHere: isHere, rooms: rooms, hops: 0,
                    away: isHere ? owner.away : nil)))
    }

    // MARK: Visitors

    func came(_ id: PeerID, for node: isolated Node) {
        visitorsChanged(for: node)
        announce([id], for: node)
    }

    /// Ends these visits, if they are under way, and announces it.
    ///
    /// - Parameter isHereOtherwise: whether they are still here, with a node of their own: then nothing is announced.
    func sendAway(_ ids: [PeerID], isHereOtherwise: Bool = false, for node: isolated Node) {
        let ids = ids.filter { node.personas.visitor($0) != nil }
        guard !ids.isEmpty else { return }
        if isHereOtherwise {
            end(ids, for: node)
            return
        }
        node.handle(
            ids.compactMap { node.personas.visitor($0) }.map { persona in
                .submitted(sign(Presence(isHere: false, name: persona.name, rooms: []), by: persona.identity))
            })
        end(ids, for: node)
    }

    private func end(_ ids: [PeerID], for node: isolated Node) {
        for id in ids {
            node.personas.went(id)
            node.publisher.forget(id)
        }
        visitorsChanged(for: node)
    }

    private func visitorsChanged(for node: isolated Node) {
        node.handle(.visitorsChanged(Set(node.personas.visitorIDs)))
    }

    /// Announces the current state of these visitors.
    private func announce(_ ids: [PeerID], for node: isolated Node) {
        let now = Clocks.now
        for id in ids { node.personas.change(id) { $0.announcedAt = now } }
        let renewal = node.mesh.presences.own.renewalSeconds
        node.handle(
            ids.compactMap { node.personas.visitor($0) }.map { persona in
                var presence = persona.presence()
                presence.renewalSeconds = renewal
                return .submitted(sign(presence, by: persona.identity))
            })
    }

    // MARK: Changes

    /// Announces this persona's current name and public rooms.
    func presenceChanged(of id: PeerID, for node: isolated Node) {
        guard id == node.personas.owner.id else { return announce([id], for: node) }
        showOwnerToVisitors(isHere: true, for: node)
        node.handle(.presenceChanged(node.personas.owner.presence(isBrief: node.configuration.isBrief)))
    }

    func rename(_ name: PeerName, as id: PeerID, for node: isolated Node) {
        guard node.personas[id]?.name != name || id == node.personas.owner.id else { return }
        node.personas.change(id) { $0.name = name }
        if id == node.personas.owner.id {
            node.links.face.rename(name)
            node.network.rename(name)
        }
        node.personas[id]?.archive?.reader.author.choose(name)
        presenceChanged(of: id, for: node)
        if id == node.personas.owner.id { node.notifier.deliverMe(for: node) }
    }
}

package import LatticeCore
import LatticeWire
import OrderedCollections

/// What the mesh knows about one peer, for people.
package struct PeerView: Hashable, Sendable {
    /// `nil` while there is only a sighting of it.
    package var peer: PeerID?
    package var prefix: PeerPrefix?
    package var name: String
    package var state: LinkState
    /// Links from here to there: 0 for a persona of this node, 1 for a neighbour, 2 for a persona of a neighbour; `nil`
    /// if no path is known.
    package var hops: UInt8?
    package var roundTrip: Duration?
    package var address: PeerAddress?
    package var source: Sighting.Source?
    /// The first hop towards it.
    package var via: PeerID?
    package var isHere: Bool
    package var rooms: [RoomName]
    /// Why it is not connected, if known.
    package var reason: LinkEnd?
    /// The away text that the peer announced; `nil` if it is not away.
    package var away: String?
    /// What it announces about itself: a hint for people, which proves nothing.
    package var info = DiscoveryInfo()
}

extension Candidate {
    fileprivate var info: DiscoveryInfo { sightings.first { !$0.info.isEmpty }?.info ?? DiscoveryInfo() }
}

/// Combines what the machines know about peers.
struct PeerViews {
    let facts: MeshFacts
    let register: LinkRegister
    let candidates: Candidates
    let presences: PresenceTable
    let liveness: Liveness

    func all() -> [PeerView] {
        var views: [PeerView] = []
        var known: Set<PeerPrefix> = [facts.me.prefix]
        for state in [LinkState.connected, .connecting] {
            for (index, link) in register.rows.enumerated() where link.state == state {
                if known.insert(link.peer.prefix).inserted { views.append(view(of: link, at: index)) }
            }
        }
        for (peer, person) in presences.persons.elements.sorted(by: { $0.value.hops < $1.value.hops }) {
            guard person.presence.isHere, known.insert(peer.prefix).inserted else { continue }
            views.append(view(of: peer, person))
        }
        for candidate in candidates.table.all where !candidate.isOnlyAnnounced {
            if let prefix = candidate.peer, !known.insert(prefix).inserted { continue }
            views.append(view(of: candidate))
        }
        return views
    }

    private func view(of link: LinkRow, at index: Int) -> PeerView {
        let presence = presences[link.peer]?.presence
        let candidate = candidates.table.all.first { $0.peer == link.peer.prefix }
        let sighting = candidate?.sightings.first
        return PeerView(
            peer: link.peer, prefix: link.peer.prefix, name: (presence?.name ?? link.opened.name).text,
            state: link.state,
            hops: 1, roundTrip: liveness.roundTrip(index), address: link.opened.address, source: sighting?.source,
            via: nil,
            isHere: true, rooms: presence?.rooms ?? [], reason: nil, away: presence?.away,
            info: candidate?.info ?? DiscoveryInfo())
    }

    private func view(of peer: PeerID, _ person: PresenceTable.Person) -> PeerView {
        guard !facts.personas.contains(peer) else {
            return PeerView(
                peer: peer, prefix: peer.prefix, name: person.presence.name.text, state: .notConnected, hops: 0,
                isHere: true, rooms: person.presence.rooms, away: person.presence.away)
        }
        let via = person.via.flatMap { register[$0] }.flatMap { $0.isConnected ? $0.peer : nil }
        let candidate = candidates.table.all.first { $0.peer == peer.prefix }
        // Links are evicted all the time: while others are left, the loss of the first hop means little.
        let isReachable = register.connectedCount > 0 && !person.isDoubted
        return PeerView(
            peer: peer, prefix: peer.prefix, name: person.presence.name.text, state: .notConnected,
            hops: isReachable ? max(2, person.hops) : nil, roundTrip: nil,
            address: candidate?.sightings.first?.address, source: candidate?.sightings.first?.source, via: via,
            isHere: isReachable, rooms: person.presence.rooms,
            reason: candidate?.lastFailure, away: person.presence.away, info: candidate?.info ?? DiscoveryInfo())
    }

    private func view(of candidate: Candidate) -> PeerView {
        let sighting = candidate.sightings.first
        let state: LinkState = if case .dialling = candidate.phase { .connecting } else { .notConnected }
        return PeerView(
            peer: nil, prefix: candidate.peer, name: sighting?.name ?? "", state: state, hops: nil, roundTrip: nil,
            address: sighting?.address, source: sighting?.source, via: nil, isHere: false, rooms: [],
            reason: candidate.lastFailure, info: candidate.info)
    }
}

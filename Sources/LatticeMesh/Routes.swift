import LatticeCore
import OrderedCollections

/// The next hop to each peer: the link by which its newest record arrived first.
///
/// An arrival does not prove that the way back works: a neighbour that relays a peer's records may drop what is sent to
/// it. So the result of our own probe overrides the records for a minute, be it a working route or no answer.
struct Routes: Sendable {
    private struct Route: Sendable {
        /// `nil` after a probe without an answer: probes are then flooded.
        let link: LinkID?
        var learnedAt: Instant
        let heldUntil: Instant
    }

    private var routes: OrderedDictionary<PeerID, Route> = [:]
    /// Routes per link, so that one neighbour that invents peers cannot fill the table.
    private var countByLink: [LinkID?: Int] = [:]
    private var sweptAt: Instant?

    var count: Int { routes.count }

    /// A new record of this peer arrived first by this link. Called for every record, so the usual case only updates
    /// the time.
    mutating func learn(_ peer: PeerID, via link: LinkID, at now: Instant) {
        if let index = routes.index(forKey: peer) {
            let known = routes.values[index]
            guard known.heldUntil <= now else { return }
            if known.link == link {
                routes.values[index].learnedAt = now
                return
            }
        }
        put(Route(link: link, learnedAt: now, heldUntil: now), for: peer)
    }

    /// A probe of ours went to this peer and back by this link.
    mutating func prove(_ peer: PeerID, via link: LinkID, at now: Instant) {
        put(Route(link: link, learnedAt: now, heldUntil: now + MeshLimit.routeHold), for: peer)
    }

    /// Our probe got no answer on this route. If there was no route there is nothing to mark.
    mutating func doubt(_ peer: PeerID, at now: Instant) {
        guard routes[peer] != nil else { return }
        put(Route(link: nil, learnedAt: now, heldUntil: now + MeshLimit.routeHold), for: peer)
    }

    mutating func lost(_ link: LinkID) {
        guard countByLink.removeValue(forKey: link) != nil else { return }
        routes.removeAll { $0.value.link == link }
    }

    func next(to peer: PeerID, at now: Instant) -> LinkID? {
        guard let route = routes[peer], now - route.learnedAt < MeshLimit.routeLifetime else { return nil }
        return route.link
    }

    private mutating func put(_ route: Route, for peer: PeerID) {
        if let known = routes[peer] {
            discount(known.link)
        } else if routes.count >= MeshLimit.routesMax {
            sweep(at: route.learnedAt)
            guard routes.count < MeshLimit.routesMax || makeRoom(for: route.link) else { return }
        }
        routes[peer] = route
        countByLink[route.link, default: 0] += 1
    }

    /// Removes expired routes. It runs seldom because it looks at all of them.
    private mutating func sweep(at now: Instant) {
        if let last = sweptAt, now - last < MeshLimit.routesSweepInterval { return }
        sweptAt = now
        routes.removeAll { now - $0.value.learnedAt >= MeshLimit.routeLifetime }
        countByLink = routes.values.reduce(into: [:]) { $0[$1.link, default: 0] += 1 }
    }

    /// Evicts the newest route of the link that has most routes.
    ///
    /// - Returns: `false` if that is the asking link. A neighbour that invents peers thus only loses its own routes,
    ///   and costs one search for each entry that it must give back.
    private mutating func makeRoom(for link: LinkID?) -> Bool {
        let own = countByLink[link, default: 0]
        guard let most = countByLink.values.max(), most > own + 1 else { return false }
        guard let index = routes.values.lastIndex(where: { countByLink[$0.link] == most }) else { return false }
        discount(routes.remove(at: index).value.link)
        return true
    }

    private mutating func discount(_ link: LinkID?) {
        let count = countByLink[link, default: 1] - 1
        countByLink[link] = count > 0 ? count : nil
    }
}

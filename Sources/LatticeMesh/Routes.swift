import LatticeCore
import OrderedCollections

/// The next hop towards each peer: the link by which the newest thing it said came first.
///
/// What comes first proves no way back, and whoever hands on what a peer says may drop what is meant for it. So what a
/// probe of ours found out stands for a minute, whatever records say: a way that answered, or that there was no answer.
struct Routes: Sendable {
    private struct Route: Sendable {
        /// `nil` where a probe got no answer: everybody is to be asked instead.
        let link: LinkID?
        var learnedAt: Instant
        let heldUntil: Instant
    }

    private var routes: OrderedDictionary<PeerID, Route> = [:]
    /// How many go by which link: one neighbour that makes peers up cannot take every place.
    private var countByLink: [LinkID?: Int] = [:]
    private var sweptAt: Instant?

    var count: Int { routes.count }

    /// Something new by this peer came by this link first. Called for every record, so the usual case only sets a date.
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

    /// A probe of ours went this way and nothing came back. Where no route was known there is nothing to doubt.
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

    /// Lets go of what has aged, seldom, since it looks at everything.
    private mutating func sweep(at now: Instant) {
        if let last = sweptAt, now - last < MeshLimit.routesSweepInterval { return }
        sweptAt = now
        routes.removeAll { now - $0.value.learnedAt >= MeshLimit.routeLifetime }
        countByLink = routes.values.reduce(into: [:]) { $0[$1.link, default: 0] += 1 }
    }

    /// Takes the newest place of the link that has most.
    ///
    /// - Returns: `false` if that is the very link that asks. So a neighbour that makes peers up costs its own routes only,
    ///   and a search once for each place it has to give back.
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

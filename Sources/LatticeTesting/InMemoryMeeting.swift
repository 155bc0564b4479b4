import LatticeCore
import LatticeDiscovery

/// Who announces what, who looks, and what those know: discovery without mDNS.
struct InMemoryMeeting: Sendable {
    private struct Visitor: Sendable {
        var advertisement: Advertisement
        var roles: DiscoveryRoles
        let events: AsyncStream<DiscoveryEvent>.Continuation
        /// By host.
        var known: [Int: Sighting] = [:]
        /// It announces and looks from now on.
        var isHere = false
        var isReported = false
    }

    private var visitors: [Int: Visitor] = [:]

    /// Comes, and waits for `begin`.
    mutating func come(
        _ host: Int, _ advertisement: Advertisement, _ roles: DiscoveryRoles,
        events: AsyncStream<DiscoveryEvent>.Continuation
    ) {
        visitors[host] = Visitor(advertisement: advertisement, roles: roles, events: events)
    }

    mutating func begin(_ host: Int) {
        visitors[host]?.isHere = true
    }

    mutating func leave(_ host: Int) {
        visitors[host] = nil
    }

    mutating func change(_ host: Int, _ body: (inout Advertisement) -> Void) {
        guard var advertisement = visitors[host]?.advertisement else { return }
        body(&advertisement)
        visitors[host]?.advertisement = advertisement
    }

    mutating func play(_ host: Int, _ roles: DiscoveryRoles) {
        visitors[host]?.roles = roles
    }

    /// Reports to each visitor what has changed for it, in the order of hosts.
    ///
    /// - Parameter isOpen: whether two hosts reach each other.
    mutating func settle(_ isOpen: (Int, Int) -> Bool) {
        let hosts = visitors.keys.sorted()
        let sightings = hosts.compactMap { host in visitors[host].flatMap(Self.sighting(host)).map { (host, $0) } }
        for host in hosts {
            guard var visitor = visitors[host], visitor.isHere else { continue }
            if !visitor.isReported, !visitor.roles.isEmpty {
                visitor.isReported = true
                visitor.events.yield(.running(.embedded))
            }
            var seen: [Int: Sighting] = [:]
            if visitor.roles.contains(.browsing) {
                for (other, sighting) in sightings where other != host && isOpen(host, other) { seen[other] = sighting }
            }
            for other in Set(visitor.known.keys).union(seen.keys).sorted() {
                Self.report(from: visitor.known[other], to: seen[other], visitor.events)
            }
            visitor.known = seen
            visitors[host] = visitor
        }
    }

    private static func sighting(_ host: Int) -> (Visitor) -> Sighting? {
        { visitor in
            guard visitor.isHere, visitor.roles.contains(.announcing) else { return nil }
            let announced = visitor.advertisement
            return Sighting(
                source: .embedded, peer: announced.peer, name: announced.name.text, meshTag: announced.meshTag,
                address: PeerAddress(host: InMemoryState.host(host), port: announced.port), info: announced.info)
        }
    }

    private static func report(
        from before: Sighting?, to now: Sighting?, _ events: AsyncStream<DiscoveryEvent>.Continuation
    ) {
        guard before != now else { return }
        // In this order, so that a peer that says something else is never out of sight.
        if let now { events.yield(.found(now)) }
        if let before { events.yield(.lost(before)) }
    }
}

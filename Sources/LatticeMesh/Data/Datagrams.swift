package import LatticeCore
package import LatticeWire
import OrderedCollections

/// A datagram that begins here.
package enum DatagramEvent: Hashable, Sendable {
    /// As the program gave it: for a neighbour.
    case submitted(PeerID, [UInt8], ageMilliseconds: UInt32)
    /// Sealed for a peer over several links.
    case sealed(PeerID, sequence: UInt64, [UInt8], ageMilliseconds: UInt32)
}

package enum DatagramEffect: Hashable, Sendable {
    /// Queue this for a link.
    ///
    /// - Parameter giver: the neighbour that sent it; `nil` if it begins here.
    case carry(DatagramFrame, givenBy: PeerID?, to: LinkID)
    /// It is for this peer. With a route it is sealed, `from` is only its word, and it may have come before.
    case received(DatagramFrame, from: PeerID)
    case dropped(DatagramDrop)
}

/// Why a datagram goes no further.
package enum DatagramDrop: Hashable, Sendable {
    /// It has waited for too long.
    case old
    /// No link leads to its target.
    case withoutWay
    /// Its origin, or the neighbour that sent it, is over its rate.
    case overRate
    /// It has come before, or no key opens it.
    case invalid
}

/// How a datagram for a peer has to go.
package enum DatagramWay: Hashable, Sendable {
    case link
    /// Over other peers, sealed.
    case routed
}

/// Datagrams between programs: where they go, how many a relay takes, and which have come over a link before. It keeps none.
struct Datagrams: Sendable {
    private struct Row: Sendable {
        /// The number of the next one to this neighbour.
        var next: UInt64 = 0
        var window = DatagramWindow()
        var rate = TokenBucket()
        var origins: OrderedDictionary<PeerID, TokenBucket> = [:]
    }

    /// For links with datagrams.
    private var rows: [LinkID: Row] = [:]
    private(set) var refused = RefusalCounts()

    /// Links that are remembered.
    var linkCount: Int { rows.count }

    mutating func linkClosed(_ link: LinkID) {
        rows[link] = nil
    }

    // MARK: - Sending

    /// - Returns: `nil` if there is no way to it or it is blocked.
    func way(
        to peer: PeerID, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts, at now: Instant
    ) -> DatagramWay? {
        guard peer != facts.me, !facts.blocked.contains(peer) else { return nil }
        return routing.way(to: peer, in: register, at: now).map { $0.isRouted ? .routed : .link }
    }

    mutating func handle(
        _ event: DatagramEvent, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        switch event {
        case .submitted(let peer, let octets, let age):
            guard !facts.blocked.contains(peer), let link = register.connectedLinkID(to: peer) else {
                return effects.append(.datagram(.dropped(.withoutWay)))
            }
            let sequence = rows[link, default: Row()].next
            rows[link, default: Row()].next += 1
            let frame = DatagramFrame(route: nil, sequence: sequence, ageMilliseconds: age, octets: octets)
            effects.append(.datagram(.carry(frame, givenBy: nil, to: link)))
        case .sealed(let peer, let sequence, let octets, let age):
            // A neighbour by now opens it as well.
            guard peer != facts.me, !facts.blocked.contains(peer),
                let way = routing.way(to: peer, in: register, at: now)
            else { return effects.append(.datagram(.dropped(.withoutWay))) }
            let route = DataRoute(timeToLive: facts.options.timeToLive, from: facts.me, to: peer)
            let frame = DatagramFrame(route: route, sequence: sequence, ageMilliseconds: age, octets: octets)
            effects.append(.datagram(.carry(frame, givenBy: nil, to: way.link)))
        }
    }

    // MARK: - From neighbours

    mutating func heard(
        _ frame: DatagramFrame, by index: Int, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts,
        at now: Instant, into effects: inout [MeshEffect]
    ) {
        let (link, giver) = (register.rows[index].id, register.rows[index].opened.peer)
        let origin = frame.route?.from ?? giver
        guard origin != facts.me, !facts.blocked.contains(origin) else { return refused.add(.blocked) }
        guard frame.ageMilliseconds <= DatagramFrame.ageMax else {
            return effects.append(.datagram(.dropped(.old)))
        }
        guard let route = frame.route else {
            guard rows[link, default: Row()].window.take(frame.sequence) else {
                return effects.append(.datagram(.dropped(.invalid)))
            }
            return effects.append(.datagram(.received(frame, from: giver)))
        }
        // Who sealed what is for this peer is not known yet, so that it costs no origin anything.
        guard takes(frame, from: route.to == facts.me ? nil : origin, on: link, at: now) else {
            return effects.append(.datagram(.dropped(.overRate)))
        }
        guard route.to != facts.me else { return effects.append(.datagram(.received(frame, from: origin))) }
        guard !facts.blocked.contains(route.to) else { return refused.add(.blocked) }
        guard let onward = route.onward, let way = routing.way(to: route.to, in: register, at: now), way.link != link
        else { return effects.append(.datagram(.dropped(.withoutWay))) }
        let relayed = DatagramFrame(
            route: onward, sequence: frame.sequence, ageMilliseconds: frame.ageMilliseconds, octets: frame.octets)
        effects.append(.datagram(.carry(relayed, givenBy: giver, to: way.link)))
    }

    /// Whether this neighbour, and the origin as it names it, are within their rates. The name of a peer takes nothing from what comes
    /// over other links; what several peers send over one relay in one name shares the rate of that name.
    private mutating func takes(
        _ frame: DatagramFrame, from origin: PeerID?, on link: LinkID, at now: Instant
    ) -> Bool {
        let cost = DatagramLimit.cost(ofSealed: frame.octets)
        var row = rows.removeValue(forKey: link) ?? Row()
        defer { rows[link] = row }
        guard let origin else { return row.rate.take(cost, of: DatagramLimit.linkRate, at: now) }
        if row.origins[origin] == nil {
            if row.origins.count >= DatagramLimit.originsMax { row.origins.removeAll { $0.value.isFull(at: now) } }
            guard row.origins.count < DatagramLimit.originsMax else { return false }
            row.origins[origin] = TokenBucket()
        }
        guard let index = row.origins.index(forKey: origin),
            row.origins.values[index].holds(cost, of: DatagramLimit.originRate, at: now),
            row.rate.take(cost, of: DatagramLimit.linkRate, at: now)
        else { return false }
        row.origins.values[index].charge(cost, of: DatagramLimit.originRate, at: now)
        return true
    }
}

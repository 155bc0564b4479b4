import LatticeCore
import LatticeWire

// Routes for data between programs. The sender repeats what is lost, so relays keep nothing.
extension DataFlows {
    mutating func handle(
        _ event: DataEvent, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts, at now: Instant,
        using generator: inout SeededGenerator, into effects: inout [MeshEffect]
    ) {
        var outputs: [Output] = []
        switch event {
        case .wayless(let peer): end(peer, .noRoute, into: &outputs)
        case .submitted(let peer, let messages):
            if let way = ownWay(to: peer, in: register, routing, facts, at: now) {
                submit(
                    messages, to: peer, isRouted: way.isRouted, at: now, using: &generator, into: &outputs)
            } else {
                end(peer, .noRoute, into: &outputs)
            }
        case .read(let origin, let count): wasRead(count, from: origin, into: &outputs)
        case .readingChanged(let isReading): readingChanged(isReading)
        }
        carryOut(outputs, in: register, routing, facts, at: now, into: &effects)
    }

    mutating func heard(
        _ frame: DataFrame, by index: Int, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts,
        at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        let link = register.rows[index].id
        guard let route = frame.route, route.to != facts.me else {
            let peer = register.rows[index].opened.peer
            let origin = DataOrigin(peer: frame.route?.from ?? peer, isRouted: frame.route != nil)
            guard origin.peer != facts.me, !facts.blocked.contains(origin.peer) else { return refused.add(.blocked) }
            var outputs: [Output] = []
            heard(frame, from: origin, at: now, into: &outputs)
            return carryOut(outputs, via: link, in: register, routing, facts, at: now, into: &effects)
        }
        guard let (onward, next) = relay(route, from: link, in: register, routing, facts, at: now) else { return }
        let relayed = DataFrame(route: onward, flow: frame.flow, offset: frame.offset, messages: frame.messages)
        effects.append(.data(.carry(.data(relayed), to: next)))
    }

    mutating func heard(
        _ answer: DataAnswer, by index: Int, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts,
        at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        guard let route = answer.route, route.to != facts.me else {
            var outputs: [Output] = []
            let peer = register.rows[index].opened.peer
            answered(answer, by: answer.route?.from ?? peer, at: now, into: &outputs)
            return carryOut(outputs, in: register, routing, facts, at: now, into: &effects)
        }
        guard
            let (onward, next) = relay(
                route, from: register.rows[index].id, in: register, routing, facts, at: now)
        else { return }
        effects.append(.data(.carry(.dataAnswer(answer.sent(by: onward)), to: next)))
    }

    mutating func release(
        in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts, at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        var outputs: [Output] = []
        due(at: now, into: &outputs)
        carryOut(outputs, in: register, routing, facts, at: now, into: &effects)
    }

    // MARK: - Routes

    /// Bytes of messages that may be submitted for this peer now; `nil` if there is no route to it or it is blocked.
    func room(
        to peer: PeerID, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts, at now: Instant
    ) -> Int? {
        ownWay(to: peer, in: register, routing, facts, at: now) == nil ? nil : room(to: peer)
    }

    /// The route for data that begins here.
    private func ownWay(
        to peer: PeerID, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts, at now: Instant
    ) -> (link: LinkID, isRouted: Bool)? {
        peer == facts.me || facts.blocked.contains(peer) ? nil : routing.way(to: peer, in: register, at: now)
    }

    private mutating func relay(
        _ route: DataRoute, from link: LinkID, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts,
        at now: Instant
    ) -> (DataRoute, LinkID)? {
        guard route.from != facts.me, !facts.blocked.contains(route.from), !facts.blocked.contains(route.to) else {
            refused.add(.blocked)
            return nil
        }
        guard let onward = route.onward, let way = routing.way(to: route.to, in: register, at: now), way.link != link
        else {
            refused.add(.data)
            return nil
        }
        return (onward, way.link)
    }

    /// - Parameter via: the link that brought the data that is answered; used if no route back is known.
    private mutating func carryOut(
        _ outputs: [Output], via: LinkID? = nil, in register: LinkRegister, _ routing: Routing, _ facts: MeshFacts,
        at now: Instant,
        into effects: inout [MeshEffect]
    ) {
        for output in outputs {
            switch output {
            case .effect(let effect): effects.append(.data(effect))
            case .frame(let flow, let offset, let messages, let peer, let isRouted):
                // Without a route now, unconfirmed data is sent again later.
                guard let way = routing.way(to: peer, in: register, at: now) else { continue }
                guard way.isRouted == isRouted else {
                    var ended: [Output] = []
                    end(peer, .interrupted, into: &ended)
                    carryOut(ended, in: register, routing, facts, at: now, into: &effects)
                    continue
                }
                let frame = DataFrame(
                    route: isRouted ? Self.route(to: peer, facts) : nil, flow: flow, offset: offset, messages: messages)
                effects.append(.data(.carry(.data(frame), to: way.link)))
            case .answer(let answer, let origin):
                if !origin.isRouted {
                    guard let link = register.connectedLinkID(to: origin.peer) else { continue }
                    effects.append(.data(.carry(.dataAnswer(answer), to: link)))
                } else if let link = routing.next(to: origin.peer, at: now) ?? via, register.isConnected(link) {
                    effects.append(
                        .data(.carry(.dataAnswer(answer.sent(by: Self.route(to: origin.peer, facts))), to: link)))
                }
            }
        }
    }

    private static func route(to peer: PeerID, _ facts: MeshFacts) -> DataRoute {
        DataRoute(timeToLive: facts.options.timeToLive, from: facts.me, to: peer)
    }
}

extension DataAnswer {
    fileprivate func sent(by route: DataRoute) -> DataAnswer {
        DataAnswer(route: route, flow: flow, received: received, limit: limit, state: state)
    }
}

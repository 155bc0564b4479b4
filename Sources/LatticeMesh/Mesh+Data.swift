package import LatticeCore
import LatticeWire

// Data between programs: which way it goes. What is lost on the way is sent again by whoever sent it, so a relay keeps nothing.
extension Mesh {
    mutating func dataHappened(_ event: DataEvent, at now: Instant, into effects: inout [MeshEffect]) {
        var outputs: [DataFlows.Output] = []
        switch event {
        case .wayless(let peer): flows.end(peer, .noRoute, into: &outputs)
        case .submitted(let peer, let messages):
            if let way = ownWay(to: peer, at: now) {
                flows.submit(
                    messages, to: peer, isRouted: way.isRouted, at: now, using: &generator, into: &outputs)
            } else {
                flows.end(peer, .noRoute, into: &outputs)
            }
        case .read(let origin, let count): flows.wasRead(count, from: origin, into: &outputs)
        case .readingChanged(let isReading): flows.readingChanged(isReading)
        }
        carryOut(outputs, at: now, into: &effects)
    }

    mutating func dataReceived(_ frame: DataFrame, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let link = register.rows[index].id
        guard let route = frame.route, route.to != me else {
            let peer = register.rows[index].opened.peer
            let origin = DataOrigin(peer: frame.route?.from ?? peer, isRouted: frame.route != nil)
            guard origin.peer != me, !facts.blocked.contains(origin.peer) else { return refusals.add(.blocked) }
            var outputs: [DataFlows.Output] = []
            flows.heard(frame, from: origin, at: now, into: &outputs)
            return carryOut(outputs, via: link, at: now, into: &effects)
        }
        guard let (onward, next) = relay(route, from: link, at: now) else { return }
        let relayed = DataFrame(route: onward, flow: frame.flow, offset: frame.offset, messages: frame.messages)
        effects.append(.data(.carry(.data(relayed), to: next)))
    }

    mutating func dataAnswered(
        _ answer: DataAnswer, by index: Int, at now: Instant, into effects: inout [MeshEffect]
    ) {
        guard let route = answer.route, route.to != me else {
            var outputs: [DataFlows.Output] = []
            let peer = register.rows[index].opened.peer
            flows.answered(answer, by: answer.route?.from ?? peer, at: now, into: &outputs)
            return carryOut(outputs, at: now, into: &effects)
        }
        guard let (onward, next) = relay(route, from: register.rows[index].id, at: now) else { return }
        effects.append(.data(.carry(.dataAnswer(answer.sent(by: onward)), to: next)))
    }

    mutating func releaseData(at now: Instant, into effects: inout [MeshEffect]) {
        var outputs: [DataFlows.Output] = []
        flows.due(at: now, into: &outputs)
        carryOut(outputs, at: now, into: &effects)
    }

    // MARK: - Ways

    /// - Returns: how many bytes of messages may be submitted for this peer, until something else happens; `nil` where no way there is
    ///   known, or none is wanted.
    package func dataRoom(to peer: PeerID, at now: Instant) -> Int? {
        ownWay(to: peer, at: now) == nil ? nil : flows.room(to: peer)
    }

    /// For what begins here.
    private func ownWay(to peer: PeerID, at now: Instant) -> (link: LinkID, isRouted: Bool)? {
        peer == me || facts.blocked.contains(peer) ? nil : routing.way(to: peer, in: register, at: now)
    }

    private mutating func relay(_ route: DataRoute, from link: LinkID, at now: Instant) -> (DataRoute, LinkID)? {
        guard route.from != me, !facts.blocked.contains(route.from), !facts.blocked.contains(route.to) else {
            refusals.add(.blocked)
            return nil
        }
        guard let onward = route.onward, let way = routing.way(to: route.to, in: register, at: now), way.link != link else {
            refusals.add(.data)
            return nil
        }
        return (onward, way.link)
    }

    /// - Parameter via: the link that what is answered came by: better than nothing where no way back is known.
    private mutating func carryOut(
        _ outputs: [DataFlows.Output], via: LinkID? = nil, at now: Instant, into effects: inout [MeshEffect]
    ) {
        for output in outputs {
            switch output {
            case .effect(let effect): effects.append(.data(effect))
            case .frame(let flow, let offset, let messages, let peer, let isRouted):
                // Where there is no way just now, what is unconfirmed is sent again later.
                guard let way = routing.way(to: peer, in: register, at: now) else { continue }
                guard way.isRouted == isRouted else {
                    var ended: [DataFlows.Output] = []
                    flows.end(peer, .interrupted, into: &ended)
                    carryOut(ended, at: now, into: &effects)
                    continue
                }
                let frame = DataFrame(
                    route: isRouted ? route(to: peer) : nil, flow: flow, offset: offset, messages: messages)
                effects.append(.data(.carry(.data(frame), to: way.link)))
            case .answer(let answer, let origin):
                if !origin.isRouted {
                    guard let link = register.connectedLinkID(to: origin.peer) else { continue }
                    effects.append(.data(.carry(.dataAnswer(answer), to: link)))
                } else if let link = routing.next(to: origin.peer, at: now) ?? via, register.isConnected(link) {
                    effects.append(.data(.carry(.dataAnswer(answer.sent(by: route(to: origin.peer))), to: link)))
                }
            }
        }
    }

    private func route(to peer: PeerID) -> DataRoute {
        DataRoute(timeToLive: options.timeToLive, from: me, to: peer)
    }
}

extension DataAnswer {
    fileprivate func sent(by route: DataRoute) -> DataAnswer {
        DataAnswer(route: route, flow: flow, received: received, limit: limit, state: state)
    }
}

package import LatticeCore
package import LatticeWire
import OrderedCollections

/// Events of data between programs.
package enum DataEvent: Hashable, Sendable {
    /// A program has data for this peer, and there is no route: flows to it have ended.
    case wayless(PeerID)
    /// Messages for a peer; all since the last call of `Mesh.dataRoom` together are at most that long.
    case submitted(PeerID, DataMessages)
    /// A program read this many bytes from this peer.
    case read(DataOrigin, bytes: Int)
    /// Whether a program here accepts data.
    case readingChanged(Bool)
}

/// The sender of data, and whether that is proven.
package struct DataOrigin: Hashable, Sendable {
    package let peer: PeerID
    /// It came through other peers, and only they say that it comes from this one.
    package let isRouted: Bool

    package init(peer: PeerID, isRouted: Bool) {
        self.peer = peer
        self.isRouted = isRouted
    }
}

/// Effects for data between programs.
package enum DataEffect: Hashable, Sendable {
    /// Send this unless the link's queue is long: it can be sent again.
    case carry(Frame, to: LinkID)
    case received(DataOrigin, DataMessages)
    /// There may be more space for this peer's data, or everything submitted is confirmed.
    case moved(PeerID, isConfirmed: Bool)
    case ended(PeerID, DataEnd)
}

/// All flows of data between programs that begin or end here, by peer: reliable, ordered, bounded at both ends. It
/// knows no links.
struct DataFlows: Sendable {
    /// Requests to the mesh.
    enum Output {
        /// - Parameter isRouted: whether the flow goes through other peers.
        case frame(flow: UInt64, offset: UInt64, DataMessages, to: PeerID, isRouted: Bool)
        case answer(DataAnswer, to: DataOrigin)
        case effect(DataEffect)
    }

    private var outgoing: OrderedDictionary<PeerID, OutgoingData> = [:]
    private var incoming: OrderedDictionary<DataOrigin, IncomingData> = [:]
    private var isReading = false
    private(set) var nextDeadline: Instant?
    /// Data to or from blocked peers, and data without a route.
    var refused = RefusalCounts()

    var counts: (outgoing: Int, incoming: Int) { (outgoing.count, incoming.count) }

    // MARK: - Sending

    /// How many bytes may be submitted for this peer now.
    func room(to peer: PeerID) -> Int {
        outgoing.index(forKey: peer).map { outgoing.values[$0].room } ?? Int(DataLimit.windowFirst)
    }

    mutating func submit(
        _ messages: DataMessages, to peer: PeerID, isRouted: Bool, at now: Instant,
        using generator: inout SeededGenerator, into outputs: inout [Output]
    ) {
        if outgoing[peer] == nil {
            guard makeRoomToSend() else { return outputs.append(.effect(.ended(peer, .full))) }
            outgoing[peer] = OutgoingData(flow: generator.next(), isRouted: isRouted, at: now)
        }
        guard let index = outgoing.index(forKey: peer) else { return }
        guard outgoing.values[index].isRouted == isRouted else { return end(peer, .interrupted, into: &outputs) }
        let offset = outgoing.values[index].add(messages, at: now)
        note(outgoing.values[index].nextDeadline)
        outputs.append(
            .frame(flow: outgoing.values[index].flow, offset: offset, messages, to: peer, isRouted: isRouted))
    }

    mutating func answered(
        _ answer: DataAnswer, by peer: PeerID, at now: Instant, into outputs: inout [Output]
    ) {
        guard let index = outgoing.index(forKey: peer), outgoing.values[index].flow == answer.flow,
            outgoing.values[index].isRouted == (answer.route != nil)
        else { return }
        switch answer.state {
        case .open, .missing, .unknown:
            carryOut(outgoing.values[index].answered(answer, at: now), peer, into: &outputs)
        case .unwanted: end(peer, .unwanted, into: &outputs)
        case .full: end(peer, .full, into: &outputs)
        }
    }

    /// There is no route to this peer any more.
    mutating func end(_ peer: PeerID, _ reason: DataEnd, into outputs: inout [Output]) {
        outgoing[peer] = nil
        outputs.append(.effect(.ended(peer, reason)))
    }

    private mutating func carryOut(_ doing: OutgoingData.Doing, _ peer: PeerID, into outputs: inout [Output]) {
        if let reason = doing.end { return end(peer, reason, into: &outputs) }
        guard let index = outgoing.index(forKey: peer) else { return }
        let (flow, isRouted) = (outgoing.values[index].flow, outgoing.values[index].isRouted)
        for part in doing.again {
            outputs.append(.frame(flow: flow, offset: part.offset, part.messages, to: peer, isRouted: isRouted))
        }
        if doing.asks {
            let end = outgoing.values[index].sent
            outputs.append(.frame(flow: flow, offset: end, DataMessages(), to: peer, isRouted: isRouted))
        }
        note(outgoing.values[index].nextDeadline)
        if doing.hasMoved {
            outputs.append(.effect(.moved(peer, isConfirmed: outgoing.values[index].isConfirmed)))
        }
    }

    /// Drops a flow whose data is all confirmed; its next message begins a new flow.
    private mutating func makeRoomToSend() -> Bool {
        guard outgoing.count >= DataLimit.outgoingMax else { return true }
        guard let index = outgoing.values.firstIndex(where: { $0.isConfirmed }) else { return false }
        outgoing.remove(at: index)
        return true
    }

    // MARK: - Receiving

    mutating func readingChanged(_ isReading: Bool) {
        self.isReading = isReading
        // Unread data of an earlier program is not reported any more.
        incoming = [:]
    }

    mutating func heard(
        _ frame: DataFrame, from origin: DataOrigin, at now: Instant, into outputs: inout [Output]
    ) {
        if let refusal = refusal(of: frame, from: origin, at: now) {
            let limit = refusal == .unknown ? DataLimit.windowFirst : 0
            let answer = DataAnswer(route: nil, flow: frame.flow, received: 0, limit: limit, state: refusal)
            return outputs.append(.answer(answer, to: origin))
        }
        guard let index = incoming.index(forKey: origin) else { return }
        let (isTaken, state) = incoming.values[index].heard(frame, at: now)
        if isTaken { outputs.append(.effect(.received(origin, frame.messages))) }
        if let state { answer(state, index, into: &outputs) }
        note(incoming.values[index].nextDeadline)
    }

    mutating func wasRead(_ count: Int, from origin: DataOrigin, into outputs: inout [Output]) {
        guard let index = incoming.index(forKey: origin), incoming.values[index].wasRead(count) else { return }
        answer(.open, index, into: &outputs)
    }

    /// Adds a flow that begins.
    ///
    /// - Returns: why it is refused; `nil` if it is not.
    private mutating func refusal(
        of frame: DataFrame, from origin: DataOrigin, at now: Instant
    ) -> DataAnswer.State? {
        guard isReading else { return .unwanted }
        if let index = incoming.index(forKey: origin) {
            if incoming.values[index].flow == frame.flow { return nil }
            guard frame.offset == 0 else { return .unknown }
            incoming.values[index].beginAnew(flow: frame.flow, at: now)
            return nil
        }
        guard frame.offset == 0 else { return .unknown }
        if incoming.count >= DataLimit.incomingMax {
            let idle = incoming.values.firstIndex { $0.unread == 0 && now - $0.heardAt >= DataLimit.incomingIdle }
            guard let idle else { return .full }
            incoming.remove(at: idle)
        }
        incoming[origin] = IncomingData(flow: frame.flow, at: now)
        return nil
    }

    private mutating func answer(_ state: DataAnswer.State, _ index: Int, into outputs: inout [Output]) {
        outputs.append(.answer(incoming.values[index].answer(state), to: incoming.keys[index]))
    }

    // MARK: - Time

    mutating func due(at now: Instant, into outputs: inout [Output]) {
        guard let deadline = nextDeadline, deadline <= now else { return }
        nextDeadline = nil
        for peer in outgoing.keys {
            guard let index = outgoing.index(forKey: peer) else { continue }
            carryOut(outgoing.values[index].due(at: now), peer, into: &outputs)
        }
        for index in incoming.values.indices {
            if let time = incoming.values[index].nextDeadline, time <= now { answer(.open, index, into: &outputs) }
            note(incoming.values[index].nextDeadline)
        }
    }

    private mutating func note(_ deadline: Instant?) {
        guard let deadline else { return }
        nextDeadline = min(nextDeadline ?? deadline, deadline)
    }
}

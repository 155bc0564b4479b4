import LatticeCore
import LatticeWire

// Pings: whether a neighbour is still there, and what it has confirmed.
extension Mesh {
    mutating func ponged(_ nonce: UInt64, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let neighbour = neighbours.links[index]
        guard let ping = neighbour.ping, ping.nonce == nonce else { return }
        neighbours[at: index].ping = nil
        neighbours[at: index].doubt = nil
        neighbours[at: index].roundTrip = now - ping.sentAt
        if let steps = neighbour.eagerSteps, steps.lowerBound <= ping.sentStep {
            let confirmed = outbox.confirm(sentIn: steps.lowerBound...min(steps.upperBound, ping.sentStep))
            if !confirmed.isEmpty { effects.append(.confirmed(confirmed)) }
        }
    }

    /// Pings every neighbour that may have been sent what is unconfirmed. If there is none of these any more, it goes out again.
    mutating func askToConfirm(at now: Instant, into effects: inout [MeshEffect]) {
        guard let oldest = outbox.entries.first?.sentStep else { return }
        var mayConfirm = false
        for index in neighbours.links.indices {
            let link = neighbours.links[index]
            guard link.isConnected, let steps = link.eagerSteps, steps.contains(oldest) else { continue }
            mayConfirm = true
            if link.ping == nil { ping(link.id, at: now, into: &effects) }
        }
        guard !mayConfirm, let index = neighbours.links.firstIndex(where: \.isConnected) else { return }
        neighbours[at: index].beEager(from: step)
        let link = neighbours.links[index].id
        sendUnconfirmed(to: link, into: &effects)
        ping(link, at: now, into: &effects)
    }

    /// Sends one neighbour all that none has confirmed. From then on it alone can confirm it: the others may have been told of
    /// it only, or not at all.
    mutating func sendUnconfirmed(to id: LinkID, into effects: inout [MeshEffect]) {
        let records = outbox.sendAll(step: step)
        guard !records.isEmpty else { return }
        for index in neighbours.links.indices where neighbours.links[index].id != id {
            neighbours[at: index].wasPassedOver(in: step)
        }
        for record in records {
            effects.append(.forward(record, timeToLive: options.timeToLive, hops: 1, to: [id]))
        }
    }

    mutating func ping(_ id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        let nonce = generator.next()
        let step = step
        neighbours.update(id) { neighbour in
            neighbour.ping = Neighbour.PendingPing(nonce: nonce, sentAt: now, sentStep: step)
            neighbour.pingedAt = now
        }
        effects.append(.send(.ping(nonce: nonce), to: id))
    }

    func linkDeadline() -> Instant? {
        var earliest: Instant?
        for index in neighbours.links.indices {
            guard let deadline = deadline(of: index) else { continue }
            earliest = min(earliest ?? deadline, deadline)
        }
        return earliest
    }

    private static let pongTimeout = MeshLimit.pongTimeout.nanoseconds
    private static let pongTimeoutMax = MeshLimit.pongTimeoutMax.nanoseconds
    private static let pingAfterSilence = MeshLimit.pingAfterSilence.nanoseconds

    /// When this link is to be looked at next.
    private func deadline(of index: Int) -> Instant? {
        switch neighbours.links[index].phase {
        case .inviting(let until), .awaitingInvitation(let until), .asking(let until): return until
        case .closing: return nil
        case .connected:
            let heardAt = neighbours.links[index].heardAt
            if let ping = neighbours.links[index].ping {
                // An answer may stand behind much else that is still coming, but not for ever.
                let grace =
                    if neighbours.links[index].isOnNotice, let until = neighbours.links[index].doubt?.until {
                        until
                    } else {
                        max(ping.sentAt, heardAt).advanced(byNanoseconds: Self.pongTimeout)
                    }
                return min(grace, ping.sentAt.advanced(byNanoseconds: Self.pongTimeoutMax))
            }
            return heardAt.advanced(byNanoseconds: Self.pingAfterSilence)
        }
    }

    mutating func releaseLinks(at now: Instant, into effects: inout [MeshEffect]) {
        guard let earliest = linkDeadline(), earliest <= now else { return }
        let due = neighbours.links.indices.filter { index in deadline(of: index).map { $0 <= now } ?? false }
        for neighbour in due.map({ neighbours.links[$0] }) {
            switch neighbour.phase {
            case .inviting, .awaitingInvitation:
                neighbours.close(
                    neighbour.id, Goodbye(.timeout, "no invitation was answered in time"), into: &effects)
                linkEnded(neighbour, .silent, at: now, into: &effects)
            case .asking: refuse(neighbour, .unanswered, at: now, into: &effects)
            case .closing: break
            case .connected where neighbour.ping == nil: ping(neighbour.id, at: now, into: &effects)
            case .connected:
                neighbours.close(neighbour.id, Goodbye(.timeout, "it did not answer a ping"), into: &effects)
                linkEnded(neighbour, .silent, at: now, into: &effects)
            }
        }
    }

    /// Own records that no neighbour has confirmed are asked after.
    mutating func releaseConfirmations(at now: Instant, into effects: inout [MeshEffect]) {
        guard outbox.newestSentStep != nil else {
            confirmAt = nil
            return
        }
        guard let time = confirmAt else {
            confirmAt = now + MeshLimit.confirmInterval
            return
        }
        guard time <= now else { return }
        confirmAt = now + MeshLimit.confirmInterval
        askToConfirm(at: now, into: &effects)
    }
}

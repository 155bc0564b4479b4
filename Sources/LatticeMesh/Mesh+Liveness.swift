import LatticeCore
import LatticeWire

// Pings: whether a neighbour is still there, and what it has confirmed.
extension Mesh {
    mutating func ponged(_ nonce: UInt64, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let neighbour = register.rows[index]
        guard let ping = neighbour.ping, ping.nonce == nonce else { return }
        register[at: index].ping = nil
        register[at: index].doubt = nil
        register[at: index].roundTrip = now - ping.sentAt
        if let steps = neighbour.eagerSteps, steps.lowerBound <= ping.sentStep {
            let confirmed = outbox.confirm(sentIn: steps.lowerBound...min(steps.upperBound, ping.sentStep))
            if !confirmed.isEmpty { effects.append(.confirmed(confirmed)) }
        }
    }

    /// Pings every neighbour that may have been sent what is unconfirmed. If there is none of these any more, it goes out again.
    mutating func askToConfirm(at now: Instant, into effects: inout [MeshEffect]) {
        guard let oldest = outbox.entries.first?.sentStep else { return }
        var mayConfirm = false
        for index in register.rows.indices {
            let link = register.rows[index]
            guard link.isConnected, let steps = link.eagerSteps, steps.contains(oldest) else { continue }
            mayConfirm = true
            if link.ping == nil { ping(link.id, at: now, into: &effects) }
        }
        guard !mayConfirm, let index = register.rows.firstIndex(where: \.isConnected) else { return }
        register[at: index].beEager(from: facts.step)
        let link = register.rows[index].id
        sendUnconfirmed(to: link, into: &effects)
        ping(link, at: now, into: &effects)
    }

    /// Sends one neighbour all that none has confirmed. From then on it alone can confirm it: the others may have been told of
    /// it only, or not at all.
    mutating func sendUnconfirmed(to id: LinkID, into effects: inout [MeshEffect]) {
        let records = outbox.sendAll(step: facts.step)
        guard !records.isEmpty else { return }
        for index in register.rows.indices where register.rows[index].id != id {
            register[at: index].wasPassedOver(in: facts.step)
        }
        for record in records {
            effects.append(.forward(record, timeToLive: options.timeToLive, hops: 1, to: [id]))
        }
    }

    mutating func ping(_ id: LinkID, at now: Instant, into effects: inout [MeshEffect]) {
        let nonce = generator.next()
        let step = facts.step
        register.update(id) { neighbour in
            neighbour.ping = LinkRow.PendingPing(nonce: nonce, sentAt: now, sentStep: step)
        }
        effects.append(.send(.ping(nonce: nonce), to: id))
    }

    func linkDeadline() -> Instant? {
        var earliest: Instant?
        for index in register.rows.indices {
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
        switch register.rows[index].phase {
        case .inviting(let until), .awaitingInvitation(let until), .asking(let until): return until
        case .closing: return nil
        case .connected:
            let heardAt = register.rows[index].heardAt
            if let ping = register.rows[index].ping {
                // An answer may stand behind much else that is still coming, but not for ever.
                let grace =
                    if register.rows[index].isOnNotice, let until = register.rows[index].doubt?.until {
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
        let due = register.rows.indices.filter { index in deadline(of: index).map { $0 <= now } ?? false }
        for neighbour in due.map({ register.rows[$0] }) {
            switch neighbour.phase {
            case .inviting, .awaitingInvitation:
                register.close(
                    neighbour.id, Goodbye(.timeout, "no invitation was answered in time"), into: &effects)
                linkEnded(neighbour, .silent, at: now, into: &effects)
            case .asking: refuse(neighbour, .unanswered, at: now, into: &effects)
            case .closing: break
            case .connected where neighbour.ping == nil: ping(neighbour.id, at: now, into: &effects)
            case .connected:
                register.close(neighbour.id, Goodbye(.timeout, "it did not answer a ping"), into: &effects)
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

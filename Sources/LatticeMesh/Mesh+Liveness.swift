import LatticeCore
import LatticeWire

// Pings: whether a neighbour is still there, and what it has confirmed.
extension Mesh {
    mutating func ponged(_ nonce: UInt64, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let sentStep = liveness.ponged(nonce, by: index, at: now) else { return }
        if let steps = register.rows[index].eagerSteps, steps.lowerBound <= sentStep {
            let confirmed = outbox.confirm(sentIn: steps.lowerBound...min(steps.upperBound, sentStep))
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
            if !liveness.isPinged(index) { ping(index, at: now, into: &effects) }
        }
        guard !mayConfirm, let index = register.rows.firstIndex(where: \.isConnected) else { return }
        register[at: index].beEager(from: facts.step)
        sendUnconfirmed(to: index, into: &effects)
        ping(index, at: now, into: &effects)
    }

    /// Sends one neighbour all that none has confirmed. From then on it alone can confirm it: the others may have been told of
    /// it only, or not at all.
    mutating func sendUnconfirmed(to index: Int, into effects: inout [MeshEffect]) {
        let records = outbox.sendAll(step: facts.step)
        guard !records.isEmpty else { return }
        for other in register.rows.indices where other != index {
            register[at: other].wasPassedOver(in: facts.step)
        }
        for record in records {
            effects.append(
                .forward(record, timeToLive: options.timeToLive, hops: 1, to: [register.rows[index].id]))
        }
    }

    mutating func ping(_ index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        let id = register.rows[index].id
        liveness.ping(index, id, step: facts.step, at: now, using: &generator, into: &effects)
    }

    mutating func releaseLinks(at now: Instant, into effects: inout [MeshEffect]) {
        guard let earliest = liveness.linkDeadline(in: register), earliest <= now else { return }
        for index in register.rows.indices {
            let phase = register.rows[index].phase
            guard let deadline = liveness.deadline(of: index, phase), deadline <= now else { continue }
            switch phase {
            case .inviting, .awaitingInvitation:
                let goodbye = Goodbye(.timeout, "no invitation was answered in time")
                endLink(index, goodbye, .silent, at: now, into: &effects)
            case .asking: refuse(index, .unanswered, at: now, into: &effects)
            case .closing: break
            case .connected where !liveness.isPinged(index): ping(index, at: now, into: &effects)
            case .connected:
                endLink(index, Goodbye(.timeout, "it did not answer a ping"), .silent, at: now, into: &effects)
            }
        }
    }

    mutating func networkChanged(without lost: [LinkID], at now: Instant, into effects: inout [MeshEffect]) {
        for id in lost {
            guard let index = register.index(of: id), register.rows[index].phase != .closing else { continue }
            let end = LinkEnd.broken("the address that this machine had there is gone")
            endLink(index, Goodbye(.timeout, "its address is gone"), end, at: now, into: &effects)
        }
        liveness.networkChanged(
            in: register, fairness, step: facts.step, at: now, using: &generator, into: &effects)
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

import LatticeCore
import LatticeWire

// Pings: whether a neighbour is still there, and what it has confirmed.
extension Mesh {
    mutating func ponged(_ nonce: UInt64, by index: Int, at now: Instant, into effects: inout [MeshEffect]) {
        guard let sentStep = liveness.ponged(nonce, by: index, at: now) else { return }
        broadcast.ponged(by: index, sentStep: sentStep, into: &effects)
    }

    /// Pings the neighbours that may have been sent what is unconfirmed.
    mutating func askToConfirm(at now: Instant, into effects: inout [MeshEffect]) {
        switch broadcast.confirmers(step: facts.step, into: &effects) {
        case .nobody: break
        case .those(let links):
            for index in links where !liveness.isPinged(index) { ping(index, at: now, into: &effects) }
        case .another(let index): ping(index, at: now, into: &effects)
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
}

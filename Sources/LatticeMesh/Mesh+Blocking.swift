import LatticeCore
package import LatticeWire
import OrderedCollections

// Whom a person blocked: their records are neither delivered nor passed on nor fetched, whoever brings them, and they are not linked
// with. A record is dropped after its signature was checked, so that nobody can put words on another's account.
extension Mesh {
    mutating func residentsChanged(_ peers: Set<PeerID>) {
        precondition(peers.count <= MeshLimit.residentsMax && !peers.contains(me), "the caller checks their number")
        facts.personas = peers
        isDisturbed = true
    }

    mutating func blockedChanged(_ peers: Set<PeerID>, at now: Instant, into effects: inout [MeshEffect]) {
        let (before, after) = (facts.blocked, peers.subtracting(facts.personas).subtracting([me]))
        guard before != after else { return }
        facts.blocked = after
        isDisturbed = true
        for index in register.rows.indices {
            let link = register.rows[index]
            guard after.contains(link.peer), link.phase != .closing else { continue }
            endLink(index, Self.blockedGoodbye, .blocked, at: now, into: &effects)
        }
        for peer in after.subtracting(before).sorted() { presences.forget(peer, into: &effects) }
        // Who is heard again has said things meanwhile.
        if !before.isSubset(of: after) {
            antiEntropy.wantDeclined(at: now)
        }
    }

    /// What a blocked peer is told.
    package static let blockedGoodbye = Goodbye(.refused, "it has blocked this peer")

    /// Whether a record is not to be taken. It stays marked as seen: neighbours that tell of it are not asked for it.
    mutating func isTurnedAway(_ record: VerifiedRecord) -> Bool {
        guard facts.blocked.contains(record.author) else { return false }
        fairness.droppedBlocked()
        broadcast.settled(record.id)
        antiEntropy.cameByFlood(record.id)
        return true
    }
}

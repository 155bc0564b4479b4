import LatticeCore
import LatticeMesh
import LatticeWire

// What the judges see of every peer once a second.
extension World {
    mutating func inspect() {
        if hasStores { inspectStores() }
        for peer in peers.indices where peers[peer].isUp {
            inspectSights(of: peer)
            safety.queuesWithinLimit.inspected(
                unconfirmed: unconfirmedCount(of: peer), links: network.links(of: peer).count, of: peer,
                at: milliseconds)
        }
    }

    private mutating func inspectSights(of peer: Int) {
        guard peers[peer].isHonest else { return }
        for (other, since) in peers[peer].sights.here.sorted(by: { $0.key < $1.key }) where !peers[other].isUp {
            safety.deadGone.shown(other, endedAt: peers[other].endedAt, since: since, by: peer, at: milliseconds)
        }
    }

    /// Checks that nothing outlives its lifetime in any store, and that no peer claims more than it knows.
    private mutating func inspectStores() {
        expireStores()
        for peer in peers.indices where peers[peer].isUp && peers[peer].isHonest && stores.desks[peer].isReady {
            if milliseconds % Self.lifetimesInterval == 0 { inspectLifetimes(of: peer) }
            inspectProgress(of: peer)
        }
    }

    /// In milliseconds: checking all rows of all stores each second would take longer than the rest of the simulation.
    private static let lifetimesInterval: Int64 = 30_000

    private mutating func inspectLifetimes(of peer: Int) {
        guard safety.nothingComesBack.isAgeTrusted else { return }
        for group in SyncScope.Group.allCases {
            for id in stores.all[peer].ids(of: group) {
                let addition = addition(of: records.number(of: id), to: peer)
                safety.nothingComesBack.held(addition, by: peer, peers: peers.count, at: milliseconds)
            }
        }
    }

    func addition(of number: Int, to peer: Int) -> NothingComesBack.Addition {
        NothingComesBack.Addition(
            of: records[number], number, to: stores.all[peer], lastFlooded: ledger.lastFlooded(number),
            hasLeapt: peers[peer].leaptAt >= 0)
    }

    private mutating func inspectProgress(of peer: Int) {
        let progress = peers[peer].tellProgress()
        safety.queuesWithinLimit.inspected(wanted: progress?.missing ?? 0, of: peer, at: milliseconds)
        let claim = sabotage == .boasts || progress?.isCaughtUp == true
        if claim { stores.claimedCaughtUp(peer, at: milliseconds) }
        // On a lossy network a mesh cannot know that its request was lost.
        guard !network.wasRough else { return }
        for (id, link) in stores.desks[peer].needed.sorted(by: { $0.key < $1.key }) {
            let other = network.peer(across: link)
            guard network.isWhole(link), peers[other].isHonest, stores.all[other].holds(id) else {
                stores.stopNeeding(id, by: peer)
                continue
            }
            guard claim, !stores.desks[peer].waitingIDs.contains(id) else { continue }
            let number = records.number(of: id)
            safety.progressReported.claimed(caughtUpLacking: number, of: other, by: peer, at: milliseconds)
        }
    }
}

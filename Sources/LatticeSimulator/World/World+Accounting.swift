import LatticeCore
import LatticeMesh
import LatticeWire

// Reports to the judges of stores.
extension World {
    /// A reconciliation step is about to be taken.
    mutating func account(_ work: ComparisonWork, by peer: Int) {
        let other = connections[work.link.connection].peer(at: 1 - work.link.end)
        guard peers[peer].isHonest else { return }
        guard peers[other].isHonest else { return ledger.steppedForLiar(other) }
        guard work.side == .question, work.message.isEmpty else { return }
        ledger.began(differences: differences(peer, other, in: work.scope, since: work.since))
    }

    /// How many records only one of the two has.
    func differences(_ left: Int, _ right: Int, in scope: SyncScope, since: HybridTime) -> Int {
        let (here, there) = (stores[left].set(of: scope, since: since), stores[right].set(of: scope, since: since))
        guard here.sum != there.sum else { return 0 }
        var ids: Set<Bytes32> = []
        here.forEach(in: 0..<here.count) { ids.insert($0.id) }
        var common = 0
        there.forEach(in: 0..<there.count) { if ids.contains($0.id) { common += 1 } }
        return here.count + there.count - 2 * common
    }

    func addition(of number: Int, to peer: Int) -> NothingComesBack.Addition {
        let record = records[number].verified
        return NothingComesBack.Addition(
            record: number, additions: stores[peer].additions[record.id] ?? 0,
            // By a clock that leapt ahead, even the deletion may have expired.
            wasTakenBack: stores[peer].erasedEver.contains(record.id) && peers[peer].leaptAt < 0,
            since: max(records[number].saidAt, ledger.lastFlooded(number)),
            lifetime: Int64(record.record.lifetimeSeconds) * 1_000)
    }

    /// Checks that nothing outlives its lifetime in any store, and that no peer claims more than it knows.
    mutating func inspectStores() {
        expireStores()
        for peer in stores.indices where peers[peer].isUp && peers[peer].isHonest && desks[peer].isReady {
            if queue.now % Self.lifetimesInterval == 0 { inspectLifetimes(of: peer) }
            inspectProgress(of: peer)
        }
    }

    /// In milliseconds: checking all rows of all stores each second would take longer than the rest of the simulation.
    private static let lifetimesInterval: Int64 = 30_000

    private mutating func inspectLifetimes(of peer: Int) {
        guard safety.nothingComesBack.isAgeTrusted else { return }
        for group in SyncScope.Group.allCases {
            for id in stores[peer].ids(of: group) {
                let addition = addition(of: registry.number(of: id), to: peer)
                safety.nothingComesBack.held(addition, by: peer, peers: peers.count, at: queue.now)
            }
        }
    }

    private mutating func inspectProgress(of peer: Int) {
        let progress = peers[peer].tellProgress()
        safety.queuesWithinLimit.inspected(wanted: progress?.missing ?? 0, of: peer, at: queue.now)
        let claim = sabotage == .boasts || progress?.isCaughtUp == true
        if claim { desks[peer].caughtUpAt = queue.now }
        // On a lossy network a mesh cannot know that its request was lost.
        guard !desks[peer].needed.isEmpty, !wasRough else { return }
        for (id, link) in desks[peer].needed.sorted(by: { $0.key < $1.key }) {
            let connection = connections[link.connection]
            let other = connection.peer(at: 1 - link.end)
            let isCut = isStopped(link.connection, towards: 0) || isStopped(link.connection, towards: 1)
            guard connection.isOpen, !isCut, peers[other].isHonest, stores[other].holds(id) else {
                desks[peer].needed[id] = nil
                continue
            }
            guard claim, !desks[peer].waitingIDs.contains(id) else { continue }
            safety.progressTold.claimed(
                caughtUpLacking: registry.number(of: id), of: other, by: peer, at: queue.now)
        }
    }
}

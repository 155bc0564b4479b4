import LatticeCore
import LatticeWire

/// Judges of stores that look when everything must have happened.
package enum StoreLiveness {
    package static func faults(of world: World) -> [Fault] {
        guard world.hasStores else { return [] }
        return StoresConverged.faults(of: world) + CaughtUp.faults(of: world)
            + ComparisonCost.faults(of: world) + LiarCost.faults(of: world)
    }
}

/// A record in one honest store is in every honest store that accepts it and that is joined with the first by links
/// between honest peers that accept it, too.
enum StoresConverged {
    /// Records that expire this soon need not have spread everywhere; in milliseconds.
    static let margin: Int64 = 120_000

    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "stores converged")
        let honest = world.peers.indices.filter {
            world.isUp($0) && world.isHonest($0) && world.stores.desks[$0].isReady
        }
        for number in world.records.all.indices {
            let id = world.records[number].verified.id
            let holders = honest.filter { world.stores.all[$0].holds(id) }
            guard !holders.isEmpty, holders.count < honest.count else { continue }
            var waiting = holders.filter { StoreLiveness.wouldKeep(number, at: $0, in: world) }
            var reached = Set(waiting)
            while let peer = waiting.popLast() {
                for other in StoreLiveness.honestNeighbours(of: peer, in: world) where !reached.contains(other) {
                    guard StoreLiveness.wouldKeep(number, at: other, in: world),
                        StoreLiveness.passes(number, peer, other, in: world)
                    else { continue }
                    reached.insert(other)
                    waiting.append(other)
                    guard !world.stores.all[other].holds(id) else { continue }
                    list.add(
                        "lacks r\(number), which peer \(peer) has or should have", at: world.milliseconds, peer: other)
                }
            }
        }
        return list.faults
    }
}

/// A peer that has everything its neighbours have claims to be caught up within two minutes.
enum CaughtUp {
    /// In milliseconds. Nobody is caught up during a reconciliation, and one runs from time to time.
    static let patience: Int64 = 120_000

    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "caught up")
        for peer in world.peers.indices
        where world.isUp(peer) && world.isHonest(peer) && world.stores.desks[peer].isReady {
            let keeping = world.stores.all[peer].keeping(hasFloors: true)
            let isComparable = StoreLiveness.honestNeighbours(of: peer, in: world).contains { other in
                !keeping.overlap(with: world.stores.all[other].keeping(hasFloors: true)).isEmpty
            }
            guard isComparable else { continue }
            guard world.stores.desks[peer].caughtUpAt < world.milliseconds - patience else { continue }
            list.add("has not said for a while that it is caught up", at: world.milliseconds, peer: peer)
        }
        return list.faults
    }
}

/// The cost of reconciling grows with the differences, not with the size of the stores.
enum ComparisonCost {
    /// Twice the maximum over six hundred plans. It is this low only for small stores: each factor of sixteen in their
    /// size adds about 800 bytes to finding the first difference.
    static let bytesPerDifference = 200
    static let bytesPerComparison = 1_200

    static func faults(of world: World) -> [Fault] {
        let ledger = world.ledger
        let bytesMax = bytesPerDifference * ledger.differences + bytesPerComparison * ledger.comparisons
        guard ledger.comparisonBytes > bytesMax else { return [] }
        let text =
            "\(ledger.comparisonBytes) bytes for \(ledger.comparisons) comparisons and \(ledger.differences) differences, "
            + "where \(bytesMax) are enough"
        return [Fault(judge: "comparison cost", time: world.milliseconds, peer: nil, text: text)]
    }
}

/// A liar gets a bounded number of bytes, however often it asks.
enum LiarCost {
    /// Limit for one liar from one neighbour in a minute: twice the maximum over six hundred plans.
    static let bytesPerMinute = 2 << 20

    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "liar cost")
        let minutes = Int(world.milliseconds / 60_000) + 1
        for (liar, bytes) in world.ledger.bytesToLiars.sorted(by: { $0.key < $1.key }) {
            let bytesMax = bytesPerMinute * minutes * (world.peers.count - 1)
            guard bytes > bytesMax else { continue }
            list.add("was sent \(bytes) bytes, where \(bytesMax) are the limit", at: world.milliseconds, peer: liar)
        }
        return list.faults
    }
}

extension StoreLiveness {
    /// Neighbours that both sides consider connected.
    fileprivate static func honestNeighbours(of peer: Int, in world: World) -> [Int] {
        world.peers[peer].view.map(Int.init).filter { other in
            world.isUp(other) && world.isHonest(other) && world.stores.desks[other].isReady
                && world.isConnected(other, with: peer)
        }
    }

    /// Whether a peer, by its clock and rules, would store a record that an honest neighbour had.
    fileprivate static func wouldKeep(_ number: Int, at peer: Int, in world: World) -> Bool {
        let record = world.records[number].verified
        let store = world.stores.all[peer]
        if store.holds(record.id) { return true }
        guard let group = SyncScope.Group(of: record.kind), store.settings.keeps(record.record, in: group) else {
            return false
        }
        // Evicted records are not accepted again at once; those from before a leap of the clock may look like anything.
        guard !store.letGo.contains(record.id), store.rows[record.id] == nil else { return false }
        guard world.records[number].saidAt > world.peers[peer].leaptAt else { return false }
        let now = world.wallMilliseconds(of: peer)
        let created = record.record.created.wallTime.milliseconds
        let date = created <= now ? created : now - (world.milliseconds - world.records[number].saidAt)
        guard date + Int64(record.record.lifetimeSeconds) * 1_000 > now + StoresConverged.margin else { return false }
        let rank = created <= now ? record.record.created : HybridTime(wallTime: WallTime(milliseconds: date))
        if record.kind != .deletion, store.room.isBelowFloor(group: group, author: record.author, rank: rank) {
            return false
        }
        return !store.isOverruled(record)
    }

    /// Whether reconciling can bring a record from the first peer to the second.
    fileprivate static func passes(_ number: Int, _ left: Int, _ right: Int, in world: World) -> Bool {
        let record = world.records[number].verified
        // After a leap of the clock ages are wrong, and they matter for records dated ahead.
        if world.peers[left].leaptAt >= 0,
            record.record.created.wallTime.milliseconds > world.wallMilliseconds(of: right)
        {
            return false
        }
        let (here, there) = (
            world.stores.all[left].keeping(hasFloors: true), world.stores.all[right].keeping(hasFloors: true)
        )
        return here.overlap(with: there).contains { scope, since in
            SyncScope.Group(of: record.kind) == scope.group && record.record.created >= since
                && (scope.room == nil || scope.room == record.record.topic)
        }
    }
}

extension SimulatedStore {
    /// Whether a newer record of its topic or a deletion overrules a record.
    func isOverruled(_ record: VerifiedRecord) -> Bool {
        rows.values.contains { row in
            guard row.record.author == record.author else { return false }
            if row.record.kind == .deletion { return row.record.record.topic == record.id.hash.bytes }
            guard record.kind.isReplaceable, row.record.kind == record.kind else { return false }
            return row.record.record.topic == record.record.topic
                && row.record.record.created >= record.record.created
        }
    }
}

import LatticeCore
import LatticeWire

/// The judges of stores that look when all must have come about.
package enum StoreLiveness {
    package static func faults(of world: World) -> [Fault] {
        guard world.hasStores else { return [] }
        return StoresConverged.faults(of: world) + CaughtUp.faults(of: world)
            + ComparisonCost.faults(of: world) + LiarCost.faults(of: world)
    }
}

/// What one honest store has, every honest store has that would keep it and that it is joined with by links between honest peers that
/// would keep it, too.
enum StoresConverged {
    /// What ends so soon need not have come everywhere, in milliseconds.
    static let margin: Int64 = 120_000

    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "stores converged")
        let honest = world.peers.indices.filter { world.isUp($0) && world.isHonest($0) && world.desks[$0].isReady }
        for number in world.records.indices {
            let id = world.records[number].verified.id
            let holders = honest.filter { world.stores[$0].holds(id) }
            guard !holders.isEmpty, holders.count < honest.count else { continue }
            var waiting = holders.filter { world.wouldKeep(number, at: $0) }
            var reached = Set(waiting)
            while let peer = waiting.popLast() {
                for other in world.honestNeighbours(of: peer) where !reached.contains(other) {
                    guard world.wouldKeep(number, at: other), world.passes(number, peer, other) else { continue }
                    reached.insert(other)
                    waiting.append(other)
                    guard !world.stores[other].holds(id) else { continue }
                    list.add(
                        "lacks r\(number), which peer \(peer) has or should have", at: world.milliseconds, peer: other)
                }
            }
        }
        return list.faults
    }
}

/// Whoever has all that its neighbours have says so within a minute or two.
enum CaughtUp {
    /// In milliseconds: comparisons are under way from time to time, and while one is nobody is caught up.
    static let patience: Int64 = 120_000

    static func faults(of world: World) -> [Fault] {
        var list = FaultList(of: "caught up")
        for peer in world.peers.indices where world.isUp(peer) && world.isHonest(peer) && world.desks[peer].isReady {
            let keeping = world.stores[peer].keeping(hasFloors: true)
            let isComparable = world.honestNeighbours(of: peer).contains { other in
                !keeping.overlap(with: world.stores[other].keeping(hasFloors: true)).isEmpty
            }
            guard isComparable else { continue }
            guard world.desks[peer].caughtUpAt < world.milliseconds - patience else { continue }
            list.add("has not said for a while that it is caught up", at: world.milliseconds, peer: peer)
        }
        return list.faults
    }
}

/// What comparing costs grows with what differs, and not with what is there.
enum ComparisonCost {
    /// Twice what the dearest of six hundred plans takes. So little only where stores are small: each factor of sixteen in what they
    /// hold adds some 800 bytes to what finds the first difference.
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

/// However much a liar asks, it gets so much and no more.
enum LiarCost {
    /// To one liar from one neighbour in a minute: twice what the greediest of six hundred plans gets.
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

extension World {
    /// Those that both sides take for connected.
    func honestNeighbours(of peer: Int) -> [Int] {
        peers[peer].view.map(Int.init).filter { other in
            isUp(other) && isHonest(other) && desks[other].isReady && isConnected(other, with: peer)
        }
    }

    /// Whether a peer would take a record into its store that an honest neighbour had, going by its clock and its rules.
    func wouldKeep(_ number: Int, at peer: Int) -> Bool {
        let record = records[number].verified
        let store = stores[peer]
        if store.holds(record.id) { return true }
        guard let group = SyncScope.Group(of: record.kind), store.settings.keeps(record.record, in: group) else {
            return false
        }
        // What it had and let go it does not take back at once; what was there when its clock leapt may look like anything.
        guard !store.letGo.contains(record.id), store.rows[record.id] == nil else { return false }
        guard records[number].saidAt > peers[peer].leaptAt else { return false }
        let now = wallMilliseconds(of: peer)
        let created = record.record.created.wall.milliseconds
        let date = created <= now ? created : now - (milliseconds - records[number].saidAt)
        guard date + Int64(record.record.lifetimeSeconds) * 1_000 > now + StoresConverged.margin else { return false }
        let rank = created <= now ? record.record.created : HybridTime(wall: WallTime(milliseconds: date))
        if record.kind != .deletion, store.room.isBelowFloor(group: group, author: record.author, rank: rank) {
            return false
        }
        return !store.isOverruled(record)
    }

    /// Whether a record that the first peer has may come to the second by comparing.
    func passes(_ number: Int, _ left: Int, _ right: Int) -> Bool {
        let record = records[number].verified
        // By a clock that leapt ages are wrong, and where the record is dated ahead they count.
        if peers[left].leaptAt >= 0, record.record.created.wall.milliseconds > wallMilliseconds(of: right) {
            return false
        }
        let (here, there) = (stores[left].keeping(hasFloors: true), stores[right].keeping(hasFloors: true))
        return here.overlap(with: there).contains { scope, since in
            SyncScope.Group(of: record.kind) == scope.group && record.record.created >= since
                && (scope.room == nil || scope.room == record.record.topic)
        }
    }
}

extension SimulatedStore {
    /// Whether something here stands against a record: a newer one of its topic, or a deletion.
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

import HeapModule
import LatticeCore
import LatticeMesh
import LatticeWire

/// Peers that exchange blobs, simulated in one thread from one seed.
///
/// The machines are real; links, disks, people and liars are not. A piece is a number, and whether its bytes are true.
package struct BlobWorld {
    enum Turn {
        case weather(BlobWeather.Kind)
        /// The storm is over.
        case calm
        case arrived(BlobParcel, over: LinkID, at: Int)
        /// A parcel left the wire.
        case sent(pair: Int, direction: Int, link: LinkID, isPiece: Bool)
        case event(BlobEvent, at: Int, life: Int)
        case written(Int, life: Int)
        /// A liar gives a piece late.
        case drip(BlobParcel, from: Int, over: LinkID)
        case woke(Int, life: Int)
        case mischief(Int)
        case inspection
    }

    private struct Planned: Comparable {
        /// In nanoseconds.
        let at: Int64
        let order: Int
        let turn: Turn

        static func < (left: Planned, right: Planned) -> Bool { (left.at, left.order) < (right.at, right.order) }
        static func == (left: Planned, right: Planned) -> Bool { (left.at, left.order) == (right.at, right.order) }
    }

    package let plan: BlobPlan
    let names: [BlobName]
    private let numbers: [BlobName: Int]
    var peers: [BlobPeer]
    var pairs: [BlobPair] = []
    /// Pairs that a break keeps apart.
    var isCut: [Bool] = []
    /// Of links that are open.
    var pairOf: [LinkID: Int] = [:]
    var lastLink: UInt64 = 0
    var generator: SeededGenerator
    private var queue = Heap<Planned>()
    private var order = 0
    /// In nanoseconds.
    private(set) var now: Int64 = 0
    /// In milliseconds; `nil` until everybody has what they want.
    package var contentAt: Int64?
    var judge: BlobJudge
    package var story = Story()

    package init(_ plan: BlobPlan) {
        self.plan = plan
        generator = SeededGenerator(seed: plan.seed ^ 0x626C_6F62)
        names = plan.blobs.enumerated().map { number, blob in
            let root = Bytes32(words: (UInt64(blob.falseNameOf ?? number) + 1, 1, 2, 3))
            guard let name = BlobName(root: root, size: blob.size) else { preconditionFailure("a plan has real sizes") }
            return name
        }
        numbers = Dictionary(names.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let registry = Registry(seed: plan.seed)
        peers = plan.lies.enumerated().map { rank, lie in
            BlobPeer(
                id: registry.peer(rank), lie: lie, disk: BlobDisk(passingBytes: plan.passingMax[rank], plan.sabotage))
        }
        judge = BlobJudge(peerCount: plan.topology.count)
        makePairs()
        for rank in peers.indices {
            peers[rank].start(seed: generator.next())
            if peers[rank].lie != nil { push(.mischief(rank), after: BlobLie.mischiefInterval * 1_000_000) }
        }
        for event in plan.weather { push(.weather(event.kind), at: event.at * 1_000_000) }
        push(.calm, at: plan.calmAt * 1_000_000)
        push(.inspection, after: 1_000_000_000)
        for pair in pairs.indices { join(pair) }
    }

    private mutating func makePairs() {
        let adjacency = Adjacency(plan.topology, seed: plan.seed)
        for left in peers.indices {
            for right in adjacency.neighbours(of: left) where right > left {
                let rate = Int64.random(in: plan.bytesPerSecond, using: &generator)
                let delay = Int64.random(in: plan.delay, using: &generator) * 1_000_000
                pairs.append(BlobPair(ends: (left, right), bytesPerSecond: rate, delay: delay))
            }
        }
        isCut = Array(repeating: false, count: pairs.count)
    }

    var milliseconds: Int64 { now / 1_000_000 }

    func number(of name: BlobName) -> Int? { numbers[name] }

    // MARK: - Time

    mutating func push(_ turn: Turn, at time: Int64) {
        order += 1
        queue.insert(Planned(at: max(time, now), order: order, turn: turn))
    }

    mutating func push(_ turn: Turn, after wait: Int64) { push(turn, at: now + wait) }

    mutating func push(_ event: BlobEvent, for rank: Int, after wait: Int64) {
        push(.event(event, at: rank, life: peers[rank].life), after: wait)
    }

    /// - Parameter milliseconds: from the start of the world.
    package mutating func run(until milliseconds: Int64) {
        let end = milliseconds * 1_000_000
        while let next = queue.min, next.at <= end {
            queue.removeMin()
            now = next.at
            happen(next.turn)
        }
        now = end
    }

    private mutating func happen(_ turn: Turn) {
        switch turn {
        case .weather(let kind): befall(kind)
        case .calm: calm()
        case .arrived(let parcel, let link, let rank): arrived(parcel, over: link, at: rank)
        case .sent(let pair, let direction, let link, let isPiece):
            guard pairs[pair].link == link else { return }
            let isLow = pairs[pair].wires[direction].ended()
            startWire(pair, direction)
            let rank = direction == 0 ? pairs[pair].ends.0 : pairs[pair].ends.1
            if isPiece, isLow { handle(.room(link), at: rank) }
        case .event(let event, let rank, let life): if peers[rank].life == life { handle(event, at: rank) }
        case .written(let rank, let life): if peers[rank].life == life { written(rank) }
        case .drip(let parcel, let rank, let link): _ = transmit(parcel, from: rank, over: link)
        case .woke(let rank, let life): if peers[rank].life == life { woke(rank) }
        case .mischief(let rank): mischief(of: rank)
        case .inspection:
            inspect()
            push(.inspection, after: 1_000_000_000)
        }
    }

    private mutating func woke(_ rank: Int) {
        switch peers[rank].wakes(at: now) {
        case .notDue: wake(rank)
        case .due:
            // Nothing that is late is noticed.
            guard plan.sabotage == .forgetLate, peers[rank].owes else { return handle(.tick, at: rank) }
            push(.woke(rank, life: peers[rank].life), after: 1_000_000_000)
        case .spinning: judge.spins(rank, at: milliseconds)
        }
    }

    private mutating func wake(_ rank: Int) {
        guard let time = peers[rank].wakeToAdd(at: now) else { return }
        push(.woke(rank, life: peers[rank].life), at: time)
    }

    // MARK: - Peers

    mutating func handle(_ event: BlobEvent, at rank: Int) {
        guard peers[rank].isUp else { return }
        for effect in peers[rank].handle(event, at: now) { carryOut(effect, of: rank) }
        wake(rank)
    }

    /// A piece came.
    mutating func take(_ parcel: BlobParcel, _ ask: UInt32, _ number: Int, over link: LinkID, at rank: Int) {
        let effects = peers[rank].handle(.pieceCame(ask: ask, number: number, on: link), at: now)
        let isChecked = effects.contains { if case .check = $0 { true } else { false } }
        if !isChecked { story.tell("peer \(rank) drops piece \(number) of ask \(ask)", at: milliseconds) }
        for effect in effects {
            guard case .check(let name, let number, let link) = effect else {
                carryOut(effect, of: rank)
                continue
            }
            if let blob = numbers[name] { peers[rank].disk.arrived(number, of: blob) }
            peers[rank].writing.append(BlobPeer.Arrived(name: name, number: number, parcel: parcel, link: link))
            if peers[rank].writing.count == 1 { push(.written(rank, life: peers[rank].life), after: 500_000) }
        }
        wake(rank)
    }

    /// Up to eight pieces were written.
    private mutating func written(_ rank: Int) {
        let batch = Array(peers[rank].writing.prefix(8))
        for one in batch {
            guard let blob = numbers[one.name] else { continue }
            let parent = BlobShape(one.name).parent(of: one.number)?.number
            let verdict = peers[rank].disk.write(one.number, isTrue: one.parcel.isTrue, of: blob, parent: parent)
            if verdict != .kept {
                peers[rank].wishes[blob]?.lostBytes += one.parcel.bytes
                story.tell("peer \(rank) says of piece \(one.number) of blob \(blob): \(verdict)", at: milliseconds)
            }
            if verdict == .kept, !one.parcel.isTrue { judge.keptFalse(one.number, of: blob, rank, at: milliseconds) }
            handle(.checked(one.name, number: one.number, from: one.link, verdict), at: rank)
        }
        peers[rank].writing.removeFirst(batch.count)
        if !peers[rank].writing.isEmpty {
            let count = min(8, peers[rank].writing.count)
            push(.written(rank, life: peers[rank].life), after: Int64(count) * 60_000)
        }
    }

    private mutating func carryOut(_ effect: BlobEffect, of rank: Int) {
        switch effect {
        case .send(let frame, let link): send(frame, from: rank, over: link)
        case .look(let name, let ask, let link):
            push(.looked(name, ask: ask, on: link, found(name, at: rank)), for: rank, after: 100_000)
        case .give(let name, let ask, let numbers, let link): give(name, ask, numbers, from: rank, over: link)
        case .begin(let name):
            guard let blob = numbers[name] else { return push(.began(name, nil), for: rank, after: 100_000) }
            let now = milliseconds
            let have = peers[rank].disk.beginPassing(blob, of: BlobShape(name).pieceCount, at: now)
            push(.began(name, have), for: rank, after: 100_000)
        case .dropped(let name):
            let now = milliseconds
            if let blob = numbers[name] { peers[rank].disk.dropPassing(blob, at: now) }
        case .check: preconditionFailure("only a piece that came is checked")
        case .recheck(let name, let number):
            guard let blob = numbers[name], let have = peers[rank].disk.recheck(number, of: blob) else { return }
            push(.wanted(name, have: have, from: nil), for: rank, after: 100_000)
        case .progress: break
        case .completed(let name): completed(name, at: rank)
        case .nobodyHas(let name):
            let words = words(name)
            story.tell("peer \(rank) finds nobody who has \(words)", at: milliseconds)
        case .offered(let name, let link): offered(name, over: link, at: rank)
        }
    }

    func words(_ name: BlobName) -> String { numbers[name].map { "blob \($0)" } ?? "a blob that never was" }

    private mutating func completed(_ name: BlobName, at rank: Int) {
        guard let blob = numbers[name] else { return }
        peers[rank].disk.finish(blob)
        story.tell("peer \(rank) has all of blob \(blob)", at: milliseconds)
        guard let wish = peers[rank].wishes[blob], wish.completedAt == nil else { return }
        let now = milliseconds
        peers[rank].wishes[blob]?.completedAt = now
        judge.completed(blob, peers[rank].disk, rank, at: milliseconds)
    }

    /// What a neighbour offers is kept if it is small.
    private mutating func offered(_ name: BlobName, over link: LinkID, at rank: Int) {
        guard let blob = numbers[name], name.size <= 4 << 20 else { return }
        let now = milliseconds
        guard let have = peers[rank].disk.beginPassing(blob, of: BlobShape(name).pieceCount, at: now) else { return }
        push(.taken(name, have: have, from: link), for: rank, after: 100_000)
    }
}

import LatticeCore
import LatticeMesh
import LatticeWire

/// The network between the peers: their connections, how long frames take, and what cuts and partitions stop.
///
/// Connections are ordered and lossless while open. Behind a cut, frames wait. Some plans also lose, duplicate or reorder
/// frames.
struct Network {
    private struct Held {
        let entry: Entry
        let link: LinkID
        let bytes: Int
        let isUrgent: Bool
    }

    let adjacency: Adjacency
    /// Whether frames were lost, duplicated or reordered at the start.
    let wasRough: Bool
    private let seed: UInt64
    private var conditions: NetworkConditions
    private var barriers = Barriers()
    /// Extra delay of everything that reaches a peer, in milliseconds.
    private var slowness: [Int64]
    private var connections: [SimulatedConnection] = []
    /// Open links by peer.
    private var links: [[LinkID]]
    /// Frames on connections that are cut, in order.
    private var held: [Held] = []
    private(set) var openCount = 0
    /// How many connections were ever opened.
    private(set) var openedCount = 0
    /// Frames that a full send queue refused; a node closes such a link.
    private(set) var overflowCount = 0
    /// Links whose send queue has just become full, for the world to notify their peers.
    private var crowded: [LinkID] = []

    init(_ adjacency: Adjacency, _ conditions: NetworkConditions, seed: UInt64) {
        self.adjacency = adjacency
        self.conditions = conditions
        self.seed = seed
        wasRough = conditions.isRough
        let count = adjacency.topology.count
        slowness = Array(repeating: 0, count: count)
        links = Array(repeating: [], count: count)
    }

    /// One way, in milliseconds, without the slowness of a peer.
    func latency(_ left: Int, _ right: Int) -> Int64 {
        conditions.latency(left, right, seed: seed)
    }

    func slowness(of peer: Int) -> Int64 { slowness[peer] }

    func passes(from: Int, to: Int) -> Bool { barriers.isNone || !barriers.stops(from: from, to: to) }

    func passesBothWays(_ left: Int, _ right: Int) -> Bool {
        passes(from: left, to: right) && passes(from: right, to: left)
    }

    // MARK: - Connections

    func peer(at link: LinkID) -> Int { connections[link.connection].peer(at: link.end) }

    func peer(across link: LinkID) -> Int { connections[link.connection].peer(at: 1 - link.end) }

    func links(of peer: Int) -> [LinkID] { links[peer] }

    /// Both sides can send.
    func isOpen(_ link: LinkID) -> Bool { connections[link.connection].isOpen }

    /// Whether nothing reaches this end any more.
    func isGone(_ link: LinkID) -> Bool { connections[link.connection].isGone(at: link.end) }

    /// Whether both ends can send and nothing stops what they send.
    func isWhole(_ link: LinkID) -> Bool {
        isOpen(link) && !isStopped(towards: link) && !isStopped(towards: link.across)
    }

    /// - Returns: the links of the dialler and of its target.
    mutating func connect(_ dialler: Int, _ target: Int, at time: Int64) -> (near: LinkID, far: LinkID) {
        let latency = latency(dialler, target)
        connections.append(SimulatedConnection(dialler: dialler, target: target, latency: latency, at: time))
        openCount += 1
        openedCount += 1
        let near = SimulatedConnection.link(connections.count - 1, end: 0)
        links[dialler].append(near)
        links[target].append(near.across)
        return (near, near.across)
    }

    /// - Returns: whether that end can still send; if not, it is notified that the connection broke.
    mutating func canSend(over link: LinkID, from peer: Int, in schedule: inout Schedule) -> Bool {
        guard belongs(link, to: peer) else { return false }
        if isOpen(link) { return true }
        guard !isEnding(link), !isStopped(towards: link.across) else { return false }
        // The other side closed it but could not say so: TCP answers with a reset.
        noticeEnd(link, .broken("reset"), in: &schedule)
        return false
    }

    /// - Returns: whether the link was still the peer's to close.
    mutating func close(
        _ link: LinkID, by peer: Int, _ goodbye: Goodbye, in schedule: inout Schedule,
        using generator: inout SeededGenerator
    ) -> Bool {
        guard belongs(link, to: peer), !isEnding(link) else { return false }
        // No goodbye passes a cut; the other side's own pings find the link dead.
        deliverEnd(link.across, .goodbye(goodbye), in: &schedule, using: &generator)
        shut(link)
        noticeEnd(link, .left, in: &schedule)
        return true
    }

    /// The peer's process has ended: its connections break, or just fall silent behind a cut.
    mutating func breakLinks(
        of peer: Int, as end: LinkEnd, in schedule: inout Schedule, using generator: inout SeededGenerator
    ) {
        for link in links[peer] {
            connections[link.connection].leave(at: link.end)
            deliverEnd(link.across, end, in: &schedule, using: &generator)
            shut(link)
        }
        links[peer].removeAll()
    }

    /// The peer at this end knows that the link is closed.
    mutating func leave(_ link: LinkID) {
        connections[link.connection].leave(at: link.end)
        links[peer(at: link)].removeAll { $0 == link }
    }

    private func belongs(_ link: LinkID, to peer: Int) -> Bool {
        connections.indices.contains(link.connection) && self.peer(at: link) == peer
    }

    private func isEnding(_ link: LinkID) -> Bool { connections[link.connection].isEnding(at: link.end) }

    private func isStopped(towards link: LinkID) -> Bool { !passes(from: peer(across: link), to: peer(at: link)) }

    /// The other side ended it; the notice arrives after everything sent before, unless a cut stops it.
    private mutating func deliverEnd(
        _ link: LinkID, _ reason: LinkEnd, in schedule: inout Schedule, using generator: inout SeededGenerator
    ) {
        guard isOpen(link), !isEnding(link), !isStopped(towards: link) else { return }
        connections[link.connection].beginEnding(at: link.end)
        post(.linkClosed(link, reason), to: link, isExpendable: false, in: &schedule, using: &generator)
    }

    /// This side's own socket ended it; within a round trip it is closed, whatever passes between the peers.
    private mutating func noticeEnd(_ link: LinkID, _ reason: LinkEnd, in schedule: inout Schedule) {
        let index = link.connection
        connections[index].beginEnding(at: link.end)
        let entry = schedule.delivery(.linkClosed(link, reason), to: link)
        let time = schedule.now + 2 * connections[index].latency
        schedule.push(entry, at: connections[index].arrive(at: link.end, noSoonerThan: time))
    }

    private mutating func shut(_ link: LinkID) {
        if isOpen(link) { openCount -= 1 }
        connections[link.connection].isOpen = false
    }

    // MARK: - Frames

    /// Sends an event to the receiver's link.
    ///
    /// - Parameter bytes: of the frame; 0 for what is no frame.
    mutating func post(
        _ event: MeshEvent, to link: LinkID, bytes: Int = 0, isExpendable: Bool, isUrgent: Bool = false,
        in schedule: inout Schedule,
        using generator: inout SeededGenerator
    ) {
        let entry = schedule.delivery(event, to: link)
        _ = carry(
            entry, to: link, bytes: bytes, isExpendable: isExpendable, isUrgent: isUrgent, in: &schedule,
            using: &generator)
    }

    /// - Parameters:
    ///   - isExpendable: whether it may be lost, duplicated or reordered.
    ///   - isUrgent: whether it overtakes what waits at the sender.
    /// - Returns: how often that happened, if it leaves at once.
    mutating func carry(
        _ entry: Entry, to link: LinkID, bytes: Int, isExpendable: Bool, isUrgent: Bool = false,
        in schedule: inout Schedule, using generator: inout SeededGenerator
    ) -> Int {
        if isStopped(towards: link) {
            held.append(Held(entry: entry, link: link, bytes: bytes, isUrgent: isUrgent))
            return 0
        }
        guard conditions.bytesPerSecond != nil else {
            return launch(
                entry, to: link, at: schedule.now, isExpendable: isExpendable, in: &schedule, using: &generator)
        }
        let waiting = SendQueue.Waiting(entry: entry, bytes: bytes, isExpendable: isExpendable)
        let queue = connections[link.connection].withQueue(to: link.end) { queue in
            (isAdded: queue.add(waiting, isUrgent: isUrgent), isScheduled: queue.isScheduled)
        }
        if !queue.isAdded {
            overflowCount += 1
            schedule.drop(entry)
        }
        if !queue.isScheduled { write(to: link, in: &schedule, using: &generator) }
        noteIfBusy(link)
        return 0
    }

    /// The socket of the other end takes more.
    mutating func write(to link: LinkID, in schedule: inout Schedule, using generator: inout SeededGenerator) {
        guard let bytesPerSecond = conditions.bytesPerSecond else { return }
        var leaving: [(SendQueue.Waiting, Int64)] = []
        let next = connections[link.connection].withQueue(to: link.end) { queue in
            queue.write(at: schedule.now, bytesPerSecond: bytesPerSecond) { leaving.append(($0, $1)) }
        }
        for (waiting, time) in leaving {
            _ = launch(
                waiting.entry, to: link, at: time, isExpendable: waiting.isExpendable, in: &schedule, using: &generator)
        }
        if let next { schedule.addWritable(to: link, at: next) }
    }

    private mutating func noteIfBusy(_ link: LinkID) {
        let isCrowded = connections[link.connection].withQueue(to: link.end) { queue in
            guard !queue.isBusy, queue.bytes > SendQueue.busyBytes else { return false }
            queue.isBusy = true
            return true
        }
        if isCrowded { crowded.append(link.across) }
    }

    /// Links of senders whose queue has become full since the last call.
    mutating func takeCrowded() -> [LinkID] {
        guard !crowded.isEmpty else { return [] }
        defer { crowded = [] }
        return crowded
    }

    /// Whether this link of a sender is busy and now free for a portion.
    func isFree(_ link: LinkID) -> Bool {
        let queue = connections[link.connection].queue(to: link.across.end)
        return queue.isBusy && queue.bytes <= SendQueue.freeBytes
    }

    mutating func becameFree(_ link: LinkID) {
        connections[link.connection].withQueue(to: link.across.end) { $0.isBusy = false }
    }

    /// Share of link directions whose send queue is full.
    var busyShare: Double {
        let open = links.joined()
        let busy = open.count { connections[$0.connection].queue(to: $0.across.end).isBusy }
        return open.isEmpty ? 0 : Double(busy) / Double(open.count)
    }

    /// It leaves the sender.
    private mutating func launch(
        _ entry: Entry, to link: LinkID, at start: Int64, isExpendable: Bool, in schedule: inout Schedule,
        using generator: inout SeededGenerator
    ) -> Int {
        let (index, end) = (link.connection, link.end)
        let latency = connections[index].latency
        var time = start + latency
        if conditions.jitter.upperBound > 0 { time += Int64.random(in: conditions.jitter, using: &generator) }
        time += slowness[connections[index].peer(at: end)]
        guard isExpendable, conditions.isRough else {
            schedule.push(entry, at: connections[index].arrive(at: end, noSoonerThan: time))
            return 0
        }
        if Self.occurs(conditions.lossPerMille, using: &generator) {
            schedule.drop(entry)
            return 1
        }
        if Self.occurs(conditions.reorderingPerMille, using: &generator) {
            // Late by up to three latencies; later frames overtake it.
            schedule.push(entry, at: time + Int64.random(in: 1...3 * latency + 3, using: &generator))
            return 1
        }
        let arrival = connections[index].arrive(at: end, noSoonerThan: time)
        schedule.push(entry, at: arrival)
        guard Self.occurs(conditions.duplicationPerMille, using: &generator) else { return 0 }
        schedule.push(schedule.copy(of: entry), at: arrival + latency)
        return 1
    }

    private static func occurs(_ perMille: Int, using generator: inout SeededGenerator) -> Bool {
        perMille > 0 && Int.random(in: 0..<1_000, using: &generator) < perMille
    }

    // MARK: - Weather

    mutating func cut(from: Int, to: Int) {
        barriers.cut(from: from, to: to)
    }

    mutating func mend(
        _ left: Int, _ right: Int, in schedule: inout Schedule, using generator: inout SeededGenerator
    ) {
        barriers.mend(left, right)
        release(in: &schedule, using: &generator)
    }

    mutating func part(_ groups: [[Int]], in schedule: inout Schedule, using generator: inout SeededGenerator) {
        barriers.part(groups, of: links.count)
        release(in: &schedule, using: &generator)
    }

    mutating func heal(in schedule: inout Schedule, using generator: inout SeededGenerator) {
        barriers.heal()
        release(in: &schedule, using: &generator)
    }

    mutating func slow(_ peer: Int, by delay: Int64) {
        slowness[peer] = delay
    }

    /// Mends everything, and ends all loss and slowness.
    mutating func calm(in schedule: inout Schedule, using generator: inout SeededGenerator) {
        barriers.mendAll()
        conditions.calm()
        for peer in slowness.indices { slowness[peer] = 0 }
        release(in: &schedule, using: &generator)
    }

    /// After a change of barriers: sends the frames that waited, in order.
    private mutating func release(in schedule: inout Schedule, using generator: inout SeededGenerator) {
        let waiting = held
        held.removeAll()
        for item in waiting {
            if isGone(item.link) {
                schedule.drop(item.entry)
            } else {
                _ = carry(
                    item.entry, to: item.link, bytes: item.bytes, isExpendable: false, isUrgent: item.isUrgent,
                    in: &schedule, using: &generator)
            }
        }
    }
}

import LatticeCore
import LatticeNode
import OrderedCollections

/// Which stream carries the messages to each peer.
struct MessageChannels: Sendable {
    private enum Channel: Sendable {
        /// A sender opens it, by this attempt. Next: `open`, or none.
        case opening(UInt64)
        /// Next: none.
        case open(Int, hasSent: Bool)
    }

    enum Way: Hashable, Sendable {
        case stream(Int)
        /// The caller has to open one.
        case toOpen
        /// The last one broke, and messages may be lost with it.
        case broken
        /// The attempt that the caller waited for did not open one.
        case failed(LatticeError)
    }

    /// The last attempt to open a stream to a peer.
    private struct Failure: Sendable {
        var attempt: UInt64 = 0
        var error: LatticeError
        /// Failures in a row.
        var count = 0
        /// When a datagram may cause another attempt.
        var until: ContinuousClock.Instant
    }

    /// Streams that datagrams have opened at a time: as many as a node has.
    static let openingMax = 32
    /// Peers whose last attempt is remembered. Of one that is forgotten, the next attempt may come at once.
    private static let failuresMax = 256
    /// After the first failure, doubled to the last.
    private static let delayMin: Duration = .seconds(1)
    private static let delayMax: Duration = .seconds(16)

    /// The node's streams, while it runs and the session is not closed.
    var streams: StreamExchange?
    private var channels: [LatticeCore.PeerID: Channel] = [:]
    /// Peers whose next sender learns that earlier messages may be lost.
    private var broken: Set<LatticeCore.PeerID> = []
    private var flushed: Set<UInt64> = []
    private var lastFlush: UInt64 = 0
    private var lastAttempt: UInt64 = 0
    private var failures: OrderedDictionary<LatticeCore.PeerID, Failure> = [:]

    /// - Parameter awaited: the attempt that the caller waits for.
    /// - Returns: `nil` while somebody else opens the stream.
    mutating func way(to peer: LatticeCore.PeerID, awaited: inout UInt64?) -> Way? {
        if broken.remove(peer) != nil { return .broken }
        switch channels[peer] {
        case .opening(let attempt):
            awaited = attempt
            return nil
        case .open(let number, _):
            channels[peer] = .open(number, hasSent: true)
            return .stream(number)
        case nil:
            if let awaited, let failure = failures[peer], failure.attempt == awaited { return .failed(failure.error) }
            begin(to: peer)
            return .toOpen
        }
    }

    /// Whether the caller has to open a stream for the keys of datagrams. After a failure nobody does for a while.
    mutating func mayOpenForDatagrams(to peer: LatticeCore.PeerID, at now: ContinuousClock.Instant) -> Bool {
        guard channels[peer] == nil, failures[peer].map({ $0.until <= now }) != false else { return false }
        let count = channels.values.count { if case .opening = $0 { true } else { false } }
        guard count < Self.openingMax else { return false }
        begin(to: peer)
        return true
    }

    private mutating func begin(to peer: LatticeCore.PeerID) {
        lastAttempt += 1
        channels[peer] = .opening(lastAttempt)
    }

    mutating func hasOpened(_ number: Int, to peer: LatticeCore.PeerID) {
        channels[peer] = .open(number, hasSent: false)
        failures[peer] = nil
    }

    /// - Parameter error: what those that waited for it learn; those that waited for a cancelled one try themselves.
    mutating func couldNotOpen(to peer: LatticeCore.PeerID, _ error: LatticeError, at now: ContinuousClock.Instant) {
        guard case .opening(let attempt)? = channels[peer] else { return }
        channels[peer] = nil
        guard error.code != .cancelled else { return }
        let count = failures.removeValue(forKey: peer)?.count ?? 0
        let delay = min(Self.delayMin * (1 << min(count, 8)), Self.delayMax)
        if failures.count >= Self.failuresMax { failures.removeFirst() }
        failures[peer] = Failure(attempt: attempt, error: error, count: count + 1, until: now.advanced(by: delay))
    }

    /// The other side has opened a stream. It carries messages from here as well, unless there is one already.
    mutating func hasAccepted(_ number: Int, from peer: LatticeCore.PeerID) {
        if channels[peer] == nil { channels[peer] = .open(number, hasSent: false) }
        failures[peer] = nil
    }

    /// - Parameter isBroken: whether what was sent over it may not have arrived.
    mutating func hasEnded(_ number: Int, with peer: LatticeCore.PeerID, isBroken: Bool) {
        guard case .open(number, let hasSent)? = channels[peer] else { return }
        channels[peer] = nil
        if isBroken, hasSent { broken.insert(peer) }
    }

    /// The stream that messages to this peer went over.
    func stream(to peer: LatticeCore.PeerID) -> Int? {
        guard case .open(let number, hasSent: true)? = channels[peer] else { return nil }
        return number
    }

    /// What to send with, if there is nothing to do and nothing to note first.
    func sending(to peer: LatticeCore.PeerID) -> (streams: StreamExchange, number: Int)? {
        guard let streams, broken.isEmpty || !broken.contains(peer), let number = stream(to: peer) else { return nil }
        return (streams, number)
    }

    var numbers: [Int] {
        channels.values.compactMap { if case .open(let number, _) = $0 { number } else { nil } }.sorted()
    }

    // MARK: - Flushing

    mutating func nextFlush() -> UInt64 {
        lastFlush += 1
        return lastFlush
    }

    mutating func wasFlushed(_ number: UInt64) {
        // Numbers that nobody asked for are a stranger's.
        if number <= lastFlush { flushed.insert(number) }
    }

    /// - Returns: whether it was read; `nil` while that is unknown.
    mutating func outcome(of flush: UInt64, over stream: Int, to peer: LatticeCore.PeerID) -> Bool? {
        if flushed.remove(flush) != nil { return true }
        return self.stream(to: peer) == stream ? nil : false
    }
}

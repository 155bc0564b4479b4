import DequeModule
import LatticeCore
import LatticeMesh
import LatticeWire
import OrderedCollections

/// How a wait for data to arrive ended.
struct DataOutcome: Sendable {
    let error: DataError?

    static let none = DataOutcome(error: nil)
}

/// Outgoing data for each peer that the mesh has not taken yet.
struct DataLanes: Sendable {
    /// A few milliseconds' worth on a fast link, enough that it never runs dry.
    private static let bytesMax = 256 << 10
    /// Peers with data waiting; the mesh sends to no more at a time.
    private static let countMax = DataLimit.outgoingMax

    enum Put {
        /// - Parameter isFirst: the node has to be notified.
        case taken(isFirst: Bool)
        case full
        case ended(DataError)
    }

    /// Everybody who waited and has nothing left to wait for.
    struct Released {
        var writers: [CheckedContinuation<Void, Never>] = []
        var flushers: [CheckedContinuation<DataOutcome, Never>] = []

        func resume(_ error: DataError) {
            for writer in writers { writer.resume() }
            for flusher in flushers { flusher.resume(returning: DataOutcome(error: error)) }
        }
    }

    private struct Lane: Sendable {
        var parts: Deque<DataMessages> = []
        var open = DataMessages()
        var bytes = 0
        /// Something was handed over that may not have arrived.
        var isUnconfirmed = false
        /// Thrown to the next sender.
        var error: DataError?
        var writers: [CheckedContinuation<Void, Never>] = []
        var flushers: [CheckedContinuation<DataOutcome, Never>] = []

        var isWaiting: Bool { bytes > 0 }
        var isIdle: Bool { bytes == 0 && !isUnconfirmed && error == nil && writers.isEmpty && flushers.isEmpty }

        mutating func append(_ message: [UInt8]) {
            if open.isFull(for: message.count) {
                parts.append(open)
                open = DataMessages()
            }
            let before = open.bytes.count
            open.append(message)
            bytes += open.bytes.count - before
        }

        mutating func take(atMost count: Int) -> DataMessages? {
            if let first = parts.first {
                guard first.bytes.count <= count else { return nil }
                parts.removeFirst()
                bytes -= first.bytes.count
                return first
            }
            guard !open.isEmpty, open.bytes.count <= count else { return nil }
            defer {
                bytes -= open.bytes.count
                open = DataMessages()
            }
            return open
        }
    }

    private var lanes: OrderedDictionary<PeerID, Lane> = [:]
    private var isTold = false
    private var hasStopped = false

    mutating func put(_ message: [UInt8], for peer: PeerID) -> Put {
        guard !hasStopped else { return .ended(.stopped) }
        guard let index = index(of: peer) else { return .ended(.full) }
        if let error = lanes.values[index].error {
            lanes.values[index].error = nil
            return .ended(error)
        }
        guard lanes.values[index].bytes < Self.bytesMax else { return .full }
        lanes.values[index].append(message)
        defer { isTold = true }
        return .taken(isFirst: !isTold)
    }

    /// - Returns: whether to wait.
    mutating func waitForRoom(to peer: PeerID, _ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard let index = lanes.index(forKey: peer), lanes.values[index].bytes >= Self.bytesMax else { return false }
        lanes.values[index].writers.append(continuation)
        return true
    }

    /// - Returns: the outcome, if there is nothing to wait for.
    mutating func flush(_ peer: PeerID, _ continuation: CheckedContinuation<DataOutcome, Never>) -> DataOutcome? {
        guard !hasStopped else { return DataOutcome(error: .stopped) }
        guard let index = lanes.index(forKey: peer) else { return DataOutcome.none }
        if let error = lanes.values[index].error {
            lanes.values[index].error = nil
            return DataOutcome(error: error)
        }
        guard lanes.values[index].isWaiting || lanes.values[index].isUnconfirmed else { return DataOutcome.none }
        lanes.values[index].flushers.append(continuation)
        return nil
    }

    private mutating func index(of peer: PeerID) -> Int? {
        if let index = lanes.index(forKey: peer) { return index }
        if lanes.count >= Self.countMax {
            guard let idle = lanes.values.firstIndex(where: { $0.isIdle }) else { return nil }
            lanes.remove(at: idle)
        }
        lanes[peer] = Lane()
        return lanes.count - 1
    }

    /// Peers with data waiting. The next sender notifies the node again.
    mutating func waiting() -> [PeerID] {
        isTold = false
        var peers: [PeerID] = []
        for index in lanes.values.indices where lanes.values[index].isWaiting { peers.append(lanes.keys[index]) }
        return peers
    }

    func isWaiting(for peer: PeerID) -> Bool {
        lanes[peer]?.isWaiting ?? false
    }

    mutating func take(
        for peer: PeerID, atMost count: Int
    ) -> (DataMessages?, writers: [CheckedContinuation<Void, Never>]) {
        guard let index = lanes.index(forKey: peer), let messages = lanes.values[index].take(atMost: count) else {
            return (nil, [])
        }
        lanes.values[index].isUnconfirmed = true
        guard lanes.values[index].bytes <= Self.bytesMax / 2 else { return (messages, []) }
        defer { lanes.values[index].writers = [] }
        return (messages, lanes.values[index].writers)
    }

    /// - Returns: who waited for this, unless more is queued by now.
    mutating func confirmed(to peer: PeerID) -> [CheckedContinuation<DataOutcome, Never>] {
        guard let index = lanes.index(forKey: peer), !lanes.values[index].isWaiting else { return [] }
        lanes.values[index].isUnconfirmed = false
        defer { lanes.values[index].flushers = [] }
        return lanes.values[index].flushers
    }

    /// Drops what is queued along with what was in flight, so that a program that gets the error knows where it stands.
    mutating func ended(_ peer: PeerID, _ error: DataError) -> Released {
        guard let index = lanes.index(forKey: peer) else { return Released() }
        let lane = lanes.values[index]
        lanes.values[index] = Lane()
        // A waiter in `flush` gets the error now, and nobody else needs it.
        if lane.flushers.isEmpty { lanes.values[index].error = error }
        return Released(writers: lane.writers, flushers: lane.flushers)
    }

    mutating func finish() -> Released {
        hasStopped = true
        defer { lanes = [:] }
        return Released(
            writers: lanes.values.flatMap(\.writers), flushers: lanes.values.flatMap(\.flushers))
    }
}

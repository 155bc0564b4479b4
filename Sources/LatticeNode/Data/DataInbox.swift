import DequeModule
import LatticeCore
import LatticeMesh
import LatticeWire
import OrderedCollections

/// Received data that nobody has read yet. The mesh accepts no more from a peer than its window.
struct DataInbox: Sendable {
    /// Reads are reported to the node after this many bytes: a quarter of a window.
    private static let readBytesReported = 128 << 10
    /// Or after this many peers: the mesh must know that a silent peer has nothing waiting, to make space for others.
    private static let readPeersReported = DataLimit.incomingMax / 2

    private var parts: Deque<(DataOrigin, DataMessages)> = []
    private var reader: CheckedContinuation<Void, Never>?
    private var read: OrderedDictionary<DataOrigin, Int> = [:]
    private var readBytes = 0
    private var isReadDue: Bool { readBytes >= Self.readBytesReported || read.count >= Self.readPeersReported }
    private var isOpen = false
    private var isUnreported = false
    private(set) var isFinished = false

    /// - Returns: `false` if somebody else reads.
    mutating func open() -> Bool {
        guard !isOpen else { return false }
        (isOpen, isUnreported) = (true, true)
        return true
    }

    mutating func close() {
        (isOpen, isUnreported) = (false, true)
        parts = []
        forgetRead()
    }

    mutating func take() -> (DataOrigin, DataMessages)? {
        parts.popFirst()
    }

    /// - Returns: whether to wait.
    mutating func waitForPart(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard parts.isEmpty, !isFinished else { return false }
        precondition(reader == nil, "data has one reader")
        reader = continuation
        return true
    }

    /// - Returns: whether to notify the node now.
    mutating func wasRead(_ bytes: Int, from origin: DataOrigin) -> Bool {
        let isTold = isReadDue
        read[origin, default: 0] += bytes
        readBytes += bytes
        return isReadDue && !isTold
    }

    private mutating func forgetRead() {
        read = [:]
        readBytes = 0
    }

    /// - Returns: what was read since the last report, once it is worth one, and whether there is a reader, if that changed.
    mutating func news() -> ([(DataOrigin, bytes: Int)], Bool?) {
        guard isUnreported || isReadDue else { return ([], nil) }
        defer {
            forgetRead()
            isUnreported = false
        }
        return (read.map { ($0.key, $0.value) }, isUnreported ? isOpen : nil)
    }

    /// - Returns: the reader that waits for it.
    mutating func came(_ messages: DataMessages, from origin: DataOrigin) -> CheckedContinuation<Void, Never>? {
        guard isOpen else { return nil }
        parts.append((origin, messages))
        defer { reader = nil }
        return reader
    }

    mutating func finish() -> CheckedContinuation<Void, Never>? {
        isFinished = true
        defer { reader = nil }
        return reader
    }
}

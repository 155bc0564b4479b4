import DequeModule
import LatticeCore
import LatticeMesh
import LatticeWire
import OrderedCollections

/// What peers have sent and nobody has read yet. The mesh takes no more from a peer than its window.
struct DataInbox: Sendable {
    /// A node is told what was read once it is so much: a quarter of a window.
    private static let readBytesTold = 128 << 10
    /// Or once it is of so many peers: of whoever is silent the mesh has to know that nothing waits, to make room for others.
    private static let readPeersTold = DataLimit.incomingMax / 2

    private var parts: Deque<(DataOrigin, DataMessages)> = []
    private var reader: CheckedContinuation<Void, Never>?
    private var read: OrderedDictionary<DataOrigin, Int> = [:]
    private var readBytes = 0
    private var isReadToBeTold: Bool { readBytes >= Self.readBytesTold || read.count >= Self.readPeersTold }
    private var isOpen = false
    private var isUntold = false
    private(set) var isFinished = false

    // MARK: - For what reads

    /// - Returns: whether nobody else reads.
    mutating func open() -> Bool {
        guard !isOpen else { return false }
        (isOpen, isUntold) = (true, true)
        return true
    }

    mutating func close() {
        (isOpen, isUntold) = (false, true)
        parts = []
        forgetRead()
    }

    mutating func take() -> (DataOrigin, DataMessages)? {
        parts.popFirst()
    }

    /// - Returns: whether it is to wait.
    mutating func waitForPart(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard parts.isEmpty, !isFinished else { return false }
        precondition(reader == nil, "data has one reader")
        reader = continuation
        return true
    }

    /// - Returns: whether the node is to be told now.
    mutating func wasRead(_ bytes: Int, from origin: DataOrigin) -> Bool {
        let isTold = isReadToBeTold
        read[origin, default: 0] += bytes
        readBytes += bytes
        return isReadToBeTold && !isTold
    }

    private mutating func forgetRead() {
        read = [:]
        readBytes = 0
    }

    // MARK: - For the node

    /// - Returns: what was read since this was told last, once it is worth it, and whether somebody reads now if that has changed.
    mutating func news() -> ([(DataOrigin, bytes: Int)], Bool?) {
        guard isUntold || isReadToBeTold else { return ([], nil) }
        defer {
            forgetRead()
            isUntold = false
        }
        return (read.map { ($0.key, $0.value) }, isUntold ? isOpen : nil)
    }

    /// - Returns: who waits for it.
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

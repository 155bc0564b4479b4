import LatticeAPI
import LatticeCore
import LatticeNode

/// The node of a session that runs.
struct ServingNode: Sendable {
    let node: Node
    let id: LatticeCore.PeerID
    let port: UInt16
    /// Whether records are kept.
    let hasStore: Bool

    @discardableResult
    nonisolated(nonsending) func perform<R: Request>(_ request: R) async throws(LatticeError) -> R.Reply {
        do throws(RequestError) {
            return try await node.perform(request)
        } catch {
            throw LatticeError(error)
        }
    }
}

/// Where a session is in its life, and what belongs to that.
struct SessionLife: Sendable {
    private(set) var phase = Session.Phase.idle
    private(set) var hasRun = false
    private var node: ServingNode?
    /// Why `run` failed.
    private var failure: LatticeError?

    /// - Returns: `nil` while it is unknown.
    var outcome: Result<ServingNode, LatticeError>? {
        switch phase {
        case .idle, .starting: nil
        case .running: node.map { .success($0) }
        case .closing, .closed: .failure(failure ?? .closed)
        }
    }

    /// - Returns: whether this is the first call of `run`.
    mutating func begin() -> Bool {
        guard phase == .idle else { return false }
        phase = .starting
        return true
    }

    /// - Returns: whether the node may run; otherwise the session was closed meanwhile.
    mutating func hasOpened(_ node: ServingNode) -> Bool {
        self.node = node
        return phase == .starting
    }

    mutating func isReady() {
        if phase == .starting { (phase, hasRun) = (.running, true) }
    }

    /// - Returns: the node, if there is one to stop.
    mutating func close() -> ServingNode? {
        switch phase {
        case .idle: phase = .closed
        case .starting, .running: phase = .closing
        case .closing, .closed: return nil
        }
        return node
    }

    mutating func end(_ failure: LatticeError? = nil) {
        (phase, node, self.failure) = (.closed, nil, failure)
    }
}

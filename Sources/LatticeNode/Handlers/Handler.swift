import LatticeAPI
import LatticeCore

/// How one kind of request is carried out, by who asks.
final class Handler<R: Request>: Sendable {
    typealias ForOwner = @Sendable (isolated Node, R) async throws(RequestError) -> R.Reply
    typealias ForPersona = @Sendable (isolated Node, Persona, R) async throws(RequestError) -> R.Reply
    typealias WithoutNode = @Sendable (StoreNode, R) async throws(RequestError) -> R.Reply
    /// What the owner, a visitor and a command without a node do alike.
    typealias OnWall = @Sendable (isolated Wall, R, WallTime) async throws(RequestError) -> R.Reply
    typealias Damaged = @Sendable (DamagedStoreNode, R) async throws(RequestError) -> R.Reply

    private let forOwner: ForOwner
    private let forVisitor: ForPersona?
    private let withoutNode: WithoutNode?
    private let damaged: Damaged?
    private let onWall: OnWall?

    init(
        owner: @escaping ForOwner, visitor: ForPersona?, withoutNode: WithoutNode?, damaged: Damaged?, onWall: OnWall?
    ) {
        (forOwner, forVisitor) = (owner, visitor)
        (self.withoutNode, self.damaged, self.onWall) = (withoutNode, damaged, onWall)
    }

    func perform(_ request: R, on node: isolated Node) async throws(RequestError) -> R.Reply {
        try await forOwner(node, request)
    }

    func perform(
        _ request: R, for person: Persona, on node: isolated Node
    ) async throws(RequestError) -> R.Reply {
        guard let forVisitor else { throw .ownersAlone }
        return try await forVisitor(node, person, request)
    }

    func perform(_ request: R, in store: StoreNode) async throws(RequestError) -> R.Reply {
        guard let withoutNode else { throw .noNode }
        return try await withoutNode(store, request)
    }

    func perform(_ request: R, on wall: isolated Wall, at now: WallTime) async throws(RequestError) -> R.Reply {
        guard let onWall else { throw .noNode }
        return try await onWall(wall, request, now)
    }

    /// What needs a store is refused with what is wrong with it.
    func perform(_ request: R, in store: DamagedStoreNode) async throws(RequestError) -> R.Reply {
        if let damaged { return try await damaged(store, request) }
        throw withoutNode == nil ? .noNode : store.damage
    }
}

extension RequestError {
    static let ownersAlone = RequestError(
        .invalid, "only the owner of this node can do that; ask them, or run your own node")
    static let noNode = RequestError(.stopped, "no node is running; start one with 'lattice chat'")
}

import LatticeAPI

/// How one kind of request is carried out, by who asks.
final class Handler<R: Request>: Sendable {
    typealias ForOwner = @Sendable (isolated Node, R) async throws(RequestError) -> R.Reply
    typealias ForPersona = @Sendable (isolated Node, Persona, R) async throws(RequestError) -> R.Reply
    typealias WithoutNode = @Sendable (StoreNode, R) async throws(RequestError) -> R.Reply
    typealias Damaged = @Sendable (DamagedStoreNode, R) async throws(RequestError) -> R.Reply

    private let forOwner: ForOwner
    private let forResident: ForPersona?
    private let withoutNode: WithoutNode?
    private let damaged: Damaged?

    init(
        owner: @escaping ForOwner, resident: ForPersona?, withoutNode: WithoutNode?, damaged: Damaged?
    ) {
        (forOwner, forResident) = (owner, resident)
        (self.withoutNode, self.damaged) = (withoutNode, damaged)
    }

    func perform(_ request: R, on node: isolated Node) async throws(RequestError) -> R.Reply {
        try await forOwner(node, request)
    }

    func perform(
        _ request: R, for person: Persona, on node: isolated Node
    ) async throws(RequestError) -> R.Reply {
        guard let forResident else { throw .ownersAlone }
        return try await forResident(node, person, request)
    }

    func perform(_ request: R, in store: StoreNode) async throws(RequestError) -> R.Reply {
        guard let withoutNode else { throw .noNode }
        return try await withoutNode(store, request)
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

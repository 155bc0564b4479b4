import LatticeAPI
import LatticeCore

final class Handler<R: Request>: Sendable {
    typealias ForOwner = @Sendable (isolated Node, R) async throws(RequestError) -> R.Reply
    typealias ForPersona = @Sendable (isolated Node, Persona, R) async throws(RequestError) -> R.Reply
    typealias WithoutNode = @Sendable (StoreNode, R) async throws(RequestError) -> R.Reply
    /// Needs only the store: the same with and without a node.
    typealias OnDesk = @Sendable (PersonaDesk, R, WallTime) async throws(RequestError) -> R.Reply
    typealias Damaged = @Sendable (DamagedStoreNode, R) async throws(RequestError) -> R.Reply

    private let forPersona: ForPersona
    private let isOwnersAlone: Bool
    private let withoutNode: WithoutNode?
    private let damaged: Damaged?
    private let onDesk: OnDesk?

    init(
        isOwnersAlone: Bool, _ forPersona: @escaping ForPersona, withoutNode: WithoutNode?, damaged: Damaged?,
        onDesk: OnDesk?
    ) {
        (self.isOwnersAlone, self.forPersona) = (isOwnersAlone, forPersona)
        (self.withoutNode, self.damaged, self.onDesk) = (withoutNode, damaged, onDesk)
    }

    func perform(_ request: R, for persona: Persona, on node: isolated Node) async throws(RequestError) -> R.Reply {
        guard persona.isOwner || !isOwnersAlone else { throw .ownerOnly }
        return try await forPersona(node, persona, request)
    }

    func perform(_ request: R, in store: StoreNode) async throws(RequestError) -> R.Reply {
        guard let withoutNode else { throw .stopped(why: .noNode) }
        return try await withoutNode(store, request)
    }

    func perform(_ request: R, at desk: PersonaDesk, _ now: WallTime) async throws(RequestError) -> R.Reply {
        guard let onDesk else { throw .stopped(why: .noNode) }
        return try await onDesk(desk, request, now)
    }

    /// Requests that need a store fail with its fault.
    func perform(_ request: R, in store: DamagedStoreNode) async throws(RequestError) -> R.Reply {
        if let damaged { return try await damaged(store, request) }
        throw withoutNode == nil ? .stopped(why: .noNode) : store.damage
    }
}

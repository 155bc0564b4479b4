import LatticeAPI
import LatticeCrypto

/// What a store request may do, and for whom.
struct WallAccess: OptionSet {
    let rawValue: UInt8

    /// Sends what it wrote and notifies others.
    static let writes = WallAccess(rawValue: 1)
    /// Open to every persona. Without it only the owner may make the request.
    static let personas = WallAccess(rawValue: 2)
}

extension HandlerTable {
    /// Needs only the store: the same with a node, without one, and for every persona.
    mutating func onDesk<R: Request>(
        _: R.Type, _ access: WallAccess = [], withoutNode: Handler<R>.WithoutNode? = nil,
        damaged: Handler<R>.Damaged? = nil, _ work: @escaping Handler<R>.OnDesk
    ) {
        let writes = access.contains(.writes)
        let alone: Handler<R>.WithoutNode = { store, request throws(RequestError) in
            try await store.wall.perform(request, at: await store.time())
        }
        add(
            Handler<R>(
                isOwnersAlone: !access.contains(.personas),
                { node, persona, request throws(RequestError) in
                    let reply = try await work(try node.desk(of: persona), request, node.clock.now)
                    if writes { await node.wrote(reply, by: persona) }
                    return reply
                }, withoutNode: withoutNode ?? alone, damaged: damaged, onDesk: work))
    }
}

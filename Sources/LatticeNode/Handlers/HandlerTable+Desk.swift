import LatticeAPI

/// What a store request may do, and for whom.
struct RequestAccess: OptionSet {
    let rawValue: UInt8

    /// Sends what it wrote and notifies others.
    static let writes = RequestAccess(rawValue: 1)
    /// Open to every persona. Without it only the owner may make the request.
    static let personas = RequestAccess(rawValue: 2)
}

extension HandlerTable {
    /// Needs only the store: the same with a node, without one, and for every persona.
    mutating func onDesk<R: Request>(
        _: R.Type, _ access: RequestAccess = [], withoutNode: Handler<R>.WithoutNode? = nil,
        damaged: Handler<R>.Damaged? = nil, _ work: @escaping Handler<R>.OnDesk
    ) {
        let writes = access.contains(.writes)
        let alone: Handler<R>.WithoutNode = { store, request throws(RequestError) in
            try await store.archive.perform(request, at: await store.time())
        }
        add(
            Handler<R>(
                isOwnersAlone: !access.contains(.personas),
                { node, persona, request throws(RequestError) in
                    let reply = try await work(try node.publisher.desk(of: persona, for: node), request, node.clock.now)
                    if writes { await node.publisher.wrote(reply, by: persona, for: node) }
                    return reply
                }, withoutNode: withoutNode ?? alone, damaged: damaged, onDesk: work))
    }
}

package import LatticeAPI

/// One handler for each kind of request.
package struct HandlerTable: Sendable {
    static let all = HandlerTable { table in
        StreamHandlers.register(in: &table)
        RoomHandlers.register(in: &table)
        KnownHandlers.register(in: &table)
        PostHandlers.register(in: &table)
        ProfileHandlers.register(in: &table)
        StoreHandlers.register(in: &table)
    }

    /// The requests that a node takes.
    package static var names: RequestNames { all.names }

    private var handlers: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    private var names = RequestNames()

    private init(_ register: (inout HandlerTable) -> Void) {
        register(&self)
    }

    /// - Parameters:
    ///   - visitor: for the people who use this node beside its owner; `nil`: it is the owner's alone.
    ///   - withoutNode: for one command that has a store and no network; `nil`: it needs a node.
    ///   - damaged: for a store that does not open; `nil`: what is wrong with it is the answer.
    ///   - onWall: on a store and nothing else; `nil`: it needs more.
    mutating func on<R: Request>(
        _: R.Type, owner: @escaping Handler<R>.ForOwner, visitor: Handler<R>.ForPersona? = nil,
        withoutNode: Handler<R>.WithoutNode? = nil, damaged: Handler<R>.Damaged? = nil, onWall: Handler<R>.OnWall? = nil
    ) {
        names.add(R.self)
        handlers[ObjectIdentifier(R.self)] = Handler<R>(
            owner: owner, visitor: visitor, withoutNode: withoutNode, damaged: damaged, onWall: onWall)
    }

    /// - Parameters:
    ///   - persona: for the owner and for visitors alike.
    ///   - withoutNode: for one command that has a store and no network; `nil`: it needs a node.
    mutating func onPersona<R: Request>(
        _: R.Type, _ persona: @escaping Handler<R>.ForPersona, withoutNode: Handler<R>.WithoutNode? = nil
    ) {
        on(
            R.self,
            owner: { node, request throws(RequestError) in try await persona(node, node.personas.owner, request) },
            visitor: persona, withoutNode: withoutNode)
    }

    subscript<R: Request>(_: R.Type) -> Handler<R> {
        guard let handler = handlers[ObjectIdentifier(R.self)] as? Handler<R> else {
            preconditionFailure("\(R.name) has no handler")
        }
        return handler
    }
}

package import LatticeAPI

package struct HandlerTable: Sendable {
    static let all = HandlerTable { table in
        StreamHandlers.register(in: &table)
        RecordHandlers.register(in: &table)
        BridgeHandlers.register(in: &table)
        RoomHandlers.register(in: &table)
        KnownHandlers.register(in: &table)
        ChatHandlers.register(in: &table)
        PinHandlers.register(in: &table)
        PlaceHandlers.register(in: &table)
        DraftHandlers.register(in: &table)
        FileHandlers.register(in: &table)
        MapHandlers.register(in: &table)
        UploadHandlers.register(in: &table)
        PhotoHandlers.register(in: &table)
        ReadHandlers.register(in: &table)
        PrivateMessageHandlers.register(in: &table)
        PeerHandlers.register(in: &table)
        AwayHandlers.register(in: &table)
        CrossingHandlers.register(in: &table)
        MachineHandlers.register(in: &table)
        StatusHandlers.register(in: &table)
        PostHandlers.register(in: &table)
        NotificationHandlers.register(in: &table)
        ProfileHandlers.register(in: &table)
        StoreHandlers.register(in: &table)
    }

    package static var names: RequestNames { all.names }

    private var handlers: [ObjectIdentifier: any AnyObject & Sendable] = [:]
    private var names = RequestNames()

    private init(_ register: (inout HandlerTable) -> Void) {
        register(&self)
    }

    /// For every persona.
    ///
    /// - Parameter withoutNode: runs it for one command, with a store and no network; `nil`: it needs a node.
    mutating func onPersona<R: Request>(
        _: R.Type, _ persona: @escaping Handler<R>.ForPersona, withoutNode: Handler<R>.WithoutNode? = nil
    ) {
        add(Handler<R>(isOwnersAlone: false, persona, withoutNode: withoutNode, damaged: nil, onDesk: nil))
    }

    /// For the owner only, who decides on links, policy and the machine.
    mutating func onOwner<R: Request>(_: R.Type, _ owner: @escaping Handler<R>.ForOwner) {
        add(
            Handler<R>(
                isOwnersAlone: true, { node, _, request throws(RequestError) in try await owner(node, request) },
                withoutNode: nil, damaged: nil, onDesk: nil))
    }

    mutating func add<R: Request>(_ handler: Handler<R>) {
        names.add(R.self)
        handlers[ObjectIdentifier(R.self)] = handler
    }

    subscript<R: Request>(_: R.Type) -> Handler<R> {
        guard let handler = handlers[ObjectIdentifier(R.self)] as? Handler<R> else {
            preconditionFailure("\(R.name) has no handler")
        }
        return handler
    }
}

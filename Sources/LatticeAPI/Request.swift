/// A request of a front to a node. `Reply` is the type of its answer.
package protocol Request: Hashable, Codable, Sendable {
    associatedtype Reply: Hashable, Codable, Sendable

    /// The method on the control socket.
    static var name: String { get }
    /// What the control socket calls the reply.
    static var replyName: String { get }
    static var traits: RequestTraits { get }
}

extension Request {
    package static var traits: RequestTraits { [] }
}

/// The reply of a request that has nothing to say but that it was done.
package struct Done: Hashable, Codable, Sendable {
    package init() {}
}

/// What a front has to know of a request to handle it well.
package struct RequestTraits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Asking twice does the same as asking once.
    package static let repeatable = RequestTraits(rawValue: 1)
    /// It waits for something: on a connection, later requests do not wait for it.
    package static let waits = RequestTraits(rawValue: 2)
}

/// The requests that can be read by name.
package struct RequestNames: Sendable {
    private var types: [String: any Request.Type] = [:]

    package init() {}

    package mutating func add<R: Request>(_: R.Type) {
        let before = types.updateValue(R.self, forKey: R.name)
        precondition(before == nil, "two requests are called \(R.name)")
    }

    /// - Returns: `nil` if no request has this name.
    package subscript(name: String) -> (any Request.Type)? { types[name] }
}

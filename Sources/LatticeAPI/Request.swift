/// A request from a front to a node. `Reply` is the type of its answer.
package protocol Request: Hashable, Codable, Sendable {
    associatedtype Reply: Hashable, Codable, Sendable

    /// The method on the control socket.
    static var name: String { get }
    /// The reply's name on the control socket.
    static var replyName: String { get }
    static var traits: RequestTraits { get }
}

extension Request {
    package static var traits: RequestTraits { [] }
}

/// An empty reply: the request was carried out.
package struct Done: Hashable, Codable, Sendable {
    package init() {}
}

/// What a front has to know about a request to handle it well.
package struct RequestTraits: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Repeating it has no further effect.
    package static let repeatable = RequestTraits(rawValue: 1)
    /// It waits for something; later requests on the same connection do not wait for it.
    package static let waits = RequestTraits(rawValue: 2)
}

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

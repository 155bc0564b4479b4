/// One thing that can be asked: where, by whom, and what is done. What stands in the OpenAPI document is told of it here.
struct Route: Sendable {
    enum Access: Sendable {
        /// Whoever reaches the server on this machine; from elsewhere with the token.
        case anybody
        /// Only with the token.
        case owner
        /// Whoever has a token of an app, or that of the owner.
        case user
        /// Whoever reaches the server, from wherever.
        case everybody
    }

    /// Who asks.
    struct Caller: Sendable {
        /// Has the token.
        let isOwner: Bool
    }

    typealias Handler = @Sendable (HTTPDesk, RouteCall) async throws(HTTPProblem) -> HTTPReply

    let method: HTTPCall.Method
    /// As in `/v1/items/{id}/like`.
    let pattern: String
    let pieces: [Piece]
    let access: Access
    let about: RouteFacts
    let handler: Handler

    enum Piece: Sendable, Equatable {
        case word(String)
        case value(String)
    }

    init(
        _ method: HTTPCall.Method, _ pattern: String, _ access: Access = .anybody, _ about: RouteFacts,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.about = about
        self.handler = handler
        pieces = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { piece in
            piece.hasPrefix("{") ? .value(String(piece.dropFirst().dropLast())) : .word(String(piece))
        }
    }

    /// What a body may say. Apps say what they like, as they did to Humon.
    var fields: [String]? {
        guard access != .user, case .object(let schema)? = about.body,
            case .object(let members)? = schema.first(where: { $0.0 == "properties" })?.1
        else { return nil }
        return members.map(\.0)
    }

    /// - Returns: what stands where the pattern has a name; `nil` where it does not fit.
    func values(of path: [String]) -> [String: String]? {
        guard path.count == pieces.count else { return nil }
        var values: [String: String] = [:]
        for (piece, text) in zip(pieces, path) {
            switch piece {
            case .word(let word): guard word == text else { return nil }
            case .value(let name):
                guard !text.isEmpty else { return nil }
                values[name] = text
            }
        }
        return values
    }
}

/// A call that has found its route.
struct RouteCall: Sendable {
    let call: HTTPCall
    let values: [String: String]
    let isOwner: Bool
    /// What its body may say, in the order of the document; `nil` where more is passed over.
    var fields: [String]?

    func value(_ name: String) -> String {
        guard let value = values[name] else { preconditionFailure("the pattern of the route has \(name)") }
        return value
    }
}

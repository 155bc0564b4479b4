import LatticeAPI
import LatticeCore

/// One route: method, path, access and handler, with its description for the OpenAPI document.
struct Route: Sendable {
    enum Access: Sendable {
        /// Anybody on this machine; elsewhere only with the token.
        case anybody
        /// Only with the token.
        case owner
        /// The owner, and visitors in their own names.
        case person
        /// With the token of an app or of the owner.
        case user
        case everybody
    }

    typealias FileCheck = @Sendable (RouteCall) throws(HTTPProblem) -> BeginUpload
    typealias Handler = @Sendable (HTTPDesk, RouteCall) async throws(HTTPProblem) -> HTTPReply

    let method: HTTPCall.Method
    /// Such as `/v1/items/{id}/like`.
    let pattern: String
    let pieces: [Piece]
    let access: Access
    let about: RouteFacts
    let handler: Handler
    /// Set if the body is a file, which goes to the node as it arrives: how that begins. It can refuse a request before the body is
    /// read.
    let checkBeforeFile: FileCheck?
    /// The longest file that the body may be.
    let fileBytesMax: Int64

    enum Piece: Sendable, Equatable {
        case word(String)
        case value(String)
    }

    init(
        _ method: HTTPCall.Method, _ pattern: String, _ access: Access = .anybody, _ about: RouteFacts,
        beforeFile checkBeforeFile: FileCheck? = nil, fileBytesMax: Int64 = FileInfo.sizeMax,
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.about = about
        self.handler = handler
        (self.checkBeforeFile, self.fileBytesMax) = (checkBeforeFile, fileBytesMax)
        pieces = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { piece in
            piece.hasPrefix("{") ? .value(String(piece.dropFirst().dropLast())) : .word(String(piece))
        }
    }

    /// Allowed fields of a body. Apps may send any, as they did to Humon.
    var fields: [String]? {
        guard access != .user, case .object(let schema)? = about.body,
            case .object(let members)? = schema.first(where: { $0.0 == "properties" })?.1
        else { return nil }
        return members.map(\.0)
    }

    /// - Returns: the values for the pattern's names; `nil` if the path does not match.
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

struct RouteCall: Sendable {
    enum Caller: Sendable {
        case owner
        case visitor(VisitorSeat)
        /// Somebody without a token.
        case guest
    }

    let call: HTTPCall
    let values: [String: String]
    let caller: Caller
    /// Allowed fields of its body, in the order of the document; `nil` if unknown ones are skipped.
    var fields: [String]?

    var isOwner: Bool { if case .owner = caller { true } else { false } }

    /// Whether it is somebody in whose name the node acts.
    var isPerson: Bool { if case .guest = caller { false } else { true } }

    var seat: VisitorSeat? { if case .visitor(let seat) = caller { seat } else { nil } }

    func value(_ name: String) -> String {
        guard let value = values[name] else { preconditionFailure("the pattern of the route has \(name)") }
        return value
    }
}

package import Foundation
package import LatticeAPI

/// Lines of JSON-RPC 2.0, one object each.
enum ControlLine {
    enum Member: String, CodingKey {
        case jsonrpc
        case id
        case method
        case params
        case result
        case error
    }

    static let version = "2.0"

    static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("what this protocol says has a form in JSON: \(error)")
        }
    }
}

/// A request of a client: a method with its parameters, and an id that the response repeats.
package struct ControlRequest: Decodable {
    package enum Method: Sendable {
        case request(any Request)
        case hello
        case subscribe(ControlSubscription)
        /// Carries the bytes of this stream on this connection from now on.
        case attach(stream: Int)
    }

    /// `nil` if the client wants no response.
    package let id: ControlID?
    package let method: Result<Method, ControlError>

    private static let namesKey = CodingUserInfoKey(rawValue: "names")!

    /// - Parameter names: the requests that may be called.
    package static func decoder(_ names: RequestNames) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[namesKey] = names
        return decoder
    }

    package init(from decoder: any Decoder) throws {
        guard let names = decoder.userInfo[Self.namesKey] as? RequestNames else {
            preconditionFailure("a line is read by `ControlRequest.decoder`")
        }
        let members = try decoder.container(keyedBy: ControlLine.Member.self)
        id = try ControlID.found(in: members)
        let name = try members.decode(String.self, forKey: .method)
        do {
            let hasParams = try members.contains(.params) && !members.decodeNil(forKey: .params)
            let params = hasParams ? try members.superDecoder(forKey: .params) : try EmptyParams.decoder()
            method = .success(try Self.method(name, params, names))
        } catch let error as UnknownCall {
            method = .failure(ControlError(.methodNotFound, error.description))
        } catch {
            method = .failure(ControlError(.invalidParams, "\(name): \(Self.told(error))"))
        }
    }

    private static func method(_ name: String, _ params: any Decoder, _ names: RequestNames) throws -> Method {
        switch name {
        case "hello": return .hello
        case "subscribe": return .subscribe(try ControlSubscription(from: params))
        case AttachParams.method: return .attach(stream: try AttachParams(from: params).stream)
        default:
            guard let type = names[name] else { throw UnknownCall(name: name) }
            return .request(try type.init(from: params))
        }
    }

    /// The error's field and reason, in the words of the type that refused it.
    static func told(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return plain("\(error)") }
        switch error {
        case .keyNotFound(let key, _): return "'\(key.stringValue)' is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return told("must be \(words(for: type))", context)
        case .dataCorrupted(let context): return told(plain(context.debugDescription), context)
        @unknown default: return "has the wrong form"
        }
    }

    /// The decoder names Swift's types, which clients do not know.
    private static func plain(_ reason: String) -> String {
        let isForeign = ["Swift", "JSON", "fit in", "Int", "Double"].contains(where: reason.contains)
        return isForeign ? "is a number out of range" : reason
    }

    /// JSON's name for the type.
    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is String.Type: "a text"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }

    private static func told(_ reason: String, _ context: DecodingError.Context) -> String {
        var path = ""
        for key in context.codingPath where key.stringValue != "params" {
            if let place = key.intValue {
                path += "[\(place)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? reason : "'\(path)': \(reason)"
    }
}

/// The parameters of `stream.attach`.
struct AttachParams: Codable {
    static let method = "stream.attach"

    let stream: Int
}

/// Missing parameters count as empty.
private struct EmptyParams: Decodable {
    private let decoder: any Decoder

    init(from decoder: any Decoder) {
        self.decoder = decoder
    }

    static func decoder() throws -> any Decoder {
        try JSONDecoder().decode(EmptyParams.self, from: Data("{}".utf8)).decoder
    }
}

/// The identity of the node: the result of `hello`.
package struct ControlHello: Codable, Hashable, Sendable {
    /// The version of this protocol: 1.
    package let version: Int
    package let me: Me
    /// Distinguishes a closed mesh from others of its name, and from the open one; `nil` is open.
    package let closed: String?

    package init(version: Int = 1, me: Me, closed: String? = nil) {
        self.version = version
        self.me = me
        self.closed = closed
    }
}

/// A line from a node: a result, an error or an event.
enum ControlReply: Encodable {
    case reply(ControlID, name: String, any Encodable & Sendable)
    case hello(ControlID, ControlHello)
    /// The id is `nil` if the request could not be identified.
    case error(ControlID?, ControlError)
    case event(NodeEvent)
    case records(RecordBatch)
    /// Why a feed ended.
    case recordsEnded(Int, RequestError)

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: ControlLine.Member.self)
        try members.encode(ControlLine.version, forKey: .jsonrpc)
        switch self {
        case .reply(let id, let name, let reply):
            try members.encode(id, forKey: .id)
            var result = members.nestedContainer(keyedBy: AnyName.self, forKey: .result)
            try result.encode(reply, forKey: AnyName(name))
        case .hello(let id, let hello):
            try members.encode(id, forKey: .id)
            try members.encode(hello, forKey: .result)
        case .error(let id, let error):
            try members.encode(id, forKey: .id)
            try members.encode(error, forKey: .error)
        case .event(let event):
            let call = event.call
            try members.encode(call.name, forKey: .method)
            try members.encode(call, forKey: .params)
        case .records(let batch):
            try members.encode(RecordsEnded.recordsMethod, forKey: .method)
            try members.encode(batch, forKey: .params)
        case .recordsEnded(let feed, let error):
            try members.encode(RecordsEnded.method, forKey: .method)
            try members.encode(RecordsEnded(feed: feed, error: ControlError(error)), forKey: .params)
        }
    }
}

/// The parameters of `records.ended`.
struct RecordsEnded: Codable {
    static let method = "records.ended"
    /// The records themselves.
    static let recordsMethod = "records"

    let feed: Int
    let error: ControlError
}

import Foundation
package import LatticeAPI

// The client's side of these lines.

package struct ControlCall: Encodable {
    package enum Method {
        case request(any Request)
        case hello
        case subscribe
        case attach(stream: Int)
    }

    let id: Int64
    let method: Method

    package init(id: Int64, method: Method) {
        self.id = id
        self.method = method
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: ControlLine.Member.self)
        try members.encode(ControlLine.version, forKey: .jsonrpc)
        try members.encode(id, forKey: .id)
        switch method {
        case .request(let request):
            try members.encode(type(of: request).name, forKey: .method)
            try members.encode(request, forKey: .params)
        case .hello: try members.encode("hello", forKey: .method)
        case .subscribe: try members.encode("subscribe", forKey: .method)
        case .attach(let stream):
            try members.encode(AttachParams.method, forKey: .method)
            try members.encode(AttachParams(stream: stream), forKey: .params)
        }
    }
}

/// A line from a node, decoded.
enum ControlArrival: Decodable {
    case reply(Int64, any Sendable)
    case subscribed(Int64)
    case hello(Int64, ControlHello)
    case error(Int64?, ControlError)
    case event(NodeEvent)
    case records(RecordBatch)
    /// Why a feed ended.
    case recordsEnded(Int, ControlError)
    /// A line of a later version.
    case unknown

    /// The request that a reply answers; `nil` for `hello` and `subscribe`.
    typealias Asked = @Sendable (Int64) -> (any Request.Type)?

    private static let askedKey = CodingUserInfoKey(rawValue: "asked")!

    static func decoder(_ asked: @escaping Asked) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[askedKey] = asked
        return decoder
    }

    private static func reply<R: Request>(
        to _: R.Type, in result: KeyedDecodingContainer<AnyName>
    ) throws -> any Sendable {
        try result.decode(R.Reply.self, forKey: AnyName(R.replyName))
    }

    private static func notification(
        _ name: String, _ members: KeyedDecodingContainer<ControlLine.Member>
    ) throws -> Self {
        switch name {
        case RecordsEnded.recordsMethod: return .records(try members.decode(RecordBatch.self, forKey: .params))
        case RecordsEnded.method:
            let ended = try members.decode(RecordsEnded.self, forKey: .params)
            return .recordsEnded(ended.feed, ended.error)
        default: break
        }
        do {
            return .event(try NodeEvent(name, CallParams(try members.superDecoder(forKey: .params))))
        } catch is UnknownCall {
            return .unknown
        }
    }

    init(from decoder: any Decoder) throws {
        guard let asked = decoder.userInfo[Self.askedKey] as? Asked else {
            preconditionFailure("a line is read by `ControlArrival.decoder`")
        }
        let members = try decoder.container(keyedBy: ControlLine.Member.self)
        if let name = try members.decodeIfPresent(String.self, forKey: .method) {
            self = try Self.notification(name, members)
            return
        }
        let id = try members.decodeIfPresent(Int64.self, forKey: .id)
        if let error = try members.decodeIfPresent(ControlError.self, forKey: .error) {
            self = .error(id, error)
            return
        }
        let result = try members.nestedContainer(keyedBy: AnyName.self, forKey: .result)
        guard let id else {
            self = .unknown
            return
        }
        if result.contains(AnyName("version")) {
            self = .hello(id, try members.decode(ControlHello.self, forKey: .result))
            return
        }
        self = try asked(id).map { .reply(id, try Self.reply(to: $0, in: result)) } ?? .subscribed(id)
    }
}

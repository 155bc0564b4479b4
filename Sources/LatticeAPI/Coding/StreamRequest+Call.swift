import Foundation
import LatticeCore

extension StreamRequest {
    static let prefix = "stream."
    private static let waitUsual: Duration = .seconds(10)

    var call: Call {
        switch self {
        case .open(let peer, let label, let wait):
            Call("stream.open", [.peer: peer, .label: label, .wait: InSeconds(wrappedValue: wait)])
        case .listen(let label, let peer): Call("stream.listen", [.label: label, .peer: peer])
        case .send(let stream, let bytes): Call("stream.send", [.stream: stream, .data: Data(bytes)])
        case .finish(let stream): Call("stream.finish", [.stream: stream])
        case .receive(let stream): Call("stream.receive", [.stream: stream])
        case .reset(let stream, let reason): Call("stream.reset", [.stream: stream, .reason: reason])
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "open":
            let wait: InSeconds? = try params.optional(.wait)
            self = .open(
                try params[.peer], label: try params.optional(.label) ?? .usual,
                wait: try Self.checked(wait?.wrappedValue ?? Self.waitUsual))
        case "listen":
            self = .listen(label: try params.optional(.label) ?? .usual, from: try params.optional(.peer))
        case "send":
            let data: Data = try params[.data]
            guard data.count <= Self.bytesMax else {
                throw TextFault("\(data.count) bytes at once are too many; send at most \(Self.bytesMax)")
            }
            self = .send(try params[.stream], Array(data))
        case "finish": self = .finish(try params[.stream])
        case "receive": self = .receive(try params[.stream])
        case "reset": self = .reset(try params[.stream], try params.optional(.reason) ?? .ended)
        default: throw UnknownCall(name: name)
        }
    }

    private static func checked(_ wait: Duration) throws -> Duration {
        guard (.zero...waitMax).contains(wait) else { throw TextFault("a wait is 0 to 86400 seconds") }
        return wait
    }
}

extension StreamAnswer {
    static let prefix = "stream."

    var call: Call {
        switch self {
        case .done: Call("stream.done")
        case .opened(let stream): Call("stream.opened", of: stream)
        case .bytes(let bytes, let isEnd): Call("stream.bytes", [.data: Data(bytes), .isEnd: isEnd])
        }
    }

    init(_ name: String, _ params: CallParams) throws {
        switch name.dropFirst(Self.prefix.count) {
        case "done": self = .done
        case "opened": self = .opened(try params.whole())
        case "bytes":
            let data: Data = try params[.data]
            self = .bytes(Array(data), isEnd: try params[.isEnd])
        default: throw UnknownCall(name: name)
        }
    }
}

import LatticeAPI
import LatticeCore

/// A request and what a node might reply.
struct Exchange: Sendable {
    let request: any Request
    let reply: any Hashable & Codable & Sendable

    static func of<R: Request>(_ request: R, _ reply: R.Reply) -> Exchange {
        Exchange(request: request, reply: reply)
    }

    var name: String { type(of: request).name }
    var replyName: String { type(of: request).replyName }

    /// The requests that these are about.
    static let names: RequestNames = {
        var names = RequestNames()
        for exchange in all where names[exchange.name] == nil { add(exchange.request, to: &names) }
        return names
    }()

    private static func add<R: Request>(_: R, to names: inout RequestNames) { names.add(R.self) }

    static let all = streams

    private static let stream = StreamInfo(stream: 7, peer: Samples.peer, label: .usual)

    static let streams = [
        of(OpenStream(PeerReference(Samples.peer), label: .usual, wait: .milliseconds(1_500)), stream),
        of(ListenForStream(label: .usual), stream),
        of(ListenForStream(label: .usual, from: PeerReference(Samples.peer)), stream),
        of(SendBytes(7, [0, 255, 10]), Done()), of(SendBytes(7, []), Done()), of(FinishStream(7), Done()),
        of(ReceiveBytes(7), .init([0, 255, 10], isEnd: false)), of(ReceiveBytes(7), .init([], isEnd: true)),
        of(ResetStream(7, .diskFull), Done()),
    ]
}

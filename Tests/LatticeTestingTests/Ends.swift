import Lattice
import LatticeCore
import LatticeCrypto
import NIOCore
import NIOEmbedded
import Testing

@testable import LatticeTesting

/// The two ends of one connection, on an event loop whose time the test moves.
final class Ends {
    /// What happened at one end, in order.
    final class Log: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        enum Entry: Equatable {
            case bytes(Int)
            case complete
            case event(ChannelEvent)
            case writable(Bool)
            case error
            case inactive
        }

        private(set) var entries: [Entry] = []

        /// - Returns: what was added since the last call.
        func take() -> [Entry] {
            defer { entries = [] }
            return entries
        }

        var readBytes: Int { entries.reduce(0) { if case .bytes(let count) = $1 { $0 + count } else { $0 } } }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            entries.append(.bytes(unwrapInboundIn(data).readableBytes))
        }

        func channelReadComplete(context: ChannelHandlerContext) { entries.append(.complete) }
        func channelInactive(context: ChannelHandlerContext) { entries.append(.inactive) }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            entries.append(.writable(context.channel.isWritable))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent { entries.append(.event(event)) }
        }

        // As handlers of links do.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            entries.append(.error)
            context.close(promise: nil)
        }
    }

    /// What became of a promise; `nil` while it is open.
    final class Fate {
        private(set) var outcome: Result<Void, any Error>?

        var hasSucceeded: Bool { if case .success = outcome { true } else { false } }
        var error: ChannelError? { if case .failure(let error) = outcome { error as? ChannelError } else { nil } }

        init(_ future: EventLoopFuture<Void>) {
            future.assumeIsolated().whenComplete { self.outcome = $0 }
        }
    }

    let loop: EmbeddedEventLoop
    let network: InMemoryNetwork
    let near: InMemoryChannel
    let far: InMemoryChannel
    let nearLog = Log()
    let farLog = Log()
    let ids: (near: Lattice.PeerID, far: Lattice.PeerID)
    private let ports: [any Sendable]

    /// Gives a connection to `body`, and closes it afterwards. The near end has dialled.
    static func with(
        _ conditions: InMemoryNetwork.Conditions = InMemoryNetwork.Conditions(), _ body: (Ends) throws -> Void
    ) throws {
        let loop = EmbeddedEventLoop()
        let ends = try Ends(conditions, on: loop)
        defer {
            for end in [ends.near, ends.far] { end.close(promise: nil) }
            loop.run()
        }
        try body(ends)
    }

    private init(_ conditions: InMemoryNetwork.Conditions, on loop: EmbeddedEventLoop) throws {
        self.loop = loop
        network = InMemoryNetwork(seed: 41, conditions: conditions, on: loop)
        let hosts = [network.addHost(), network.addHost()]
        let peers = hosts.map(\.identity.peer)
        ports = zip(hosts, peers).map { host, peer in host.listen(port: 0, as: peer) }
        let ids = peers.compactMap { Lattice.PeerID($0.hex) }
        self.ids = (ids[0], ids[1])
        let address = LatticeCore.PeerAddress(host: InMemoryState.host(hosts[1].number), port: 7_000)
        near = try network.connect(from: hosts[0].number, to: address).get()
        far = try #require(near.other)
        try near.pipeline.syncOperations.addHandler(nearLog)
        try far.pipeline.syncOperations.addHandler(farLog)
    }

    /// Both read as links do.
    func read(halves: Bool = true) throws {
        for end in [near, far] {
            try end.syncOptions?.setOption(.autoRead, value: true)
            try end.syncOptions?.setOption(.allowRemoteHalfClosure, value: halves)
        }
    }

    @discardableResult
    func write(_ count: Int, from end: InMemoryChannel, flushes: Bool = true) -> Fate {
        let promise = loop.makePromise(of: Void.self)
        end.write(ByteBuffer(repeating: 7, count: count), promise: promise)
        if flushes { end.flush() }
        return Fate(promise.futureResult)
    }

    func close(_ end: InMemoryChannel, _ mode: CloseMode = .all) -> Fate {
        let promise = loop.makePromise(of: Void.self)
        end.close(mode: mode, promise: promise)
        return Fate(promise.futureResult)
    }
}

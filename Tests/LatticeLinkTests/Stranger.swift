import LatticeCore
import LatticeCrypto
import LatticeSession
import LatticeWire
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A bare TCP connection: sends what a test likes and notes what comes back.
final class Stranger: Sendable {
    private let channel: any Channel
    private let received: Received

    /// - Parameter source: one of this machine's addresses; the whole of 127.0.0.0/8 is.
    init(to address: PeerAddress, from source: String? = nil) async throws {
        let received = Received()
        self.received = received
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let bound = try source.map { try bootstrap.bind(to: SocketAddress(ipAddress: $0, port: 0)) } ?? bootstrap
        channel =
            try await bound
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received: received))
                }
            }
            .connect(host: address.host, port: Int(address.port)).get()
    }

    /// Our own address: nobody listens there, and nobody else gets the port while we have it.
    var deafAddress: PeerAddress {
        PeerAddress(host: "127.0.0.1", port: UInt16(channel.localAddress?.port ?? 0))
    }

    /// It may be closed before it has taken all of it.
    func send(_ bytes: [UInt8]) async throws {
        do {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
        } catch let error as IOError where [EPIPE, ECONNRESET].contains(error.errnoCode) {
            return
        } catch is ChannelError {
            return
        }
    }

    var isOpen: Bool { channel.isActive }

    /// Returns when the other side has closed the connection.
    func closed() async throws {
        try await channel.closeFuture.get()
    }

    /// It may have been closed already.
    func close() async throws {
        do {
            try await channel.close().get()
        } catch ChannelError.alreadyClosed {
            return
        }
    }

    /// Ends the connection with a reset, if it has not ended: so says SO_LINGER of nothing (socket(7)).
    func reset() async throws {
        let channel = channel
        do {
            try await channel.eventLoop.flatSubmit {
                guard let socket = channel as? any SocketOptionProvider else { preconditionFailure("TCP has options") }
                return socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).flatMap { channel.close() }
            }.get()
        } catch let error as IOError where error.errnoCode == EBADF {
            return
        } catch ChannelError.alreadyClosed {
            return
        }
    }

    /// The next whole message, without its prefix.
    func message() async throws -> [UInt8] {
        var message: [UInt8] = []
        try await until("a message comes") {
            guard let whole = received.takeMessage() else { return false }
            message = whole
            return true
        }
        return message
    }

    /// The first message of an honest handshake, with its prefix.
    static func firstMessage() throws -> [UInt8] {
        var handshake = try handshake()
        let first = handshake.begin()
        return try #require(first)
    }

    /// Begins to shake hands, waits until that is answered, and says nothing more.
    func beginHandshake() async throws {
        try await send(Self.firstMessage())
        _ = try await message()
    }

    /// Shakes hands as an honest peer would.
    func shakeHands() async throws {
        var handshake = try Self.handshake()
        let first = handshake.begin()
        try await send(try #require(first))
        let second = try await message()
        let third = try handshake.receive(second[...])
        try await send(try #require(third))
    }

    private static func handshake() throws -> Handshake {
        let session = SessionIdentity(identity: .generate())
        let introduction = session.introduction(
            name: try PeerName("stranger"), instance: 7, clock: WallTime(milliseconds: 0), port: 0)
        return Handshake(role: .initiator, me: session, introduction: introduction)
    }

    private final class Received: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }

        func takeMessage() -> [UInt8]? {
            bytes.withLock { bytes in
                guard bytes.count >= 2 else { return nil }
                let end = 2 + Int(bytes[0]) << 8 + Int(bytes[1])
                guard bytes.count >= end else { return nil }
                defer { bytes.removeFirst(end) }
                return Array(bytes[2..<end])
            }
        }
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: Received

        init(received: Received) { self.received = received }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.append(Array(unwrapInboundIn(data).readableBytesView))
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

import Glibc
package import LatticeAPI
import LatticeSocket
package import Logging
import NIOCore
import NIOPosix

/// Lets other programs of the same person use a node: a Unix socket, lines of JSON-RPC 2.0.
package struct ControlServer: Sendable {
    private let node: any MeshNode
    private let names: RequestNames
    private let closed: String?
    private let listener: NIOAsyncChannel<Arrival, Never>
    private let logger: Logger
    private let hub: ControlHub

    /// Takes the path; whatever socket stood there is of nobody any more.
    ///
    /// - Parameters:
    ///   - path: in a folder that is this person's alone.
    ///   - inherited: a socket that listens there already, which whoever opened it keeps; `nil` makes one.
    ///   - names: the requests that the node takes.
    ///   - closed: what tells the node's closed mesh from others; `nil` if it is open.
    /// - Throws: `AddressFault` if it cannot be listened there.
    package static func listening(
        at path: String, inherited: Int32? = nil, node: any MeshNode, names: RequestNames, closed: String? = nil,
        logger: Logger
    ) async throws -> ControlServer {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptFaultHandler())
                }
            }
            .childChannelOption(.autoRead, value: false)
            // Who says all it has and ends its side waits for the answers.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
        do {
            let listener: NIOAsyncChannel<Arrival, Never>
            if let inherited {
                listener = try await bootstrap.bind(inherited) { channel in
                    channel.eventLoop.makeCompletedFuture { try Arrival.held(channel) }
                }
            } else {
                listener = try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) {
                    channel in
                    channel.eventLoop.makeCompletedFuture { try Arrival.held(channel) }
                }
                chmod(path, 0o600)
            }
            return ControlServer(node: node, names: names, closed: closed, listener: listener, logger: logger)
        } catch {
            throw AddressFault(.init(error), at: path)
        }
    }

    private init(
        node: any MeshNode, names: RequestNames, closed: String?, listener: NIOAsyncChannel<Arrival, Never>,
        logger: Logger
    ) {
        self.node = node
        self.names = names
        self.closed = closed
        self.listener = listener
        self.logger = logger
        hub = ControlHub(node: node)
    }

    /// Serves until its task is cancelled; then every connection is closed.
    ///
    /// - Parameter events: from `MeshNode.events()`.
    package func run(events: NodeEvents) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await hub.run(events) }
            group.addTask { await accept() }
        }
    }

    /// Returns when no program is connected any more; nobody comes in for whom the path is gone.
    package func idle() async {
        for await _ in await hub.idle() {}
    }

    private static let full = ByteBuffer(
        bytes: ControlLine.bytes(
            of: ControlReply.error(
                nil,
                ControlError(
                    RequestError(
                        .busy,
                        "\(ControlLimit.clientsMax) programs are connected to this node, the most there can be; close one of them"
                    )
                ))))

    private func accept() async {
        do {
            try await listener.executeThenClose { clients in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await client in clients {
                        guard await hub.admit() else {
                            client.turnAway(saying: Self.full)
                            continue
                        }
                        group.addTask {
                            await serve(client)
                            await hub.leave()
                        }
                    }
                }
            }
        } catch is CancellationError {
            return
        } catch {
            logger.error("the control socket failed", metadata: ["error": "\(error)"])
        }
    }

    private func serve(_ client: Arrival) async {
        do {
            let bytes = try await client.takeLines(bytesMax: ControlLimit.requestBytesMax)
            try await bytes.executeThenClose { lines, output in
                await ControlConversation(
                    node: node, names: names, closed: closed, hub: hub, channel: bytes.channel, output: output
                ).run(lines)
            }
        } catch {
            logger.debug("a control connection failed", metadata: ["error": "\(error)"])
        }
    }
}

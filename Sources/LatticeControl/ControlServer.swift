import Glibc
package import LatticeAPI
import LatticeSocket
package import Logging
import NIOCore
import NIOPosix

/// Lets other programs of the same person use a node, with lines of JSON-RPC 2.0 over a Unix socket.
package struct ControlServer: Sendable {
    private let node: any MeshNode
    private let names: RequestNames
    private let streams: (any StreamNode)?
    private let feeds: (any FeedNode)?
    private let closed: String?
    private let listener: NIOAsyncChannel<Arrival, Never>
    private let logger: Logger
    private let hub: ControlHub

    /// Binds the path; a socket that is already there is stale and is replaced.
    ///
    /// - Parameters:
    ///   - path: in a folder that is this person's alone.
    /// - inherited: a socket that already listens there and stays its opener's; `nil` creates one.
    ///   - names: the requests that the node takes.
    ///   - streams: whose bytes connections can carry; `nil` if the node has none.
    ///   - feeds: whose records connections can follow; `nil` if the node has none.
    /// - closed: identifies the node's closed mesh; `nil` if the mesh is open.
    /// - Throws: `AddressFault` if the path cannot be bound.
    package static func listening(
        at path: String, inherited: Int32? = nil, node: any MeshNode, names: RequestNames,
        streams: (any StreamNode)? = nil, feeds: (any FeedNode)? = nil, closed: String? = nil, logger: Logger
    ) async throws -> ControlServer {
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptFaultHandler())
                }
            }
            .childChannelOption(.autoRead, value: false)
            // A client that has closed its sending side still waits for answers.
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
            return ControlServer(
                node: node, names: names, streams: streams, feeds: feeds, closed: closed, listener: listener,
                logger: logger)
        } catch {
            throw AddressFault(.init(error), at: path)
        }
    }

    private init(
        node: any MeshNode, names: RequestNames, streams: (any StreamNode)?, feeds: (any FeedNode)?, closed: String?,
        listener: NIOAsyncChannel<Arrival, Never>, logger: Logger
    ) {
        self.node = node
        self.names = names
        self.streams = streams
        self.feeds = feeds
        self.closed = closed
        self.listener = listener
        self.logger = logger
        hub = ControlHub(node: node)
    }

    /// Serves until its task is cancelled; then every connection is closed.
    ///
    /// - Parameters:
    ///   - events: from `MeshNode.events()`, requested before the node runs.
    ///   - executor: that of the node's own tasks, on which an event wakes no thread.
    package func run(events: NodeEvents, on executor: (any TaskExecutor)? = nil) async {
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: executor) { await hub.run(events) }
            group.addTask { await accept() }
        }
    }

    /// Returns when no client is connected; once the path is gone, no new one can connect.
    package func idle() async {
        for await _ in await hub.idle() {}
    }

    private static let full = ByteBuffer(
        bytes: ControlLine.bytes(
            of: ControlReply.error(
                nil,
                ControlError(.clientsFull(max: ControlLimit.clientsMax)))))

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
                    node: node, names: names, streamNode: streams, feedNode: feeds, closed: closed, hub: hub,
                    channel: bytes.channel, output: output
                ).run(lines)
            }
        } catch {
            logger.debug("a control connection failed", metadata: ["error": "\(error)"])
        }
    }
}

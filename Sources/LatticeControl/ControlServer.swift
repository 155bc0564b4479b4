package import LatticeAPI
package import Logging
import NIOCore
import NIOPosix

/// Lets other programs of the same person use a node: a Unix socket, lines of JSON-RPC 2.0.
package struct ControlServer: Sendable {
    private let node: any MeshNode
    private let listener: NIOAsyncChannel<LineChannel, Never>
    private let logger: Logger
    private let hub = ControlHub()

    /// Takes the path; whatever socket stood there is of nobody any more.
    ///
    /// - Parameter path: in a folder that is this person's alone.
    package static func listening(at path: String, node: any MeshNode, logger: Logger) async throws -> ControlServer {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.autoRead, value: false)
            .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                channel.eventLoop.makeSucceededFuture(LineChannel(channel))
            }
        return ControlServer(node: node, listener: listener, logger: logger)
    }

    private init(node: any MeshNode, listener: NIOAsyncChannel<LineChannel, Never>, logger: Logger) {
        self.node = node
        self.listener = listener
        self.logger = logger
    }

    /// Serves until its task is cancelled; then every connection is closed.
    ///
    /// - Parameter events: from `MeshNode.events()`.
    package func run(events: AsyncStream<NodeEvent>) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await hub.run(events) }
            group.addTask { await accept() }
        }
    }

    private func accept() async {
        do {
            try await listener.executeThenClose { clients in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await client in clients { group.addTask { await serve(client) } }
                }
            }
        } catch is CancellationError {
            return
        } catch {
            logger.error("the control socket ended", metadata: ["error": "\(error)"])
        }
    }

    private func serve(_ client: LineChannel) async {
        do {
            try await client.take(lineBytesMax: ControlLimit.requestBytesMax).executeThenClose { lines, output in
                await ControlConversation(node: node, hub: hub, output: output).run(lines)
            }
        } catch {
            logger.debug("a control connection ended", metadata: ["error": "\(error)"])
        }
    }
}

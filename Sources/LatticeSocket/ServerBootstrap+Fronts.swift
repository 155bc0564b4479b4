package import NIOCore
package import NIOPosix

extension ServerBootstrap {
    /// A listener for the clients of a front: answers are sent without delay, and a client that cannot be accepted
    /// affects no other.
    package static func front(on group: any EventLoopGroup) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptFaultHandler())
                }
            }
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
    }
}

import Glibc
package import NIOCore

/// Keeps listening after a single connection could not be accepted (its client gave up, or descriptors ran out).
package final class AcceptFaultHandler: ChannelInboundHandler {
    package typealias InboundIn = Channel

    private static let pause = TimeAmount.seconds(1)

    package init() {}

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? IOError else { return context.fireErrorCaught(error) }
        guard [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(fault.errnoCode) else { return }
        // Without a pause the waiting connection would be reported again at once, forever.
        let channel = context.channel
        channel.setOption(.autoRead, value: false)
            .flatMap { channel.eventLoop.scheduleTask(in: Self.pause) {}.futureResult }
            .flatMap { channel.setOption(.autoRead, value: true) }
            .whenFailure { _ in }  // It was closed meanwhile.
    }
}
